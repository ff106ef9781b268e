package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A topic is deleted or recreated while a batch has 30 of its records: no task can read them again,
 * so each of them lands or counts as lost.
 */
final class RecreatedTopicTest {
  private static final TopicPartition FIRST = new TopicPartition("quotes", 0);
  private static final long LANDED = 50;
  private static final long OPEN = 30;
  private static final int SLOW_ID = 2;
  private static final long INTERVAL_MS = 600_000;
  private static final TestTask.Limits INTERVAL =
      new TestTask.Limits(64 << 20, 100, 1_000, INTERVAL_MS);

  private final Quotes quotes = new Quotes();

  /** Answers on which brokers agree are reused for some seconds, so they may be outdated. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deliveredRecordsOfARecreatedTopicLand(boolean outdated) throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("recreated");
      if (outdated) {
        quotes.topic.agreeOnce("topic-id-1");
      }
      task.wakeAfter(INTERVAL_MS);
      task.pollUntil(() -> generation() == 2);
      quotes.produce(5);
      landAnew(task, 5);
    }
    requireAllLanded();
  }

  @Test
  void deliveredRecordsLandWhenTheConsumerIsTheFirstToSeeTheNewTopic() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      landAnew(task, 5);
    }
    requireAllLanded();
  }

  @Test
  void recordsThatAreDeliveredDuringTheCommitOfTheFormerOnesLand() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    FaultyStorage storage = new FaultyStorage(quotes.storage);
    storage.failBefore(call -> away.get() && call.startsWith("find") && call.endsWith(".avro"));
    quotes.produce(10);
    try (TestTask task = over(storage, TestTask.Limits.WIDE)) {
      task.open(0);
      task.pollUntilLanded(0);
      away.set(true);
      quotes.produce(10);
      task.pollUntil(() -> task.delivered() >= 20);
      quotes.produce(7);
      task.pollUntil(() -> task.delivered() >= 27);
      quotes.topic.makeAgain("recreated");
      away.set(false);
      task.pollUntil(() -> generation() == 2);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** The offsets of the former and of the new topic overlap, so nobody knows whose they are. */
  @Test
  void deliveredRecordsThatMayBeOfTheNewTopicCountAsLost() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("recreated");
      quotes.produce(60);
      landAnew(task, 60);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
    }
    assertThat(quotes.keys())
        .containsExactlyInAnyOrderElementsOf(
            without(quotes.produced, (int) LANDED, (int) (LANDED + OPEN)));
  }

  /** Its answer would show that they cannot be of the new topic: they would land twice. */
  @Test
  void recordsOfTheNewTopicLandOnceWhenADeposedLeaderAnswersAnEarlierEnd() throws Exception {
    try (TestTask task = task()) {
      quotes.produce((int) LANDED);
      task.open(0);
      landAtOnce(task, 0, LANDED);
      quotes.topic.makeAgain("recreated");
      quotes.topic.depose(0, 3);
      long before = task.delivered();
      quotes.produce((int) (LANDED + OPEN));
      task.pollUntil(() -> task.delivered() >= before + OPEN);
      task.wakeAfter(INTERVAL_MS);
      task.pollUntil(() -> generation() == 2);
      quotes.produce(5);
      landAnew(task, LANDED + OPEN + 5);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** A tombstone of the new topic does not show that the former one had none but tombstones. */
  @Test
  void skippedRecordsThatMayBeOfTheNewTopicCountAsLostInTheFormerOne() throws Exception {
    try (TestTask task = quotes.taskThatIgnoresTombstones(INTERVAL)) {
      quotes.produce((int) LANDED);
      task.open(0);
      landAtOnce(task, 0, LANDED);
      long before = task.delivered();
      for (int each = 0; each < OPEN; each++) {
        quotes.topic.tombstone(0);
      }
      task.pollUntil(() -> task.delivered() >= before + OPEN);
      quotes.topic.makeAgain("recreated");
      quotes.produce(60);
      landAnew(task, 60);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
    }
  }

  @Test
  void lostRecordsOfARecreatedTopicAreInTheMetrics() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("recreated");
      quotes.produce(60);
      task.pollUntil(() -> generation() == 2);
      assertThat(task.pipeline.progress(FIRST).orElseThrow().counts().lost()).isEqualTo(OPEN);
    }
  }

  @Test
  void deliveredRecordsOfADeletedTopicLand() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("deleted", 0);
      task.wakeAfter(INTERVAL_MS);
      task.pollUntil(() -> next() == LANDED + OPEN);
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void deliveredRecordsLandWhenTheTopicIsDeletedAndItsTopicPartitionRevoked() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("deleted", 0);
      task.pipeline.close(List.of(FIRST));
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void deliveredRecordsLandWhenTheTopicIsRecreatedAndItsTopicPartitionRevoked() throws Exception {
    try (TestTask task = withOpenBatch()) {
      quotes.topic.makeAgain("recreated");
      task.pipeline.close(List.of(FIRST));
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void deliveredRecordsLandWhenTheNewTopicHasFewerTopicPartitions() throws Exception {
    List<String> produced = new ArrayList<>();
    try (TestTask task = task()) {
      task.open(1);
      produceToSecond(produced, 5);
      landAtOnce(task, 1, 5);
      long before = task.delivered();
      produceToSecond(produced, (int) OPEN);
      task.pollUntil(() -> task.delivered() >= before + OPEN);
      quotes.topic.makeAgain("recreated", 1);
      task.wakeAfter(INTERVAL_MS);
      task.pollUntil(() -> quotesAre(produced));
    }
  }

  @Test
  void recordsThatAreDiscardedBeforeTheirTopicIsRecreatedCountAsLost() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    try (TestTask task = withDiscardedBatch(away)) {
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      away.set(false);
      landAnew(task, 5);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
      assertThat(task.pipeline.progress(FIRST).orElseThrow().counts().lost()).isEqualTo(OPEN);
    }
    assertThat(quotes.keys())
        .containsExactlyInAnyOrderElementsOf(
            without(quotes.produced, (int) LANDED, (int) (LANDED + OPEN)));
  }

  /** No entry can count them: the other task's claim has begun the next generation. */
  @Test
  void discardedRecordsAreReportedIfAnotherTaskBeginsTheNextGeneration() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    try (TestTask task = withDiscardedBatch(away)) {
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      try (TestTask other = task()) {
        other.open(0);
        landAnew(other, 5);
      }
      away.set(false);
      TopicPartitionProgress progress = task.pipeline.progress(FIRST).orElseThrow();
      task.pollUntil(() -> progress.counts().lost() > 0 && claims() == 3);
      assertThat(progress.counts().lost()).isEqualTo(OPEN);
    }
  }

  @Test
  void discardedRecordsThatAnotherTaskHasLandedAreNotReported() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    try (TestTask task = withDiscardedBatch(away)) {
      try (TestTask other = task()) {
        other.open(0);
        landAtOnce(other, 0, LANDED + OPEN);
        quotes.topic.makeAgain("recreated");
        quotes.produce(5);
        landAnew(other, 5);
      }
      away.set(false);
      task.pollUntil(() -> claims() == 4);
      assertThat(task.pipeline.progress(FIRST).orElseThrow().counts().lost()).isZero();
    }
    requireAllLanded();
  }

  @Test
  void recordsThatAreDiscardedBeforeTheirTopicIsDeletedCountAsLost() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    try (TestTask task = withDiscardedBatch(away)) {
      quotes.topic.makeAgain("deleted", 0);
      away.set(false);
      task.pollUntil(() -> next() == LANDED + OPEN);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
      assertThat(task.pipeline.progress(FIRST).orElseThrow().counts().lost()).isEqualTo(OPEN);
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      landAnew(task, 5);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
      assertThat(claims()).isEqualTo(3);
    }
  }

  /** Offsets without a record are before them, so the session asks for Kafka's first offset. */
  @Test
  void recordsThatAreBufferedWhileTheirTopicIsRecreatedCountAsLost() throws Exception {
    quotes.topic.elect(0);
    try (TestTask task = task()) {
      quotes.produce((int) LANDED);
      task.open(0);
      landAtOnce(task, 0, LANDED);
      quotes.topic.away(true);
      quotes.topic.marker(0);
      quotes.topic.marker(0);
      quotes.produce((int) OPEN);
      long before = task.delivered();
      task.pollUntil(() -> task.delivered() >= before + OPEN);
      quotes.topic.makeAgain("recreated");
      quotes.topic.away(false);
      quotes.produce(5);
      landAnew(task, 5);
      assertThat(lostOfGeneration(1)).isEqualTo(2 + OPEN);
    }
  }

  /** The new topic has no record at these offsets, and is deleted before they are committed. */
  @Test
  void offsetsThatAreEmptyInTheNewTopicCountAsLostInTheFormerOne() throws Exception {
    try (TestTask task = task()) {
      quotes.produce((int) LANDED);
      task.open(0);
      landAtOnce(task, 0, LANDED);
      quotes.topic.makeAgain("recreated");
      for (int each = 0; each < LANDED + OPEN; each++) {
        quotes.topic.marker(0);
      }
      task.pollUntil(() -> quotes.topic.checksBelowEnd() > 0);
      task.reaches(200, () -> false);
      quotes.topic.makeAgain("deleted", 0);
      task.wakeAfter(INTERVAL_MS);
      task.pollUntil(() -> next() == LANDED + OPEN);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
    }
  }

  /** The registry has not answered yet. */
  @Test
  void recordsOfAnUnresolvedSchemaCountAsLostWhenTheirTopicIsRecreated() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    try (TestTask task = over(quotes.storage, new SlowRegistry(answers), INTERVAL)) {
      quotes.produce((int) LANDED);
      task.open(0);
      landAtOnce(task, 0, LANDED);
      long before = task.delivered();
      for (int each = 0; each < OPEN; each++) {
        quotes.produce(SLOW_ID, Quotes.SCHEMA, "s" + each, 1L);
      }
      task.pollUntil(() -> task.delivered() >= before + OPEN);
      quotes.topic.makeAgain("recreated");
      answers.countDown();
      quotes.produce(5);
      landAnew(task, 5);
      assertThat(lostOfGeneration(1)).isEqualTo(OPEN);
    }
  }

  /** Answers for one id late. */
  private record SlowRegistry(CountDownLatch answers) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws InterruptedException {
      if (id.equals(new SchemaId.Int32(SLOW_ID))) {
        answers.await();
      }
      return new RegisteredSchema(id, Quotes.SCHEMA);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }

  /** Nothing of the new topic has landed, so its log has no next offset. */
  @Test
  void recordsOfTheNewTopicThatAreDeletedBeforeTheyAreReadAgainCountAsLost() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    quotes.produce((int) LANDED);
    try (TestTask task = over(away, INTERVAL)) {
      task.open(0);
      landAtOnce(task, 0, LANDED);
      quotes.topic.makeAgain("recreated");
      task.pollUntil(
          () -> generation() == 2 && task.committedOffsets().getOrDefault(FIRST, -1L) == 0);
      away.set(true);
      discard(task);
      quotes.topic.deleteBefore(0, OPEN - 10);
      away.set(false);
      landAtOnce(task, 0, OPEN);
      assertThat(lostOfGeneration(2)).isEqualTo(OPEN - 10);
    }
  }

  /** Connect commits no offset of a deleted topic, so nothing proves that there is one cluster. */
  @Test
  void topicThatIsDeletedRightAfterItsClaimDoesNotStopTheTask() throws Exception {
    quotes.produce(20);
    try (TestTask task = quotes.task(10)) {
      task.holdOffsetsBack(true);
      task.open(0);
      task.pollUntil(() -> task.delivered() >= 20);
      quotes.topic.makeAgain("deleted", 0);
      task.reaches(2 * TestTask.CLUSTER_CHECK_MS, () -> false);
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      task.holdOffsetsBack(false);
      landAnew(task, 5);
    }
  }

  /** The topic that exists at the end of the time limit is not the one of the claim. */
  @Test
  void topicThatIsRecreatedRightAfterItsClaimDoesNotStopTheTask() throws Exception {
    quotes.produce(20);
    try (TestTask task = quotes.task(10)) {
      task.holdOffsetsBack(true);
      task.open(0);
      task.pollUntil(() -> task.delivered() >= 20);
      quotes.topic.makeAgain("recreated");
      quotes.produce(5);
      task.reaches(2 * TestTask.CLUSTER_CHECK_MS, () -> false);
      task.holdOffsetsBack(false);
      landAnew(task, 5);
    }
  }

  /** Connect has committed the offset of the former topic, and commits none that is the same. */
  @Test
  void recreatedTopicLandsThoughTheClaimOfTheFormerOneIsNeverProved() throws Exception {
    quotes.produce(20);
    try (TestTask task = quotes.task(10)) {
      task.holdOffsetsBack(true);
      task.open(0);
      task.pollUntil(() -> task.delivered() >= 20);
      quotes.topic.makeAgain("recreated");
      quotes.topic.elect(0);
      for (int offset = 0; offset < 22; offset++) {
        quotes.topic.marker(0);
      }
      quotes.produce(5);
      task.pollUntil(() -> generation() == 2);
      task.holdOffsetsBack(false);
      landAtOnce(task, 0, 22 + 5);
    }
  }

  /** A task whose clusters are proven to be the same, with 50 landed and 30 delivered records. */
  private TestTask withOpenBatch() throws Exception {
    TestTask task = task();
    quotes.produce((int) LANDED);
    task.open(0);
    landAtOnce(task, 0, LANDED);
    long before = task.delivered();
    quotes.produce((int) OPEN);
    task.pollUntil(() -> task.delivered() >= before + OPEN);
    return task;
  }

  /** A task with 50 landed records, which has discarded 30: the store is unavailable. */
  private TestTask withDiscardedBatch(AtomicBoolean away) throws Exception {
    TestTask task = over(away, TestTask.Limits.WIDE);
    quotes.produce((int) LANDED);
    task.open(0);
    // The entry is appended before its files are published, and a flush waits for both.
    task.pollUntil(() -> quotesAre(quotes.produced));
    away.set(true);
    discard(task);
    return task;
  }

  private void discard(TestTask task) throws IOException {
    TopicPartitionProgress progress = task.pipeline.progress(FIRST).orElseThrow();
    long before = progress.discardedOffsets();
    quotes.produce((int) OPEN);
    task.pollUntil(
        () -> {
          task.wakeAfter(INTERVAL_MS);
          return progress.discardedOffsets() >= before + OPEN;
        });
  }

  /** Lands the records of the new topic. */
  private void landAnew(TestTask task, long records) {
    task.pollUntil(() -> generation() == 2);
    landAtOnce(task, 0, records);
  }

  private static void landAtOnce(TestTask task, int partition, long next) {
    TopicPartition of = new TopicPartition("quotes", partition);
    task.pollUntil(
        () -> {
          task.wakeAfter(INTERVAL_MS);
          return task.committedOffsets().getOrDefault(of, -1L) == next;
        });
  }

  /** A task that commits after an interval only. */
  private TestTask task() {
    return quotes.task(1_000, INTERVAL, Clock.systemUTC());
  }

  private TestTask over(AtomicBoolean away, TestTask.Limits limits) {
    FaultyStorage storage = new FaultyStorage(quotes.storage);
    storage.failBefore(call -> away.get());
    return over(storage, limits);
  }

  private TestTask over(Storage storage, TestTask.Limits limits) {
    return over(storage, new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID), limits);
  }

  private TestTask over(Storage storage, SchemaRegistry registry, TestTask.Limits limits) {
    return new TestTask(
        quotes.topic,
        storage,
        registry,
        FramingReader::new,
        PartitionSpec.NONE,
        Optional.empty(),
        10,
        100,
        TestTask.BadRecords.STOP,
        limits);
  }

  private void requireAllLanded() throws Exception {
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(LandedRows.batches(quotes.storage, Quotes.LOG))
        .extracting(CommitEntry.Batch::counts)
        .extracting(RecordCounts::lost)
        .allMatch(lost -> lost == 0);
  }

  private long lostOfGeneration(int number) throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .filter(batch -> batch.state().generation().number() == number)
        .mapToLong(batch -> batch.counts().lost())
        .sum();
  }

  private long claims() {
    try {
      return quotes.log().after(0).stream().filter(each -> each.entry().isClaim()).count();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private int generation() {
    return state().generation().number();
  }

  private long next() {
    return state().next();
  }

  private LogState state() {
    try {
      return quotes.log().last().orElseThrow().entry().state();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private void produceToSecond(List<String> produced, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "p" + produced.size();
      produced.add(key);
      quotes.topic.produce(1, Quotes.framed(Quotes.SCHEMA_ID, Quotes.SCHEMA, key, 1L));
    }
  }

  private boolean quotesAre(List<String> keys) {
    try {
      return quotes.keys().equals(keys);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> without(List<String> keys, int from, int to) {
    List<String> rest = new ArrayList<>(keys);
    rest.subList(from, to).clear();
    return rest;
  }
}
