package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings, directories and the report. */
class AdoptionTest {
  private final MemoryStorage storage = new MemoryStorage();
  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "name",
              "old",
              "connector.class",
              "io.confluent.connect.hdfs.HdfsSinkConnector",
              "hdfs.url",
              "hdfs://namenode:8020",
              "topics",
              "orders",
              "partitioner.class",
              "io.confluent.connect.storage.partitioner.FieldPartitioner",
              "partition.field.name",
              "city"));

  private AdoptionReport examine() throws Exception {
    KafkaOffsets kafka =
        new KafkaOffsets(
            Map.of(),
            Map.of(new TopicPartition("orders", 0), 0L),
            Map.of(new TopicPartition("orders", 0), 100L));
    return new Adoption(storage, new OldSink(settings), kafka, Consents.NONE, Optional.empty())
        .examine();
  }

  private void file(String path) {
    storage.put(new StoragePath(path), new byte[] {1});
  }

  private void assertRefused(String place, String problem) throws Exception {
    AdoptionReport report = examine();
    String text = String.join("\n", AdoptionText.lines(report));
    assertThat(report.verdict()).as(text).isEqualTo(Verdict.REFUSED);
    assertThat(text).contains("REFUSED " + place + ": ").contains(problem).contains("what to do: ");
  }

  @ParameterizedTest
  @CsvSource({
    "format.class,      io.confluent.connect.hdfs.parquet.ParquetFormat",
    "format.class,      io.confluent.connect.hdfs.json.JsonFormat",
    "partitioner.class, com.example.MyPartitioner",
    "connector.class,   io.confluent.connect.s3.S3SinkConnector"
  })
  void otherFormatsPartitionersAndConnectorsAreRefused(String key, String value) throws Exception {
    settings.put(key, value);
    assertRefused(key, value);
  }

  @Test
  void formerPackageOfPartitionersIsKnown() throws Exception {
    settings.put("partitioner.class", "io.confluent.connect.hdfs.partitioner.HourlyPartitioner");
    assertThat(examine().verdict()).isEqualTo(Verdict.ACCEPTED);
  }

  @ParameterizedTest
  @CsvSource({
    "city=c/d",
    "city=/d",
    "city=",
    "city=k=v",
    "city=50%",
    "city=50%25",
    "city=a:b",
    "town=a"
  })
  void directoriesThatHiveCannotSeeAreRefused(String directory) throws Exception {
    file("/topics/orders/" + directory + "/orders+0+0+9.avro");
    assertThat(examine().verdict()).isEqualTo(Verdict.ACCEPTED);

    settings.put("hive.integration", "true");
    assertRefused("orders", "are invisible in Hive");
  }

  @ParameterizedTest
  @CsvSource({"city=Köln", "city=New York", "city=null", "city=__HIVE_DEFAULT_PARTITION__"})
  void otherValuesAreVisibleInHive(String directory) throws Exception {
    settings.put("hive.integration", "true");
    file("/topics/orders/" + directory + "/orders+0+0+9.avro");
    assertThat(examine().verdict()).isEqualTo(Verdict.ACCEPTED);
  }

  @Test
  void topicsWithOneTableInHiveAreRefused() throws Exception {
    settings.put("topics", "a.b-c, a-b.c, other");
    settings.put("hive.integration", "true");
    assertRefused("a.b-c", "[a-b.c, a.b-c] have the same table default.a_b_c in Hive");
    assertThat(examine().topics())
        .extracting(AdoptionReport.Topic::topic, topic -> topic.refusals().size())
        .containsExactly(tuple("a-b.c", 1), tuple("a.b-c", 1), tuple("other", 0));
  }

  @Test
  void filesOfOtherFormatsAreRefusedAndOtherFilesNoted() throws Exception {
    file("/topics/orders/city=a/part-0.avro");
    file("/topics/orders/city=a/_SUCCESS");
    AdoptionReport.Topic topic = examine().topics().get(0);
    assertThat(topic.verdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(topic.notes())
        .singleElement()
        .asString()
        .startsWith("1 files below /topics/orders are not the sink's");

    file("/topics/orders/city=a/orders+0+0+9.parquet");
    assertRefused("orders", "other formats than Avro");
  }

  @Test
  void tableOfTidemarkIsRefused() throws Exception {
    file("/topics/orders/.tidemark/layout.json");
    assertRefused("orders", "is already a table of Tidemark");
  }

  @Test
  void directoriesExpandAsInTheSink() {
    settings.put("topics.dir", "lake/${1}//${3}/");
    settings.put("logs.dir", "/wal//${topic}");
    settings.put("hdfs.url", "hdfs://cluster/base/");
    settings.put("topic.capture.groups.regex", "([a-z]+)\\.([a-z]+)-(v\\d+)");
    OldSink sink = new OldSink(settings);

    assertThat(sink.topicsDirectory("shop.orders-v1"))
        .hasValue(new StoragePath("/base/lake/shop/v1"));
    assertThat(sink.logsDirectory("shop.orders-v1"))
        .hasValue(new StoragePath("/base/wal/shop.orders-v1"));
    assertThat(sink.topicsDirectory("orders")).isEmpty();
    assertThat(sink.authority()).isEqualTo("cluster");
  }

  @Test
  void topicsOfARegexAreThoseThatExist() throws Exception {
    settings.remove("topics");
    settings.put("topics.regex", "ord.*|pay.*");
    file("/topics/payments/city=a/payments+3+0+9.avro");
    file("/topics/+tmp/payments/city=a/1_tmp.avro");
    file("/topics/returns/city=a/returns+0+0+9.avro");

    assertThat(examine().topics())
        .extracting(AdoptionReport.Topic::topic)
        .isEqualTo(List.of("orders", "payments"));
    assertThat(examine().topics().get(1).leftovers()).isOne();
  }
}
