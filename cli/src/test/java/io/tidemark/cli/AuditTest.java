package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.partition.HivePartition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
class AuditTest {
  private final Instant seven =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(5));
  private final Instant eight = seven.plus(Duration.ofHours(1));

  @TempDir private Path directory;
  private DeployedConnector connector;
  private LandedOrders orders;

  @BeforeEach
  void deploy() throws Exception {
    connector = new DeployedConnector(directory);
    orders = new LandedOrders(directory, connector);
  }

  @AfterEach
  void stop() {
    connector.close();
  }

  private void assertDiffers(String kind, String... parts) {
    Ended ended = orders.audit();
    assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
    assertThat(ended.out())
        .contains(kind + " default.orders")
        .contains(parts)
        .contains("what to do: ");
    assertThat(ended.out()).as("nothing else").contains("\n1 differences.");
  }

  private void assertAgrees(String... options) {
    Ended ended = orders.audit(options);
    assertThat(ended.code()).as(ended.toString()).isZero();
    assertThat(ended.out()).contains("Everything agrees.");
  }

  @Test
  void whatTheLedgerSaysIsThere() throws Exception {
    orders.land(seven);
    orders.land(seven);
    orders.land(eight);
    orders.complete(orders.total(seven, 2));
    orders.reckon(orders.total(eight, 1));

    assertAgrees();
    assertAgrees("--deep");
    assertAgrees("--table", "default.orders", "--hive-partition", path(seven));
  }

  private static String path(Instant hour) {
    return LandedOrders.hivePartition(hour).path();
  }

  @Test
  void filesThatTheLedgerHasNotTakenYetAreNoDifference() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.land(seven);
    orders.land(eight);
    assertAgrees();
  }

  @Test
  void committedFileThatWaitsInStagingIsCountedAndNoDifference() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.land(seven, false);

    assertThat(orders.audit().out()).contains("1 files are committed and not published yet");
    assertAgrees();
  }

  @Test
  void removedFileIsMissing() throws Exception {
    Path file = orders.land(seven);
    orders.land(seven);
    orders.reckon(orders.total(seven, 2));
    Files.delete(file);

    assertDiffers("MISSING", path(seven), file.getFileName().toString(), "entry 2 of orders-0");
  }

  /** docs/OPERATIONS.md has this cure. Ledger and logs name the former directory for ever. */
  @Test
  void filesMovedToTheHivePartitionThatHiveEquatesAgreeWithIt() throws Exception {
    HivePartition one = LandedOrders.hivePartition(seven);
    HivePartition other = HivePartition.parse(one.path() + " ");
    withHive();
    orders.equated.put(other, one);
    orders.land(seven);
    Path file = orders.land(seven, true, other);
    orders.reckon(orders.total(seven, 1), orders.total(seven, 1, other));
    assertThat(orders.audit().out()).contains("CATALOG default.orders", "\n1 differences.");

    Files.move(file, orders.local(seven).resolve(file.getFileName()));
    assertAgrees();
    assertAgrees("--deep");
    Files.delete(file.getParent());
    assertAgrees();
    fold(3);
    assertAgrees();

    Files.delete(orders.local(seven).resolve(file.getFileName()));
    assertThat(orders.audit().out()).contains("GONE default.orders");
  }

  private void withHive() {
    connector.config.put("hive.integration", "true");
    connector.config.put("hive.metastore.uris", "thrift://metastore:9083");
  }

  @Test
  void filesMovedToAnotherHivePartitionDiffer() throws Exception {
    withHive();
    HivePartition other = HivePartition.parse(path(seven) + " ");
    orders.land(seven);
    Path file = orders.land(seven, true, other);
    orders.reckon(orders.total(seven, 1), orders.total(seven, 1, other));
    Files.move(file, orders.local(seven).resolve(file.getFileName()));

    assertThat(orders.audit().out()).contains("STRANGER default.orders", "GONE default.orders");
  }

  @Test
  void removedFileOfAFoldedEntryIsSeenByTheCount() throws Exception {
    Path file = orders.land(seven);
    orders.land(seven);
    orders.reckon(orders.total(seven, 2));
    Files.delete(file);
    fold(2);

    assertDiffers("COUNT", path(seven), "the ledger has 2000 records", "there are 1000");
  }

  /** Replaces the entries up to a number by a checkpoint. */
  private void fold(long through) throws Exception {
    CommitLog log =
        CommitLog.of(
            new LocalStorage(directory),
            new StoragePath("/logs"),
            "sales",
            new TopicPartition("orders", 0));
    CommitEntry last = log.read(through).entry();
    log.fold(
        through,
        new CommitEntry.Checkpoint(
            UUID.randomUUID(), last.identity(), last.state(), Instant.now()));
  }

  @Test
  void foldedEntriesAgreeByTheirCount() throws Exception {
    orders.land(seven);
    orders.land(seven);
    orders.reckon(orders.total(seven, 2));
    fold(2);
    assertAgrees();
  }

  @Test
  void cutFileIsOfAnotherLength() throws Exception {
    Path file = orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.truncate(Files.size(file) - 5);
    }
    Ended ended = orders.audit();
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out())
        .contains("LENGTH default.orders", "DAMAGED default.orders", "it ends within its header");
  }

  @Test
  void rottenBlockIsSeenWhenItIsDecoded() throws Exception {
    Path file = orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    // The length of a text, in the middle of a block.
    bytes[text.indexOf("order 500") - 1] = (byte) 0xff;
    Files.write(file, bytes);
    assertAgrees();

    Ended ended = orders.audit("--deep");
    assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
    assertThat(ended.out()).contains("DAMAGED default.orders");
  }

  @Test
  void recordsOfAnotherHourAreSeenWhenTheyAreDecoded() throws Exception {
    Path file = orders.land(seven);
    long length = Files.size(file);
    UUID entry = entryOf(file);
    LandedOrders.write(file, Optional.of(entry), eight, LandedOrders.RECORDS);
    assertThat(Files.size(file)).isEqualTo(length);
    orders.reckon(orders.total(seven, 1));

    assertAgrees();
    Ended ended = orders.audit("--deep");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out())
        .contains("PLACE default.orders " + path(seven), "1000 of its 1000", path(eight));
  }

  private static UUID entryOf(Path file) throws Exception {
    try (var in = Files.newInputStream(file)) {
      return AvroFormat.entryOf(in, "the file").orElseThrow();
    }
  }

  @Test
  void filesThatNoEntryNamesAreStrangers() throws Exception {
    Path file = orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    Path foreign = file.resolveSibling("part-00000.avro");
    LandedOrders.write(foreign, Optional.empty(), seven, 10);
    assertDiffers("STRANGER", "part-00000.avro: it is not of this connector");

    Files.delete(foreign);
    Path copy = Files.copy(file, file.resolveSibling("copy.avro"));
    assertDiffers("STRANGER", "copy.avro: its header names the log entry");

    Files.delete(copy);
    Files.createDirectories(directory.resolve("topics/orders/other"));
    assertDiffers("STRANGER", "other: it is not a Hive partition of this table");
  }

  @Test
  void hiddenFilesAreNotLookedAt() throws Exception {
    Path file = orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    Files.writeString(file.resolveSibling(".x.tmp"), "x");
    Files.writeString(file.resolveSibling("_x"), "x");
    assertAgrees();
  }

  @Test
  void removedHivePartitionIsGone() throws Exception {
    Path file = orders.land(seven);
    orders.land(eight);
    orders.reckon(orders.total(seven, 1), orders.total(eight, 1));
    Files.delete(file);
    Files.delete(file.getParent());
    assertDiffers("GONE", path(seven), "the ledger has 1000 records in 1 files");
  }

  @Test
  void manifestMustBeTheLedgers() throws Exception {
    orders.land(seven);
    orders.complete(orders.total(seven, 1));
    assertAgrees();
    Path manifest = orders.local(seven).resolve("_SUCCESS");
    String text = Files.readString(manifest);

    Files.writeString(manifest, text.replaceFirst("\"records\"\\s*:\\s*1000", "\"records\":999"));
    assertDiffers("MANIFEST", "_SUCCESS has 999 records");

    Files.writeString(manifest, text.replaceFirst("\"revision\"\\s*:\\s*\\d+", "\"revision\":77"));
    assertDiffers("MANIFEST", "entry 77 of the ledger completed it");

    Files.writeString(manifest, "");
    assertDiffers("MANIFEST", "_SUCCESS");
  }

  /** The table has no manifests, although other tables have some. */
  @Test
  void tableWithoutManifestsLacksNone() throws Exception {
    connector.config.put("completeness.success.file", "true");
    orders.land(seven);
    orders.complete(orders.total(seven, 1));
    connector.shownThrough = connector.log.read().number();
    orders.reckon(orders.total(seven, 1));
    Files.delete(orders.local(seven).resolve("_SUCCESS"));
    assertDiffers("MANIFEST", "_SUCCESS");

    connector.config.put("table.default.orders.completeness.success.file", "false");
    assertAgrees();
  }

  @Test
  void hivePartitionThatQueriesDoNotSeeIsNamed() throws Exception {
    withHive();
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    assertAgrees();
    orders.unseen.add(LandedOrders.hivePartition(seven));
    assertDiffers("CATALOG", path(seven), "Hive does not see the files in");
  }

  /** Its table is created in Hive with its first file. */
  @Test
  void tableOfATopicWhoseFirstRecordIsRefusedIsNotMissedInHive() throws Exception {
    withHive();
    connector.config.put("partitioner.class", "Unpartitioned");
    List.of("path.format", "partition.duration.ms", "locale", "timezone", "timestamp.extractor")
        .forEach(connector.config::remove);
    connector.config.remove("timestamp.field");
    orders.inHive = false;
    connector.reckon(
        Optional.of(new HeldBecause("BEHIND", "orders-0 waits")), List.of(), List.of());

    assertAgrees();
  }

  @Test
  void logBehindRetentionOrAboveKafkasEndNeedsAnOperator() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.earliest = 1_500;
    Ended behind = orders.audit();
    assertThat(behind.code()).isEqualTo(3);
    assertThat(behind.out()).contains("RETENTION orders-0", "500 offsets are lost");

    orders.earliest = 0;
    orders.end = 999;
    Ended above = orders.audit();
    assertThat(above.code()).isEqualTo(3);
    assertThat(above.out()).contains("TRUNCATED orders-0", "Kafka's end offset is 999");

    orders.topicId = "another";
    Ended other = orders.audit();
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.out()).contains("TOPIC orders-0");
  }

  /** Another connector lands its further records. */
  @Test
  void retentionOfATopicThatIsNoLongerConfiguredIsNoDifference() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.earliest = 1_500;
    connector.config.put("topics", "payments");

    assertAgrees();
  }

  @Test
  void deletedTopicIsADifferenceOnlyWhileTheConfigurationNamesIt() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.deleted = true;
    Ended named = orders.audit();
    assertThat(named.code()).isEqualTo(1);
    assertThat(named.out())
        .contains("TOPIC orders: Kafka has no topic of this name", "remove it from topics");

    connector.config.remove("topics");
    connector.config.put("topics.regex", "ord.*");
    assertAgrees();
    connector.config.put("topics.regex", "pay.*");
    assertAgrees();
  }

  @Test
  void whatCannotBeComparedIsSaid() throws Exception {
    orders.land(seven);
    orders.reckon(orders.total(seven, 1));
    orders.kafkaAway = true;
    Ended ended = orders.audit();
    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.out())
        .contains(
            "NOT COMPARED Kafka does not answer for orders",
            "Everything that was compared agrees.");
  }

  @Test
  void jsonHasWhatTheTextHas() throws Exception {
    Path file = orders.land(seven);
    orders.land(seven);
    orders.reckon(orders.total(seven, 2));
    Files.delete(file);

    JsonNode json = new ObjectMapper().readTree(orders.audit("--json").out());
    assertThat(json.at("/agrees").asBoolean()).isFalse();
    assertThat(json.at("/tables/0/records").asLong()).isEqualTo(1_000);
    assertThat(json.at("/findings/0/kind").asText()).isEqualTo("missing");
  }

  @Test
  void mistakesOfUsageSayWhatToWrite() throws Exception {
    orders.land(seven);
    Ended table = orders.audit("--table", "default.order");
    assertThat(table.code()).isEqualTo(2);
    assertThat(table.err()).contains("it has default.orders");
    Ended path = orders.audit("--hive-partition", "2026-11-21");
    assertThat(path.code()).isEqualTo(2);
    assertThat(path.err()).contains("dt=2026-11-21/hour=07").doesNotContain("\tat ");
  }
}
