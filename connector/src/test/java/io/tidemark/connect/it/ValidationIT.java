package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnSharedStack
final class ValidationIT {

  @Test
  void goodConfigurationHasNoErrors(RealStack stack) {
    assertThat(stack.connect().validate(good(stack))).isEmpty();
  }

  @Test
  void everythingMissingIsNamedAtOnce(RealStack stack) {
    Map<String, List<String>> errors =
        stack
            .connect()
            .validate(
                Map.of(
                    "name", "empty",
                    "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
                    "topics", "any"));
    assertThat(errors)
        .containsOnlyKeys(
            "store.url",
            "kafka.bootstrap.servers",
            "schema.registry.url",
            "value.converter",
            "consumer.override.isolation.level");
  }

  @Test
  void everythingWrongIsNamedAtOnce(RealStack stack) {
    Map<String, String> config = good(stack);
    config.put("value.converter", "io.confluent.connect.avro.AvroConverter");
    config.put("store.url", "s3a://bucket");
    config.put("batch.records", "0");
    config.put("batch.interval.ms", "soon");
    config.put("avro.codec", "lzo");
    config.put("partitioner.class", "TimeBasedPartitioner");
    config.put("timezone", "Mars/Olympus");
    config.put("locale", "");
    config.remove("hive.metastore.uris");
    config.put("hive.table.name", "a table");
    config.put("errors.tolerance", "all");
    config.put("behavior.on.null.values", "dead-letter");
    config.put("parquet.codec", "snappy");
    Map<String, List<String>> errors = stack.connect().validate(config);
    assertThat(errors)
        .containsOnlyKeys(
            "value.converter",
            "store.url",
            "batch.records",
            "batch.interval.ms",
            "avro.codec",
            "path.format",
            "partition.duration.ms",
            "timezone",
            "locale",
            "hive.metastore.uris",
            "hive.table.name",
            "errors.tolerance",
            "behavior.on.null.values",
            "parquet.codec",
            // The time that Confluent's sink, from which that key is, would use without them.
            "timestamp.extractor");
    assertThat(errors.get("hive.metastore.uris")).anyMatch(e -> e.contains("thrift://host:9083"));
    assertThat(errors.get("path.format")).anyMatch(e -> e.contains("'dt'=yyyy-MM-dd/'hour'=HH"));
    assertThat(errors.get("errors.tolerance"))
        .anyMatch(e -> e.contains("errors.deadletterqueue.topic.name"));
    assertThat(errors.get("timezone")).anyMatch(e -> e.contains("Europe/Berlin"));
  }

  @Test
  void converterThatDecodesIsRefusedWithTheLineToSet(RealStack stack) {
    Map<String, String> config = good(stack);
    config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    assertThat(stack.connect().validate(config))
        .containsOnlyKeys("value.converter")
        .hasEntrySatisfying(
            "value.converter",
            errors ->
                assertThat(errors)
                    .anyMatch(
                        error ->
                            error.contains(
                                "value.converter=org.apache.kafka.connect.converters.ByteArrayConverter")));
  }

  @Test
  void oneServiceThatIsNotThereIsToldAndTheOthersAreNot(RealStack stack) {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "store.url", "hdfs://localhost:1",
                "kafka.bootstrap.servers", "localhost:1",
                "schema.registry.url", "http://localhost:1",
                "hive.metastore.uris", "thrift://localhost:1")
            .entrySet()) {
      Map<String, String> config = good(stack);
      config.put(wrong.getKey(), wrong.getValue());
      assertThat(stack.connect().validate(config)).containsOnlyKeys(wrong.getKey());
      config.put("validation.connect", "false");
      assertThat(stack.connect().validate(config)).isEmpty();
    }
  }

  @Test
  void anotherServiceAtTheAddressIsTold(RealStack stack) {
    Map<String, String> config = good(stack);
    // A Connect worker also answers over HTTP.
    config.put("schema.registry.url", stack.services().connect().worker(0).url());
    assertThat(stack.connect().validate(config)).containsOnlyKeys("schema.registry.url");
  }

  @Test
  void deadLetterTopicMakesToleranceGood(RealStack stack) {
    Map<String, String> config = good(stack);
    config.put("errors.tolerance", "all");
    config.put("errors.deadletterqueue.topic.name", "dead-letters");
    assertThat(stack.connect().validate(config)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"topics", "topics.regex"})
  void deadLettersThatWouldBeTooLargeAreNamed(String key, RealStack stack) {
    String name = "validated-large-" + key;
    NewTopic large =
        new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", "5000000"));
    NewTopic letters = new NewTopic("validated-letters-" + key, 1, (short) 1);
    RealStack.joined(stack.admin().createTopics(Set.of(large, letters)).all(), "creating topics");
    Map<String, String> config = good(stack);
    config.remove("topics");
    config.put(key, key.equals("topics") ? name : name.replace("large", "l.*ge"));
    config.put("errors.tolerance", "all");
    config.put("errors.deadletterqueue.topic.name", letters.name());

    assertThat(stack.connect().validate(config))
        .containsOnlyKeys("errors.deadletterqueue.topic.name")
        .hasEntrySatisfying(
            "errors.deadletterqueue.topic.name",
            errors ->
                assertThat(errors.toString())
                    .contains("max.message.bytes of " + name + " is 5000000")
                    .contains("Raise max.message.bytes of " + letters.name() + "."));
  }

  private static Map<String, String> good(RealStack stack) {
    Map<String, String> config = new HashMap<>(ConnectorSettings.of("validated").on(stack));
    config.put("topics", "any");
    return config;
  }
}
