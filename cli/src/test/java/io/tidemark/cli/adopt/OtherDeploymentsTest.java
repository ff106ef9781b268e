package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.OldConfig;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Settings and directories that no archive has: each is adopted at the right offset with all files,
 * or refused, and what the refusal says then works.
 */
class OtherDeploymentsTest {
  private static final String URL = "hdfs://namenode:8020";
  private static final String FIRST =
      "/topics/orders/partition=0/orders+0+0000000000+0000000009.avro";
  private static final String SECOND =
      "/topics/orders/partition=0/orders+0+0000000010+0000000019.avro";
  private static final String TEMPORARY = "/topics/+tmp/orders/partition=0/x_tmp.avro";
  private static final String LOG = "/logs/orders/0/log";

  private static final Schema SCHEMA =
      SchemaBuilder.record("Order")
          .fields()
          .optionalString("city")
          .optionalString("countryCode")
          .requiredInt("n")
          .endRecord();

  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private final MemoryStorage storage = new MemoryStorage();
  private final Map<String, String> old = new HashMap<>();
  private final Map<String, String> added = new HashMap<>();
  private final Map<TopicPartition, Long> group = new HashMap<>();
  private final Map<TopicPartition, Long> beginning = new HashMap<>();
  private final Map<TopicPartition, Long> end = new HashMap<>();
  private Consents consents = Consents.NONE;

  @BeforeEach
  void oldConnectorHasOneTopic() {
    old.put("name", "old");
    old.put("connector.class", "io.confluent.connect.hdfs.HdfsSinkConnector");
    old.put("hdfs.url", URL);
    old.put("topics", "orders");
    old.put("flush.size", "10");
    inKafka("orders");
  }

  @AfterEach
  void stop() {
    threads.shutdown();
  }

  private void inKafka(String topic) {
    beginning.put(new TopicPartition(topic, 0), 0L);
    end.put(new TopicPartition(topic, 0), 100L);
  }

  private void byField(String fields) {
    old.put("partitioner.class", "io.confluent.connect.storage.partitioner.FieldPartitioner");
    old.put("partition.field.name", fields);
  }

  private void inHive() {
    old.put("hive.integration", "true");
    old.put("hive.metastore.uris", "thrift://metastore:9083");
  }

