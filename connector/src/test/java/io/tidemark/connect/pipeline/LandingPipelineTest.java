package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.WireFormat;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LandingPipelineTest {
  private static final Schema V1 =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .endRecord();
  private static final Schema V2 =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .optionalString("venue")
          .endRecord();
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final StoragePath LOG = new StoragePath("/logs/quotes/quotes");

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final FakeRegistry registry = new FakeRegistry();
  private final List<String> produced = new ArrayList<>();

  LandingPipelineTest() {
    registry.schemas.put(1, V1);
    registry.schemas.put(2, V2);
  }

  @Test
  void recordsOfAllTopicPartitionsLandOnceInOffsetOrder() throws Exception {
    produce(0, 1, 500);
    produce(1, 1, 300);
    try (TestTask task = task(storage)) {
      task.open(0, 1);
      task.pollUntilLanded(0, 1);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
    assertEveryOffsetIsAccountedFor(0);
    assertEveryOffsetIsAccountedFor(1);
  }

  @Test
  void secondSchemaLandsInTheSameTableAndFilesGoOn() throws Exception {
    produce(0, 1, 100);
    produce(0, 2, 100);
    for (int i = 0; i < 50; i++) {
      produce(0, 1, 1);
      produce(0, 2, 1);
    }
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
  }

  /** HDFS's client may create the file at a name node whose answer it never gets. */
  @Test
  void fileOfACreateThatFailedIsRemoved() throws Exception {
    produce(0, 1, 100);
    AtomicInteger created = new AtomicInteger();
    List<String> deleted = new CopyOnWriteArrayList<>();
    storage.failAfter(
        call -> {
          if (call.startsWith("delete ")) {
            deleted.add(call.substring("delete ".length()));
          }
          return call.startsWith("create /topics/quotes/.staging/")
              && call.endsWith(".avro")
              && created.incrementAndGet() == 1;
        });
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(deleted).anyMatch(file -> file.endsWith("-0.avro") || file.endsWith("-1.avro"));
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void nextTaskTakesOverWhereTheLogStandsAndClearsUp() throws Exception {
    produce(0, 1, 1_000);
    TestTask killed = task(storage);
    killed.open(0);
    killed.pollUntil(() -> committed(killed, 0) > 0);
    killed.poll();
    killed.kill();
    produce(0, 1, 200);

    try (TestTask next = task(storage)) {
      next.open(0);
      next.pollUntilLanded(0);
    }
    // The task is closed. Its last commit is published, too.
    assertThat(LandedRows.staged(memory, ROOT)).isEmpty();
    assertThat(keys()).containsExactlyElementsOf(produced);
    assertEveryOffsetIsAccountedFor(0);
  }

  @Test
  void committedButUnpublishedBatchIsPublishedByTheNextTask() throws Exception {
    produce(0, 1, 100);
    TestTask stuck = task(storage);
    // Schemas below the table's root are also renamed. These renames may pass.
    storage.failBefore(call -> call.startsWith("rename /topics/quotes/quotes+"));
    stuck.open(0);
    stuck.pollUntil(() -> committed(stuck, 0) == 100);
    assertThat(keys()).isEmpty();
    stuck.kill();
    storage.heal();

    try (TestTask next = task(storage)) {
      next.open(0);
      next.pollUntil(() -> committed(next, 0) == 100);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void publishedFilesThatWereRemovedFromTheTableStopNoLaterTask() throws Exception {
    produce(0, 1, 50);
    openAndLand();
    removePublished();
    openAndLand();

    produced.clear();
    produce(0, 1, 30);
    openAndLand();
    openAndLand();
    removePublished();
    openAndLand();

    produced.clear();
    produce(0, 1, 20);
    openAndLand();
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  private void openAndLand() {
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private void removePublished() throws IOException {
    for (StoredFile file : memory.list(ROOT)) {
      if (!file.directory()) {
        assertThat(memory.delete(file.path())).isTrue();
      }
    }
  }

  @Test
  void fencedTaskLandsNothingMoreUntilItClaimsAgain() throws Exception {
    produce(0, 1, 400);
    try (TestTask zombie = task(storage);
        TestTask owner = task(storage)) {
      zombie.open(0);
      zombie.pollUntil(() -> committed(zombie, 0) > 0);
      owner.open(0);
      owner.pollUntilLanded(0);
      produce(0, 1, 100);
      for (int i = 0; i < 20; i++) {
        zombie.poll();
      }
      owner.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
    assertEveryOffsetIsAccountedFor(0);
  }

  @Test
  void offsetsThatTheNextOwnerHasLandedFenceATaskAndDoNotStopIt() throws Exception {
    produce(0, 1, 100);
    AtomicInteger tries = new AtomicInteger();
    FaultyStorage blocked = new FaultyStorage(memory);
    blocked.failBefore(
        call -> call.equals("makeDirectories " + ROOT) && tries.incrementAndGet() > 0);
    try (TestTask zombie = task(blocked)) {
      zombie.open(0);
      zombie.pollUntil(() -> tries.get() > 0);
      try (TestTask owner = task(memory)) {
        owner.open(0);
        owner.pollUntilLanded(0);
      }
      blocked.heal();
      zombie.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  private static long checkpoint(CommitLog log) {
    try {
      return log.checkpoint();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void entryThatComesLateBehindACheckpointDoesNotCount() throws Exception {
    produce(0, 1, 50);
    List<String> first = List.copyOf(produced);
    FakeTopic beginning = new FakeTopic("quotes");
    for (String key : first) {
      beginning.produce(0, framed(1, key));
    }
    produce(0, 1, 50);

    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    FaultyStorage blocked = new FaultyStorage(memory);
    blocked.failBefore(
        call ->
            call.startsWith("create " + LOG + "/0/.00000000000000000002") && sleep(reached, woken));
    CommitLog log = new CommitLog(memory, LOG.child("0"));
    try (TestTask zombie = task(blocked)) {
      zombie.open(0);
      zombie.pollUntil(() -> reached.getCount() == 0);
      try (TestTask owner =
          new TestTask(beginning, memory, registry, PartitionSpec.NONE, Optional.empty(), 10, 1)) {
        owner.open(0);
        owner.pollUntilLanded(0);
        owner.pollUntil(() -> checkpoint(log) >= 2);
      }
      assertThat(keys()).containsExactlyElementsOf(first);

      woken.countDown();
      zombie.pollUntil(
          () -> {
            long told = committed(zombie, 0);
            assertThat(told).isLessThanOrEqualTo(next(log));
            return told == produced.size();
          });
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void topicPartitionThatIsTakenAwayAndGivenBackIsNotClaimedByItsFormerSession() throws Exception {
    produce(0, 1, 50);
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    storage.failBefore(
        call ->
            call.startsWith("create " + LOG + "/0/.00000000000000000001")
                && first.getAndSet(false)
                && sleep(reached, woken));
    TopicPartition quotes = new TopicPartition("quotes", 0);
    try (TestTask task = task(storage)) {
      task.open(0);
      assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
      task.pipeline.close(List.of(quotes));
      task.pipeline.open(List.of(quotes));
      task.pollUntilLanded(0);
      woken.countDown();
      for (int batch = 0; batch < 3; batch++) {
        produce(0, 1, 50);
        task.pollUntilLanded(0);
      }
    }
    assertThat(new CommitLog(memory, LOG.child("0")).after(0))
        .extracting(entry -> entry.entry().getClass().getSimpleName())
        .containsExactly("Claim", "Batch", "Batch", "Batch", "Batch");
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  private static boolean sleep(CountDownLatch asleep, CountDownLatch woken) {
    asleep.countDown();
    try {
      woken.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private static long next(CommitLog log) {
    try {
      return log.last().orElseThrow().entry().state().next();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyStorageCallMayFailOnceBeforeOrAfterItsEffect() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    storage.failBefore(call -> calls.getAndIncrement() < 0);
    landBatches(storage, memory, 10_000);
    assertThat(calls).hasValueGreaterThan(60);

    List<Callable<Void>> runs = new ArrayList<>();
    for (int n = 0; n < calls.get(); n++) {
      int faulty = n;
      for (boolean effective : new boolean[] {false, true}) {
        runs.add(() -> landWithFault(faulty, effective));
      }
    }
    // A run mostly waits for its pauses, so many runs proceed at a time.
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (Future<Void> run : threads.invokeAll(runs)) {
        run.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void outageAfterAClaimLeavesNoRowOfClaims() throws Exception {
    produce(0, 1, 50);
    AtomicInteger tries = new AtomicInteger();
    storage.failBefore(
        call -> call.equals("list " + ROOT + "/.staging") && tries.incrementAndGet() <= 20);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(tries).hasValueGreaterThan(20);
    assertThat(new CommitLog(memory, LOG.child("0")).after(0))
        .extracting(entry -> entry.entry().getClass().getSimpleName())
        .containsExactly("Claim", "Batch");
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void topicMadeAgainWhileItIsOpenedIsReadFromItsBeginning() throws Exception {
    produce(0, 1, 50);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    AtomicInteger tries = new AtomicInteger();
    storage.failBefore(
        call -> call.equals("list " + ROOT + "/.staging") && tries.incrementAndGet() > 0);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntil(() -> tries.get() > 2);
      topic.makeAgain("topic-id-2");
      produce(0, 1, 30);
      storage.heal();
      task.pollUntil(() -> committed(task, 0) == 30);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create /logs/quotes/quotes/0/.00000000000000000001",
        "list /topics/quotes/.staging",
        "create /topics/quotes/.staging/",
        "create /logs/quotes/quotes/0/.00000000000000000002",
        "rename /topics/quotes/quotes+"
      })
  void errorBehindTheTaskStopsItAndIsNamed(String faulty) throws Exception {
    produce(0, 1, 50);
    storage.failBefore(
        call -> {
          if (call.startsWith(faulty)) {
            throw new NoClassDefFoundError("org/example/Missing");
          }
          return false;
        });
    try (TestTask task = task(storage)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessage("quotes-0: java.lang.NoClassDefFoundError: org/example/Missing")
          .hasCauseInstanceOf(NoClassDefFoundError.class);
    }
  }

  @Test
  void registryAwayPausesAndGoesOn() throws Exception {
    registry.away = true;
    produce(0, 1, 50);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntil(() -> registry.asked.get() > 3);
      registry.away = false;
      task.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void recordsWithGuidsAndWithNumbersLandTogether() throws Exception {
    for (int i = 0; i < 40; i++) {
      byte[] numbered = framed(1, "k" + i);
      topic.produce(0, i % 2 == 0 ? numbered : withGuid(numbered));
      produced.add("k" + i);
    }
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void groupIsNotMovedPastRecordsThatAnEmptyLogDoesNotHave() throws Exception {
    produce(0, 1, 100);
    produce(1, 1, 20);
    produce(1, 2, 20);
    TestTask killed = task(storage);
    storage.failBefore(call -> call.startsWith("create " + LOG + "/1/.00000000000000000002"));
    killed.open(0, 1);
    killed.pollUntil(() -> committed(killed, 0) == 100);
    killed.poll();
    killed.kill();
    storage.heal();

    try (TestTask next = task(storage)) {
      next.open(0, 1);
      next.pollUntilLanded(0, 1);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
    assertEveryOffsetIsAccountedFor(1);
  }

  @Test
  void unknownSchemaIdStopsTheTaskAndWhatCameBeforeLands() throws Exception {
    produce(0, 1, 20);
    topic.produce(0, ByteBuffer.allocate(6).put((byte) 0).putInt(4711).array());
    TestTask task = task(storage);
    task.open(0);
    assertThatThrownBy(() -> task.pollUntilLanded(0))
        .isInstanceOf(LandingException.class)
        .hasMessageContaining("quotes-0@20")
        .hasMessageContaining("4711");
    task.close();
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void malformedDatumStopsTheTaskAndWhatCameBeforeLands() throws Exception {
    produce(0, 1, 20);
    List<String> before = List.copyOf(produced);
    topic.produce(0, ByteBuffer.allocate(8).put((byte) 0).putInt(1).put((byte) 100).array());
    produce(0, 1, 20);
    TestTask task = task(storage);
    task.open(0);
    assertThatThrownBy(() -> task.pollUntilLanded(0))
        .isInstanceOf(LandingException.class)
        .hasMessageContaining("quotes-0@20")
        .hasMessageContaining("schema id 1");
    task.close();
    assertThat(keys()).containsExactlyElementsOf(before);
    assertThat(LandedRows.staged(memory, ROOT)).isEmpty();
  }

  @Test
  void gapsAreNotDeliveredAndWhatRetentionTookIsLost() throws Exception {
    produce(0, 1, 10);
    topic.marker(0);
    produce(0, 1, 10);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(counts(0)).containsExactly(new RecordCounts(20, 0, 0, 1, 0));

    for (int i = 0; i < 30; i++) {
      topic.produce(0, framed(1, "expired-" + i));
    }
    topic.deleteBefore(0, 51);
    produce(0, 1, 5);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(counts(0).get(1)).isEqualTo(new RecordCounts(5, 0, 0, 0, 30));
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void topicMadeAgainIsReadFromItsBeginning() throws Exception {
    produce(0, 1, 50);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    topic.makeAgain("topic-id-2");
    produce(0, 1, 80);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  @Test
  void topicMadeAgainUnderARunningTaskIsReadFromItsBeginning() throws Exception {
    produce(0, 1, 50);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
      topic.makeAgain("topic-id-2");
      produce(0, 1, 80);
      task.pollUntil(() -> landedAnew() == 80);
    }
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  /** The number of records of the recreated topic that have landed. */
  private long landedAnew() {
    try {
      return new CommitLog(memory, LOG.child("0"))
          .last()
          .map(last -> last.entry().state())
          .filter(state -> state.generation().number() == 2)
          .map(state -> state.counts().landed())
          .orElse(0L);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void endOffsetBelowTheLogStopsTheTask() throws Exception {
    produce(0, 1, 50);
    try (TestTask task = task(storage)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    topic.truncate(0, 30);
    try (TestTask task = task(storage)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("landed offsets up to 50")
          .hasMessageContaining("end offset 30");
    }
  }

  @Test
  void fileInTheWayStopsTheTaskBeforeTheCommit() throws Exception {
    produce(0, 1, 10);
    new LayoutFile(memory, new TableLayout(ROOT)).put(RecordedLayout.of(PartitionSpec.NONE));
    memory.create(ROOT.child("quotes+0+g1+0000000000+0000000009.avro")).close();
    TestTask task = task(storage);
    task.open(0);
    assertThatThrownBy(() -> task.pollUntilLanded(0))
        .isInstanceOf(LandingException.class)
        .hasMessageContaining("quotes+0+g1+0000000000+0000000009.avro exists");
    task.close();
    // On a slow machine an entry without offsets may come first, to record where the log begins.
    assertThat(LandedRows.batches(memory, LOG.child("0")))
        .allMatch(batch -> batch.range().size() == 0);
  }

  private @Nullable Void landWithFault(int faulty, boolean effective) throws Exception {
    MemoryStorage store = new MemoryStorage();
    FaultyStorage failing = new FaultyStorage(store);
    AtomicInteger count = new AtomicInteger();
    if (effective) {
      failing.failAfter(call -> count.getAndIncrement() == faulty);
    } else {
      failing.failBefore(call -> count.getAndIncrement() == faulty);
    }
    List<String> expected = landBatches(failing, store, 100);
    assertThat(LandedRows.keys(store, ROOT))
        .as("call %d failed %s its effect", faulty, effective ? "after" : "before")
        .containsExactlyElementsOf(expected);
    return null;
  }

  /**
   * Lands three batches. Each one waits until the previous one is published and its log is folded.
   * Each batch is full, so none waits for its interval.
   *
   * @param memory the store behind {@code store}, for checks without faults
   * @param foldMs the longest wait for a fold; a failed fold is repeated after the next batch
   * @return the keys that were produced
   */
  private List<String> landBatches(Storage store, Storage memory, long foldMs) throws IOException {
    FakeTopic source = new FakeTopic("quotes");
    List<String> keys = new ArrayList<>();
    try (TestTask task =
        new TestTask(source, store, registry, PartitionSpec.NONE, Optional.empty(), 50, 1)) {
      task.open(0);
      for (int batch = 1; batch <= 3; batch++) {
        while (keys.size() < 50 * batch) {
          String key = "k" + keys.size();
          source.produce(0, framed(1, key));
          keys.add(key);
        }
        task.pollUntilLanded(0);
        task.pollUntil(() -> published(memory) == keys.size());
        task.reaches(foldMs, () -> folded(memory));
      }
    }
    return keys;
  }

  /** All entries of the log except the last one are in a checkpoint. */
  private static boolean folded(Storage store) {
    try {
      List<StoredFile> files = store.list(LOG.child("0"));
      return files.size() == 2 && files.get(0).path().name().endsWith(".checkpoint.json");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int published(Storage store) {
    try {
      return LandedRows.keys(store, ROOT).size();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private TestTask task(Storage store) {
    return new TestTask(topic, store, registry, PartitionSpec.NONE, Optional.empty(), 250, 100);
  }

  private static long committed(TestTask task, int partition) {
    return task.committedOffsets().getOrDefault(new TopicPartition("quotes", partition), -1L);
  }

  private List<String> keys() throws IOException {
    return LandedRows.keys(memory, ROOT);
  }

  private List<RecordCounts> counts(int partition) throws Exception {
    return LandedRows.batches(memory, LOG.child(Integer.toString(partition))).stream()
        .map(CommitEntry.Batch::counts)
        .toList();
  }

  @Test
  void batchEndsBeforeItsEntryListsRangesWithoutLimit() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      produce(0, 1, 1);
      topic.marker(0);
    }
    try (TestTask task =
        new TestTask(
            topic, storage, registry, PartitionSpec.NONE, Optional.empty(), 100_000, 100)) {
      task.open(0);
      task.pollUntil(() -> committed(task, 0) >= topic.end(0) - 1);
    }
    assertThat(LandedRows.batches(memory, LOG.child("0")))
        .allSatisfy(
            batch ->
                assertThat(batch.notLanded().notDelivered().ranges().size())
                    .isLessThanOrEqualTo(TestTask.OFFSET_RANGES + TestTask.POLL_RECORDS));
    assertThat(keys()).containsExactlyElementsOf(produced);
  }

  private void assertEveryOffsetIsAccountedFor(int partition) throws Exception {
    long next = 0;
    for (CommitEntry.Batch batch :
        LandedRows.batches(memory, LOG.child(Integer.toString(partition)))) {
      assertThat(batch.range().first()).isEqualTo(next);
      next = batch.range().next();
    }
    assertThat(next).isEqualTo(topic.end(partition));
  }

  private void produce(int partition, int schemaId, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = partition + "/" + produced.size();
      topic.produce(partition, framed(schemaId, key));
      produced.add(key);
    }
  }

  private byte[] framed(int schemaId, String key) throws IOException {
    Schema schema = registry.schemas.get(schemaId);
    GenericData.Record row = new GenericData.Record(schema);
    row.put("key", key);
    row.put("price", (long) key.hashCode());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(row, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The same datum with a GUID that ends with the number. */
  private static byte[] withGuid(byte[] numbered) {
    int id = ByteBuffer.wrap(numbered, 1, 4).getInt();
    return ByteBuffer.allocate(
            numbered.length - WireFormat.DATUM_OFFSET + WireFormat.GUID_DATUM_OFFSET)
        .put(WireFormat.bytesOf(new SchemaId.Guid(new UUID(0, id))))
        .put(numbered, WireFormat.DATUM_OFFSET, numbered.length - WireFormat.DATUM_OFFSET)
        .array();
  }

  /** A registry in memory that can be unavailable. */
  private static final class FakeRegistry implements SchemaRegistry {
    final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
    final AtomicInteger asked = new AtomicInteger();
    volatile boolean away;

    @Override
    public RegisteredSchema schema(SchemaId id)
        throws SchemaNotFoundException, RegistryUnavailableException {
      asked.incrementAndGet();
      if (away) {
        throw new RegistryUnavailableException("the registry is away", null);
      }
      Schema schema =
          schemas.get(
              id instanceof SchemaId.Guid guid
                  ? (int) guid.value().getLeastSignificantBits()
                  : ((SchemaId.Int32) id).value());
      if (schema == null) {
        throw SchemaNotFoundException.unknown(id, 40403, location());
      }
      return new RegisteredSchema(id, schema);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
