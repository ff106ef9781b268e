package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cures in errors of configurations: after the change that an error names, the configuration is
 * valid.
 */
class ConfigCuresTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "consumer.override.isolation.level", "read_committed",
          "validation.connect", "false",
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  /**
   * @param wrong the change to a valid configuration; a key without a value is removed
   * @param error the key that has the error
   * @param said the cure in the text of the error
   * @param cure the change that makes the configuration valid
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "value.converter= | value.converter | value.converter=org.apache.kafka.connect.converters.ByteArrayConverter | value.converter=org.apache.kafka.connect.converters.ByteArrayConverter",
        "consumer.override.isolation.level= | consumer.override.isolation.level | Set consumer.override.isolation.level=read_committed | consumer.override.isolation.level=read_committed",
        "consumer.override.isolation.level= | consumer.override.isolation.level | set worker.isolation.level | worker.isolation.level=read_committed",
        "worker.isolation.level=read_uncommitted | worker.isolation.level | Remove worker.isolation.level | worker.isolation.level=",
        "store.url=s3a://bucket | store.url | Use hdfs://host:port | store.url=hdfs://namenode:8020",
        "store.url=hdfs:///topics | store.url | Use hdfs://host:port | store.url=hdfs://nameservice",
        "store.url=hdfs://ann@namenode:8020 | store.url | Remove all between // and @ | store.url=hdfs://namenode:8020",
        "hadoop.conf.dir=/no/such/directory | hadoop.conf.dir | remove the key | hadoop.conf.dir=",
        "topics.dir=a;logs.dir=a/b | logs.dir | Choose directories apart | logs.dir=b",
        "ledger.dir=logs/ledger | ledger.dir | Choose directories apart | ledger.dir=ledger",
        "name=quotes/1 | log.id | Set log.id | log.id=quotes-1",
        "errors.tolerance=all | errors.tolerance | errors.deadletterqueue.topic.name | errors.deadletterqueue.topic.name=letters",
        "errors.tolerance=all | errors.tolerance | errors.tolerance=none | errors.tolerance=none",
        "behavior.on.null.values=dead-letter | behavior.on.null.values | Set errors.tolerance=all | errors.tolerance=all;errors.deadletterqueue.topic.name=letters",
        "hive.integration=true | hive.metastore.uris | thrift://host:9083 | hive.metastore.uris=thrift://host:9083",
        "hive.integration=true;hive.metastore.uris=metastore | hive.metastore.uris | is not like thrift://host:9083 | hive.metastore.uris=thrift://metastore:9083",
        "topics=a,b;hive.integration=true;hive.metastore.uris=thrift://m:9083;hive.table.name=t | hive.table.name | hive.table.name of its own | hive.table.name=t_${topic}",
        "topics=a.b,a-b;hive.integration=true;hive.metastore.uris=thrift://m:9083 | hive.table.name | name both in topic2table.map | topic2table.map=a.b:ab,a-b:ab",
        "hive.table.properties=owner | hive.table.properties | Write NAME=VALUE | hive.table.properties=owner=sales",
        "hive.table.properties=external.table.purge=true | hive.table.properties | Remove it | hive.table.properties=",
        "partitioner.class=TimeBasedPartitioner;partition.duration.ms=3600000 | path.format | Example: 'dt'=yyyy-MM-dd/'hour'=HH | path.format='dt'=yyyy-MM-dd/'hour'=HH",
        "partitioner.class=TimeBasedPartitioner;path.format='dt'=yyyy | partition.duration.ms | Example: 3600000 | partition.duration.ms=3600000",
        "partitioner.class=com.example.Mine | partitioner.class | set one of the partitioners | partitioner.class=DefaultPartitioner",
        "partitioner.class=FieldAndTimeBasedPartitioner;partition.field.name=dt;path.format='dt'=yyyy;partition.duration.ms=1 | path.format | another name in path.format | path.format='year'=yyyy",
        "partitioner.class=FieldPartitioner | partition.field.name | Example: region,stop.line | partition.field.name=region,stop.line",
        "partitioner.class=DailyPartitioner;timezone=Mars | timezone | Europe/Berlin | timezone=Europe/Berlin",
        "locale=english | locale | Use one like en-US | locale=en-US",
        "partitioner.class=DailyPartitioner;timestamp.extractor=com.example.Mine | timestamp.extractor | Set Record | timestamp.extractor=Record",
        "columns.kafka=offset,key | key.converter | Set key.converter=org.apache.kafka.connect.converters.ByteArrayConverter | key.converter=org.apache.kafka.connect.converters.ByteArrayConverter",
        "behavior.on.null.values=write | key.converter | lands keys as they are | key.converter=org.apache.kafka.connect.converters.ByteArrayConverter",
        "behavior.on.null.values=write;key.converter=org.apache.kafka.connect.converters.ByteArrayConverter;record2table.map=a:b | behavior.on.null.values | selects its table | behavior.on.null.values=ignore",
        "behavior.on.null.values=write;key.converter=org.apache.kafka.connect.converters.ByteArrayConverter;partitioner.class=FieldPartitioner;partition.field.name=region | partition.field.name | Name fields of the key, which begin with kafka_key_ | partition.field.name=kafka_key_region",
        "behavior.on.null.values=write;key.converter=org.apache.kafka.connect.converters.ByteArrayConverter;schema.registry.api=avro-1124 | columns.key.format | Set string if keys are texts | columns.key.format=string",
        "columns.key.format=json | columns.key.format | must be one of | columns.key.format=string",
        "columns.kafka=headers | header.converter | or leave headers out | columns.kafka=offset",
        "columns.kafka=value | columns.kafka | of topic, partition, offset | columns.kafka=offset",
        "columns.kafka=offset;columns.kafka.prefix=_k | columns.kafka.prefix | a letter in front | columns.kafka.prefix=k_",
        "timestamp.extractor=Wallclock | timestamp.extractor | set TimeBasedPartitioner there | partitioner.class=HourlyPartitioner",
        "memory.bytes=1048576;avro.block.size.bytes=1048576 | memory.bytes | Raise memory.bytes or lower avro.block.size.bytes | memory.bytes=268435456",
        "avro.codec=snappy;avro.codec.level=3 | avro.codec.level | - | avro.codec.level=",
        "partitioner.max.open.files=9;timestamp.extractor=Record;avro.codec=snappy;partitioner.class=Unpartitioned | partitioner.max.open.files | Set storage.open.files | partitioner.max.open.files=;storage.open.files=9",
        "batch.recrods=1000 | batch.recrods | batch.records | batch.recrods=;batch.records=1000",
        "operator.consent=yes | operator.consent | UUID | operator.consent=7f3f2a52-6c5e-4f0f-9d2b-0a4c3e5d1b11",
        "completeness.events.topic=quotes | completeness.events.topic | Choose another topic | completeness.events.topic=events",
        "completeness.events.topic=events;completeness.enabled=false | completeness.events.topic | Set completeness.enabled=true | completeness.enabled=true",
        "completeness.events.topic=l;errors.tolerance=all;errors.deadletterqueue.topic.name=l | completeness.events.topic | Give each a topic of its own | completeness.events.topic=events",
        "completeness.batches.topic=quotes | completeness.batches.topic | Announce batches on a topic of their own | completeness.batches.topic=batches",
        "completeness.groups=sales | completeness.groups | Example: sales=default.orders | completeness.groups=sales=default.orders",
        "transforms=t;transforms.t.type=org.apache.kafka.connect.transforms.RegexRouter;transforms.t.regex=a;transforms.t.replacement=b | transforms.t.type | Remove the transform | transforms=;transforms.t.type=;transforms.t.regex=;transforms.t.replacement=",
        "schema.registry.url=registry | schema.registry.url | http:// | schema.registry.url=http://registry:8081",
        "basic.auth.credentials.source=USER_INFO;basic.auth.user.info=ann | basic.auth.user.info | Write it as user:password | basic.auth.user.info=ann:secret",
        "basic.auth.user.info=ann:secret | basic.auth.user.info | Set it to USER_INFO | basic.auth.credentials.source=USER_INFO",
        "bearer.auth.token=t | bearer.auth.credentials.source | Set it to STATIC_TOKEN | bearer.auth.credentials.source=STATIC_TOKEN",
        "schema.registry.id.format=single-object | schema.registry.subjects | orders-value,refunds-value | schema.registry.subjects=orders-value",
        "schema.registry.id.format=subject-int32 | schema.registry.id.format | schema.registry.api=avro-1124 | schema.registry.api=avro-1124",
        "schema.registry.context=staging | schema.registry.context | Begin it with a dot | schema.registry.context=.staging",
        "proxy.port=3128 | proxy.host | A proxy needs both host and port | proxy.host=proxy",
      })
  void cureIsOne(String wrong, String error, String said, String cure) {
    Map<String, String> config = new HashMap<>(GOOD);
    change(config, wrong);
    Map<String, List<String>> errors = errors(config);
    assertThat(errors).as("%s in %s", error, errors).containsKey(error);
    if (said != null) {
      assertThat(errors.toString()).contains(said);
    }

    change(config, cure);

    assertThat(errors(config)).isEmpty();
  }

  private static void change(Map<String, String> config, String changes) {
    Arrays.stream(changes.split(";", -1))
        .map(change -> change.split("=", 2))
        .forEach(
            change -> {
              if (change[1].isEmpty()) {
                config.remove(change[0]);
              } else {
                config.put(change[0], change[1]);
              }
            });
  }

  private static Map<String, List<String>> errors(Map<String, String> config) {
    return new TidemarkSinkConnector()
        .validate(config).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }
}