  private static byte[] avro(String value, int records) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(SCHEMA))) {
      writer.create(SCHEMA, out);
      for (int i = 0; i < records; i++) {
        GenericRecord record = new GenericData.Record(SCHEMA);
        record.put("city", value);
        record.put("countryCode", value);
        record.put("n", i);
        writer.append(record);
      }
    }
    return out.toByteArray();
  }

  private void file(String path, String value) throws IOException {
    storage.put(new StoragePath(path), avro(value, 10));
  }

  private void log(String path, String... targets) {
    LogBytes log = new LogBytes();
    for (String each : targets) {
      log.begin().entry(URL + TEMPORARY, URL + each).end().sync();
    }
    storage.put(new StoragePath(path), log.bytes());
  }

  private Successor successor() throws Exception {
    Map<String, String> given =
        Map.of(
            "kafka.bootstrap.servers", "kafka:9092",
            "schema.registry.url", "http://registry:8081",
            "name", "new",
            "logs.dir", "new-logs");
    Map<String, String> settings =
        new HashMap<>(Migration.of(new OldConfig(false, old), given).settings());
    settings.putAll(given);
    settings.putAll(added);
    settings.put("store.url", "file:///");
    ConnectorServices connector = new ConnectorServices(settings);
    return new Successor(connector, connector, Optional.empty(), ForkJoinPool.commonPool());
  }

  private AdoptionReport examine() throws Exception {
    return new Adoption(
            storage,
            new OldSink(old),
            new KafkaOffsets(group, beginning, end),
            consents,
            Optional.of(threads),
            Optional.of(successor()),
            Adoption.Scope.ALL)
        .examine();
  }

  private void assertRefused(String place, String problem, String cure) throws Exception {
    AdoptionReport report = examine();
    String text = String.join("\n", AdoptionText.lines(report));
    assertThat(report.verdict()).as(text).isEqualTo(Verdict.REFUSED);
    assertThat(text).contains("REFUSED " + place + ": ").contains(problem).contains(cure);
  }

  /** Adopts, and compares the offset at which the new connector continues, and the files. */
  private void assertAdopted(String topic, long next, int files) throws Exception {
    AdoptionReport report = examine();
    String text = String.join("\n", AdoptionText.lines(report));
    assertThat(report.verdict()).as(text).isNotEqualTo(Verdict.REFUSED);
    AdoptionReport.Topic found =
        report.topics().stream()
            .filter(each -> each.topic().equals(topic))
            .findFirst()
            .orElseThrow();
    assertThat(found.partitions().get(0).files()).as(text).isEqualTo(files);
    assertThat(found.partitions().get(0).records()).as(text).isEqualTo(files * 10L);
    new Adopter(
            storage,
            new OldSink(old),
            successor(),
            new FakeTopicIds(),
            Clock.systemUTC(),
            line -> {})
        .adopt(report, consents, false);
    CommitLog log =
        CommitLog.of(storage, new StoragePath("/new-logs"), "new", new TopicPartition(topic, 0));
    assertThat(log.last().orElseThrow().entry().state().next()).isEqualTo(next);
  }

  /** The names of files decide if there are no logs, and lose records after a kill. */
  @ParameterizedTest
  @CsvSource({
    "logs.dir,  logs",
    "hdfs.url,  hdfs://namenode:8020",
    "name,      old",
    "topics,    orders",
    "locale,    en"
  })
  void placeholdersOfTheWorkerAreRefused(String key, String value) throws Exception {
    file(FIRST, "a");
    old.put(key, "${file:/etc/connect/hdfs.properties:value}");
    assertRefused(key, "Workers replace this placeholder", "Write the value into the file.");

    old.put(key, value);
    assertAdopted("orders", 10, 1);
  }

  @ParameterizedTest
  @CsvSource({"directory.delim, _, /", "file.delim, -, +"})
  void otherDelimitersAreRefused(String key, String value, String known) throws Exception {
    file(FIRST, "a");
    old.put(key, value);
    assertRefused(key, "\"" + value + "\" cannot be adopted", "remove the key from the file");

    old.put(key, known);
    assertAdopted("orders", 10, 1);
  }

  @Test
  void connectorWithoutTopicsIsRefused() throws Exception {
    old.remove("topics");
    assertRefused("topics", "the old connector has no topic", "Check topics and topics.regex");

    old.put("topics.regex", "pay.*");
    assertRefused(
        "topics", "Kafka has none that topics.regex matches", "Check topics and topics.regex");

    old.put("topics.regex", "pay(");
    assertRefused(
        "topics.regex", "cannot be adopted", "It is not a regular expression: Unclosed group");
  }

  @Test
  void onlyDirectoriesOfTopicsMatchTheRegex() throws Exception {
    old.remove("topics");
    old.put("topics.regex", ".*");
    file(FIRST, "a");
    storage.put(new StoragePath(TEMPORARY), new byte[0]);
    storage.put(new StoragePath("/topics/_SUCCESS"), new byte[0]);
    assertThat(examine().topics())
        .extracting(AdoptionReport.Topic::topic)
        .containsExactly("orders");
    assertAdopted("orders", 10, 1);
  }

  @Test
  void topicThatWasDeletedInKafkaIsRefused() throws Exception {
    file(FIRST, "a");
    file("/topics/gone/partition=0/gone+0+0000000000+0000000009.avro", "a");
    old.put("topics", "orders,gone");
    assertRefused("gone", "Kafka has no such topic", "remove it from topics");

    old.remove("topics");
    old.put("topics.regex", "orders|gone");
    assertAdopted("orders", 10, 1);
  }

  /** Hive reads no file whose name begins like this, so its rows are in no query. */
  @Test
  void topicThatHiveDoesNotReadIsRefused() throws Exception {
    inKafka("_orders");
    old.put("topics", "_orders");
    file("/topics/_orders/partition=0/_orders+0+0000000000+0000000009.avro", "a");
    assertRefused("_orders", "begin with '_'", "Begin a new table");
  }

  @ParameterizedTest
  @CsvSource({
    "'dt'=YYYY-MM-dd/,          dt=2026-11-30",
    "/'year'=YYYY/'month'=MM/,  year=2026/month=11",
    "'dt='YYYY//'h='HH,         dt=2026/h=07"
  })
  void slashesAroundThePathFormatHaveNoEffect(String format, String directory) throws Exception {
    old.put("partitioner.class", "io.confluent.connect.storage.partitioner.TimeBasedPartitioner");
    old.put("path.format", format);
    old.put("partition.duration.ms", "3600000");
    old.put("timezone", "UTC");
    old.put("locale", "en");
    inHive();
    file("/topics/orders/" + directory + "/orders+0+0000000000+0000000009.avro", "a");
    assertAdopted("orders", 10, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "'',          hdfs://namenode:8020,       /orders",
    "/,           hdfs://namenode:8020/,      /orders",
    "/a//b/,      hdfs://namenode:8020/base/, /base/a/b/orders",
    "x/${topic},  hdfs://namenode:8020/base,  /base/x/orders/orders"
  })
  void topicsDirectoryCanBeAnywhere(String topicsDirectory, String url, String directory)
      throws Exception {
    old.put("topics.dir", topicsDirectory);
    old.put("hdfs.url", url);
    file(directory + "/partition=0/orders+0+000000000000000+000000000000009.avro", "a");
    assertAdopted("orders", 10, 1);
  }

  @Test
  void logsInTheDirectoryOfTheTopicAreNotFilesOfTheTable() throws Exception {
    old.put("logs.dir", "topics");
    file(FIRST, "a");
    log("/topics/orders/0/log", FIRST);
    assertThat(examine().topics().get(0).notes()).isEmpty();
    assertAdopted("orders", 10, 1);
    assertThat(examine().topics().get(0).notes()).isEmpty();
  }

  /**
   * The old sink wrote {@code a/_b} and {@code /.b} as they are: files are in hidden directories.
   */
  @Test
  void filesOfValuesThatLookHiddenAreCounted() throws Exception {
    byField("city");
    file("/topics/orders/city=a/_b/orders+0+0000000000+0000000009.avro", "a/_b");
    file("/topics/orders/city=/.b/orders+0+0000000010+0000000019.avro", "/.b");
    storage.put(
        new StoragePath("/topics/orders/_old/orders+0+0000000000+0000000009.avro"), avro("a", 10));
    assertRefused("orders", "2 files are not in the directories", "--move-to-hive-directories");

    consents = new Consents(false, false, true);
    assertAdopted("orders", 20, 2);
    assertThat(storage.files())
        .containsKeys(
            new StoragePath("/topics/orders/city=a%2F_b/orders+0+0000000000+0000000009.avro"),
            new StoragePath("/topics/orders/city=%2F.b/orders+0+0000000010+0000000019.avro"));
  }

  /** Hive's columns, and so Tidemark's directories, are in lower case. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void filesOfFieldsWithCapitalLettersAreMovedIfTheOperatorAgrees(boolean hive) throws Exception {
    byField("countryCode,city");
    if (hive) {
      inHive();
    }
    file("/topics/orders/countryCode=DE/city=DE/orders+0+0000000000+0000000009.avro", "DE");
    file("/topics/orders/countryCode=x%/city=x%/orders+0+0000000010+0000000019.avro", "x%");
    assertRefused("orders", "a field's name has capital letters", "--move-to-hive-directories");

    consents = new Consents(false, false, true);
    assertAdopted("orders", 20, 2);
    assertThat(storage.files())
        .containsKeys(
            new StoragePath(
                "/topics/orders/countrycode=DE/city=DE/orders+0+0000000000+0000000009.avro"),
            new StoragePath(
                "/topics/orders/countrycode=x%25/city=x%25/orders+0+0000000010+0000000019.avro"));
    consents = Consents.NONE;
    assertAdopted("orders", 20, 2);
  }

  @Test
  void topicsWithOneTableInHiveGetTablesOfTheirOwn() throws Exception {
    inHive();
    inKafka("a.b-c");
    inKafka("a-b.c");
    old.put("topics", "a.b-c,a-b.c");
    file("/topics/a.b-c/partition=0/a.b-c+0+0000000000+0000000009.avro", "a");
    file("/topics/a-b.c/partition=0/a-b.c+0+0000000000+0000000009.avro", "a");
    assertRefused(
        "a.b-c", "have the same table default.a_b_c in Hive", "topic.TOPIC.hive.table.name");

    added.put("topic.a.b-c.hive.table.name", "first");
    added.put("topic.a-b.c.hive.table.name", "second");
    added.put("hive.table.location", "/topics/${topic}");
    assertAdopted("a.b-c", 10, 1);
    assertAdopted("a-b.c", 10, 1);
  }

  @ParameterizedTest
  @CsvSource({".bak", "._COPYING_"})
  void copiesThatHiveReadsAreRefused(String suffix) throws Exception {
    file(FIRST, "a");
    file(FIRST + suffix, "a");
    storage.put(new StoragePath("/topics/orders/partition=0/.x.avro.crc"), new byte[] {1});
    assertRefused(
        "orders", "1 files have the name of a committed file and more", "out of the table");

    storage.remove(new StoragePath(FIRST + suffix));
    assertAdopted("orders", 10, 1);
  }

  @Test
  void logsThatDisagreeAreRefused() throws Exception {
    file(FIRST, "a");
    log(LOG, FIRST);
    log(LOG + ".1", SECOND);
    assertRefused("orders-0", "the logs disagree", "move away the wrong one");

    storage.remove(new StoragePath(LOG + ".1"));
    assertAdopted("orders", 10, 1);
  }

  @Test
  void onlyTheLastOfSeveralBlocksDecides() throws Exception {
    file(FIRST, "a");
    file(SECOND, "a");
    log(LOG, FIRST, SECOND);
    assertAdopted("orders", 20, 2);
  }

  @Test
  void zerosAfterTheLastBlockAreDamageAndNotALease() throws Exception {
    file(FIRST, "a");
    log(LOG, FIRST);
    byte[] whole = storage.content(new StoragePath(LOG));
    storage.put(new StoragePath(LOG), Arrays.copyOf(whole, whole.length + 1_000));
    assertRefused("orders-0", "/logs/orders/0/log is damaged", "Restore it from a snapshot");
    assertThat(String.join("\n", AdoptionText.lines(examine()))).doesNotContain("is open");

    storage.put(new StoragePath(LOG), whole);
    assertAdopted("orders", 10, 1);
  }

  /** The old sink need not run again. */
  @Test
  void unfinishedCommitWithSkippedRecordsIsFinishedByHand() throws Exception {
    file(FIRST, "a");
    log(LOG, FIRST, SECOND);
    storage.put(new StoragePath(TEMPORARY), avro("a", 8));
    assertRefused("orders-0", "have 8 records for the offsets 10 to 19", "hdfs dfs -mv");

    storage.move(new StoragePath(TEMPORARY), new StoragePath(SECOND));
    AdoptionReport report = examine();
    assertThat(report.verdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(report.topics().get(0).partitions().get(0).decision().next()).hasValue(20);
  }

  @Test
  void newConnectorThatRanBeforeIsSeenBeforeAnythingChanges() throws Exception {
    file(FIRST, "a");
    assertAdopted("orders", 10, 1);
    file(SECOND, "a");
    assertRefused("orders", "begins at offset 10, not at offset 20", "remove its log directory");

    storage.deleteTree(new StoragePath("/new-logs"));
    storage.deleteTree(new StoragePath("/topics/orders/.tidemark"));
    assertAdopted("orders", 20, 2);
  }

  @Test
  void emptyDirectoriesOfAnotherStoreAreRefused() throws Exception {
    group.put(new TopicPartition("orders", 0), 50L);
    storage.locate("hdfs://other:8020");
    assertRefused(
        "orders",
        "in hdfs://other:8020, while the old connector wrote to namenode:8020",
        "store.url");

    storage.locate(URL);
    assertThat(examine().verdict()).isEqualTo(Verdict.ACCEPTED);
  }

  @Test
  void offsetsOfTheGroupAloneAreNoted() throws Exception {
    group.put(new TopicPartition("orders", 0), 50L);
    AdoptionReport report = examine();
    assertThat(report.topics().get(0).notes())
        .singleElement()
        .asString()
        .contains("there is neither a committed file nor a log");
    assertThat(report.topics().get(0).partitions().get(0).decision().next()).hasValue(50);
  }
}
