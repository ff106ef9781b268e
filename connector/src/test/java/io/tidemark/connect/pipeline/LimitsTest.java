package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.SlowStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** The limits of a task. At each limit the task waits and reports the reason. */
final class LimitsTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredString("key").requiredInt("n").endRecord();
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final int IDS = 7;
  private static final int RETAINED = 3;
  private static final long MILLI = 1_000_000;
  private static final long HOUR_MS = 3_600_000;

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage memory = new MemoryStorage();
  private final List<String> produced = new ArrayList<>();

  @Test
  void noMoreFilesAreOpenThanWritersWork() throws Exception {
    for (int i = 0; i < 10 * TestTask.MOST_HIVE_PARTITIONS; i++) {
      produce(i % 3, "k" + i % TestTask.MOST_HIVE_PARTITIONS);
    }
    var slow = new SlowStorage(memory, MILLI);
    try (TestTask task =
        task(slow, new FieldPartitioned(List.of("key")), Optional.empty(), TestTask.Limits.WIDE)) {
      task.open(0, 1, 2);
      task.pollUntilLanded(0, 1, 2);
    }
    assertThat(slow.mostOpen())
        .as("three topic-partitions of twenty files each")
        .isLessThanOrEqualTo(TestTask.WRITERS);
    assertThat(slow.open()).isZero();
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void slowStoreSlowsTheLandingAndMemoryStaysBounded() throws Exception {
    long limit = 64 << 10;
    String large = "x".repeat(2_000);
    for (int i = 0; i < 100; i++) {
      produce(0, i + large);
    }
    var slow = new SlowStorage(memory, 2 * MILLI);
    List<PipelineLoad> loads = new ArrayList<>();
    try (TestTask task =
        task(slow, PartitionSpec.NONE, Optional.empty(), new TestTask.Limits(limit, 100, 10))) {
      task.open(0);
      task.pollUntil(
          () -> {
            loads.add(task.pipeline.load());
            return task.committedOffsets().containsValue(100L);
          });
    }
    long onePoll = 50L * 2_200;
    long oneChunk = 16L * 2_200; // It counts twice while it is appended to its file.
    assertThat(loads).allMatch(load -> load.memoryBytes() <= limit + onePoll + oneChunk);
    assertThat(loads)
        .anyMatch(
            load ->
                load.pausedBecause().contains("memory.bytes=" + limit)
                    && load.pausedTopicPartitions() == 1);
    assertThat(loads.get(loads.size() - 1).heldMs()).isPositive();
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  @Test
  void recordsOfAFileThatCannotBeWrittenAreReadAgainBeforeTheirFlush() throws Exception {
    String large = "x".repeat(10_000);
    for (int i = 0; i < 250; i++) {
      produce(0, i + large);
    }
    var store = new FaultyStorage(memory);
    var failures = new AtomicInteger();
    store.failBefore(
        call ->
            call.startsWith("create " + ROOT + "/.staging/") && failures.incrementAndGet() == 1);
    var limits = new TestTask.Limits(4 << 20, 100, 10, HOUR_MS);
    try (TestTask task = task(store, PartitionSpec.NONE, Optional.empty(), limits)) {
      task.open(0);
      // The first poll's records are delivered again once their schema is known.
      task.pollUntil(() -> task.delivered() >= TestTask.POLL_RECORDS + 2 * 250);
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  @Test
  void catalogThatHangsHoldsUpNoCommit() throws Exception {
    int topicPartitions = 8;
    for (int i = 0; i < 80; i++) {
      produce(i % topicPartitions, "k" + i);
    }
    int[] all = IntStream.range(0, topicPartitions).toArray();
    var hanging = new HangingCatalog();
    try (TestTask task =
        task(memory, PartitionSpec.NONE, registrar(hanging), TestTask.Limits.WIDE)) {
      task.open(all);
      task.pollUntilLanded(all);
      task.pollUntil(() -> hanging.asked.get() > 0);
      hanging.answers.countDown();
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 0);
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void catalogAwayHoldsTheTaskAtItsBacklogUntilItIsBack() throws Exception {
    var catalog = new AwayCatalog();
    try (TestTask task =
        task(
            memory, PartitionSpec.NONE, registrar(catalog), new TestTask.Limits(64 << 20, 3, 10))) {
      task.open(0);
      for (int i = 0; i < 3; i++) {
        produce(0, "k" + i);
        task.pollUntilLanded(0);
      }
      task.pollUntil(() -> task.isPaused(0));
      assertThat(task.pipeline.load().pausedBecause())
          .startsWith(
              "3 files wait for the Metastore, with hive.registration.backlog=3; the Hive Metastore")
          .contains(
              " since ", "Check that the service runs and that hive.metastore.uris is correct");
      produce(0, "k3");
      catalog.away = false;
      task.pollUntilLanded(0);
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 0);
      task.pollUntil(() -> task.pipeline.load().pausedBecause().isEmpty());
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  @Test
  void openingALogAgainDoesNotCountItsBacklogTwice() throws Exception {
    var catalog = new AwayCatalog();
    var store = new FaultyStorage(memory);
    try (TestTask task =
        task(store, PartitionSpec.NONE, registrar(catalog), TestTask.Limits.WIDE)) {
      task.open(0);
      for (int i = 0; i < 2; i++) {
        produce(0, "k" + i);
        task.pollUntilLanded(0);
      }
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 2);
      var failures = new AtomicInteger();
      store.failBefore(
          call ->
              call.startsWith("create " + ROOT + "/.staging/") && failures.incrementAndGet() <= 5);
      produce(0, "k2");
      task.pollUntilLanded(0);
      assertThat(failures).hasValueGreaterThan(5);
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 3);
      assertThat(task.reaches(200, () -> task.pipeline.load().filesToRegister() > 3)).isFalse();

      catalog.away = false;
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 0);
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  @Test
  void moreSchemasThanAreKeptAreBoundAgainAndNothingIsLost() throws Exception {
    for (int i = 0; i < 60; i++) {
      produce(i % 2, "k" + i, 1 + i % IDS);
    }
    try (TestTask task =
        task(memory, PartitionSpec.NONE, Optional.empty(), new TestTask.Limits(64 << 20, 100, 3))) {
      task.open(0, 1);
      task.pollUntilLanded(0, 1);
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void topicPartitionsThatWaitForTheStoreAreCountedAsPaused() throws Exception {
    produce(0, "k0");
    var store = new FaultyStorage(memory);
    store.failBefore(call -> true);
    try (TestTask task = task(store, PartitionSpec.NONE, Optional.empty(), TestTask.Limits.WIDE)) {
      task.open(0);
      task.poll();
      assertThat(task.pipeline.load().pausedTopicPartitions()).isEqualTo(1);
      store.heal();
      task.pollUntilLanded(0);
      assertThat(task.pipeline.load().pausedTopicPartitions()).isZero();
      assertThat(task.pipeline.load().topicPartitions()).isEqualTo(1);
    }
  }

  @Test
  void logStaysShortHoweverOftenItIsClaimedWhileNothingLands() throws Exception {
    produce(0, "k0");
    for (int i = 0; i < 4 * RETAINED; i++) {
      try (TestTask task =
          task(memory, PartitionSpec.NONE, Optional.empty(), TestTask.Limits.WIDE)) {
        task.open(0);
        task.pollUntilLanded(0);
        task.pollUntil(() -> entries().size() < 2 * RETAINED);
      }
    }
    assertThat(entries().get(entries().size() - 1).state().counts().landed()).isEqualTo(1);
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  @Test
  void entriesStayInTheLogUntilTheyAreRegistered() throws Exception {
    var catalog = new AwayCatalog();
    try (TestTask task =
        task(memory, PartitionSpec.NONE, registrar(catalog), TestTask.Limits.WIDE)) {
      task.open(0);
      for (int i = 0; i < 4 * RETAINED; i++) {
        produce(0, "k" + i);
        task.pollUntilLanded(0);
      }
      assertThat(entries()).hasSize(1 + 4 * RETAINED);

      catalog.away = false;
      task.pollUntil(() -> entries().size() < 2 * RETAINED);
    }
    assertThat(LandedRows.keys(memory, ROOT)).containsExactlyElementsOf(produced);
  }

  /** The entries of the log that are not folded. */
  private List<CommitEntry> entries() {
    try {
      return new CommitLog(memory, TestTask.LOGS.child("quotes").child("quotes").child("0"))
          .after(0).stream().map(NumberedEntry::entry).toList();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private Optional<Registrar> registrar(TableCatalog catalog) {
    return Optional.of(new Registrar(memory, catalog, table -> Map.of(), MonotonicClock.system()));
  }

  private TestTask task(
      Storage storage,
      PartitionSpec partitioning,
      Optional<Registrar> registrar,
      TestTask.Limits limits) {
    return new TestTask(
        topic,
        storage,
        new OneSchema(SCHEMA, IDS),
        FramingReader::new,
        partitioning,
        registrar,
        1_000,
        RETAINED,
        TestTask.BadRecords.STOP,
        limits);
  }

  private void produce(int partition, String key) throws IOException {
    produce(partition, key, 1);
  }

  private void produce(int partition, String key, int schemaId) throws IOException {
    var framed = new ByteArrayOutputStream();
    framed.writeBytes(new byte[] {0, 0, 0, 0, (byte) schemaId});
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(framed, null);
    encoder.writeString(key);
    encoder.writeInt(0);
    encoder.flush();
    topic.produce(partition, framed.toByteArray());
    produced.add(key);
  }

  /** A catalog that answers only when the test allows it. */
  private static final class HangingCatalog extends EmptyCatalog {
    final CountDownLatch answers = new CountDownLatch(1);
    final AtomicInteger asked = new AtomicInteger();

    @Override
    public void registerTable(TableDefinition definition) throws CatalogUnavailableException {
      asked.incrementAndGet();
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new CatalogUnavailableException("broken off", e);
      }
    }
  }
}
