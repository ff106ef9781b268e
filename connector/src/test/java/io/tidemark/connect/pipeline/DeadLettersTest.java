package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

/** The path of records that cannot land, from the topic to the log entry. */
final class DeadLettersTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredString("key").requiredInt("n").endRecord();
  private static final int KNOWN_ID = 1;
  private static final int UNKNOWN_ID = 4711;
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final StoragePath LOG = new StoragePath("/logs/quotes/quotes/0");

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
  private final List<String> good = new ArrayList<>();

  @Test
  void everyKindOfBadRecordGoesThereAndTheOthersLand() throws Exception {
    good(10);
    long malformed = topic.produce(0, framed(KNOWN_ID, (byte) 100));
    good(10);
    long unframed = topic.produce(0, new byte[] {'{', '"', 'a', '"', '}'});
    long unknown = topic.produce(0, framed(UNKNOWN_ID, (byte) 0));
    topic.produce(0, framed(UNKNOWN_ID, (byte) 0));
    good(10);
    long tombstone = topic.tombstone(0);
    good(10);
    try (TestTask task = task(NullValues.DEAD_LETTER, 100)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good);
    assertThat(queue.offsets())
        .containsExactlyInAnyOrder(malformed, unframed, unknown, unknown + 1, tombstone);
    assertThat(queue.taken)
        .allMatch(
            letter ->
                letter
                    .delivered()
                    .equals(new FakeDeadLetterQueue.Delivered(letter.place().toString())));
    assertThat(queue.taken)
        .as("a reason is on the heap until the letter is sent")
        .allMatch(letter -> letter.bufferedBytes() >= letter.reason().length());
    assertThat(reason(malformed)).contains("quotes-0@10: ", "schema id 1", "field \"key\"");
    assertThat(reason(unframed))
        .contains("no schema id at the start", "JSON", "Configure the producer");
    assertThat(reason(unknown)).contains("schema id 4711 is unknown to memory");
    assertThat(reason(tombstone)).contains("has no value", "behavior.on.null.values=ignore");
    assertThat(counts()).isEqualTo(new RecordCounts(40, 5, 0, 0, 0));
  }

  @Test
  void entryListsTheOffsetsOfEachClass() throws Exception {
    good(10);
    topic.produce(0, new byte[0]);
    topic.produce(0, new byte[0]);
    topic.marker(0);
    topic.tombstone(0);
    good(10);
    topic.tombstone(0);
    try (TestTask task = task(NullValues.IGNORE, 100)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    List<CommitEntry.Batch> batches = LandedRows.batches(storage, LOG);
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0).notLanded().deadLettered()).hasToString("10-11");
    assertThat(batches.get(0).notLanded().notDelivered()).hasToString("12");
    assertThat(batches.get(0).notLanded().skipped()).hasToString("13,24");
    assertThat(batches.get(0).notLanded().lost()).isEqualTo(OffsetRanges.NONE);
    assertThat(batches.get(0).counts()).isEqualTo(new RecordCounts(20, 2, 2, 1, 0));
  }

  @Test
  void batchOfNothingButBadRecordsIsCommittedWithoutAFile() throws Exception {
    for (int i = 0; i < 100; i++) {
      topic.produce(0, framed(KNOWN_ID, (byte) 100));
    }
    try (TestTask task = task(NullValues.FAIL, 1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(queue.offsets()).containsExactlyElementsOf(offsets(0, 100));
    assertThat(counts()).isEqualTo(new RecordCounts(0, 100, 0, 0, 0));
    assertThat(LandedRows.keys(storage, ROOT)).isEmpty();
    assertThat(LandedRows.staged(storage, ROOT)).isEmpty();
  }

  @Test
  void entryIsWrittenOnlyWhenKafkaHasTheDeadLetters() throws Exception {
    queue.answering = false;
    good(10);
    topic.produce(0, new byte[0]);
    good(10);
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 1);
      for (int i = 0; i < 300; i++) {
        task.poll();
      }
      assertThat(LandedRows.batches(storage, LOG)).isEmpty();

      queue.unanswered.get(0).complete(null);
      task.pollUntilLanded(0);
    }
    assertThat(counts()).isEqualTo(new RecordCounts(20, 1, 0, 0, 0));
    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good);
  }

  @Test
  void deadLetterThatKafkaRefusesStopsTheTaskBeforeTheCommit() throws Exception {
    queue.answering = false;
    good(10);
    topic.produce(0, new byte[0]);
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 1);
      queue.unanswered.get(0).completeExceptionally(new IllegalStateException("too large."));
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@10: no schema id")
          .hasMessageContaining("The dead letter topic refuses the record as well: ")
          .hasMessageContaining("too large. Its batch is not committed");
    }
    assertThat(LandedRows.batches(storage, LOG)).isEmpty();
    assertThat(LandedRows.keys(storage, ROOT)).isEmpty();
  }

  /** Other records of the task may be accepted, so only the topic of this one waits. */
  @Test
  void deadLetterThatIsTooLargeHoldsItsTopicUntilItFits() throws Exception {
    good(10);
    topic.produce(0, new byte[0]);
    good(10);
    try (TestTask task =
        task(PartitionSpec.NONE, NullValues.FAIL, 100, TestTask.Limits.WIDE.holdingTopics())) {
      for (RuntimeException refusal :
          List.of(
              new RecordTooLargeException("too large."),
              new InvalidTimestampException("out of range."),
              new InvalidRecordException("a compacted topic needs keys."))) {
        queue.refusal = Optional.of(refusal);
        task.open(0);
        task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
        assertThat(task.pipeline.load().pausedBecause())
            .contains(
                "quotes-0@10: no schema id",
                "The dead letter topic refuses the record as well: ",
                "max.message.bytes",
                "message.timestamp",
                "cleanup.policy",
                "alter its offset of quotes-0 to 11 (PATCH /connectors/quotes/offsets)");
        assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good.subList(0, 10));
        task.pipeline.close(List.of(new TopicPartition("quotes", 0)));
      }
      queue.refusal = Optional.empty();
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good);
    assertThat(counts()).isEqualTo(new RecordCounts(20, 1, 0, 0, 0));
  }

  @Test
  void deadLetterThatCannotBeSentStopsTheTaskBeforeTheCommit() throws Exception {
    queue.refusing = true;
    topic.produce(0, framed(KNOWN_ID, (byte) 100));
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("the topic has no room");
    }
    assertThat(LandedRows.batches(storage, LOG)).isEmpty();
  }

  @Test
  void deadLetterThatIsNotAnsweredInTimeStopsTheTaskBeforeTheCommit() throws Exception {
    queue.answering = false;
    topic.produce(0, new byte[0]);
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("Kafka has not answered for 2000 ms")
          .hasMessageContaining("min.insync.replicas");
    }
    assertThat(LandedRows.batches(storage, LOG)).isEmpty();
  }

  /**
   * The answer has arrived, but the producer's thread has not read it when the task's thread
   * checks.
   */
  @Test
  void answerThatCameWhileTheProcessWasSuspendedCounts() throws Exception {
    queue.answering = false;
    topic.produce(0, new byte[0]);
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 1);
      task.wakeAfter(600_000);
      task.poll();
      queue.unanswered.get(0).complete(null);
      task.pollUntilLanded(0);
    }
    assertThat(counts()).isEqualTo(new RecordCounts(0, 1, 0, 0, 0));
  }

  @Test
  void unansweredDeadLetterOfABatchThatWasGivenUpDoesNotHoldTheTask() throws Exception {
    queue.answering = false;
    topic.produce(0, new byte[0]);
    try (TestTask task = task(NullValues.FAIL, 1)) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 1);
      task.pipeline.close(List.of(new TopicPartition("quotes", 0)));
      queue.answering = true;
      task.open(0);
      task.pollUntilLanded(0);
    }
    assertThat(queue.offsets()).containsExactly(0L, 0L);
    assertThat(counts()).isEqualTo(new RecordCounts(0, 1, 0, 0, 0));
  }

  @Test
  void stormPausesTheTaskWhileKafkaIsSlow() throws Exception {
    queue.answering = false;
    for (int i = 0; i < 2_000; i++) {
      topic.produce(0, new byte[0]);
    }
    try (TestTask task = task(NullValues.FAIL, 10)) {
      task.open(0);
      task.pollUntil(() -> queue.unanswered.size() == 10);
      for (int i = 0; i < 200; i++) {
        task.poll();
      }
      assertThat(queue.taken).as("no more than these are in flight").hasSize(10);
      assertThat(task.delivered()).as("what one poll brings").isLessThanOrEqualTo(50);

      queue.answering = true;
      queue.unanswered.forEach(answer -> answer.complete(null));
      task.pollUntilLanded(0);
    }
    assertThat(queue.offsets()).containsExactlyElementsOf(offsets(0, 2_000));
    assertThat(LandedRows.batches(storage, LOG).stream().mapToLong(b -> b.counts().deadLettered()))
        .satisfies(
            counts ->
                assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(2_000));
  }

  @Test
  void deadLettersOfABatchThatWasNotCommittedAreSentAgain() throws Exception {
    queue.answering = false;
    good(10);
    topic.produce(0, new byte[0]);
    TestTask killed = task(NullValues.FAIL, 100);
    killed.open(0);
    killed.pollUntil(() -> queue.unanswered.size() == 1);
    killed.kill();

    queue.answering = true;
    try (TestTask next = task(NullValues.FAIL, 100)) {
      next.open(0);
      next.pollUntilLanded(0);
    }
    assertThat(queue.offsets()).containsExactly(10L, 10L);
    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good);
    assertThat(counts()).isEqualTo(new RecordCounts(10, 1, 0, 0, 0));
  }

  @Test
  void closingTaskSendsWhatItStillHolds() throws Exception {
    TestTask task = task(NullValues.FAIL, 100);
    good(10);
    task.open(0);
    task.pollUntilLanded(0);
    good(10);
    topic.produce(0, framed(KNOWN_ID, (byte) 100));
    task.poll();
    assertThat(queue.taken).isEmpty();
    task.close();

    assertThat(queue.offsets()).containsExactly(20L);
    assertThat(counts()).isEqualTo(new RecordCounts(20, 1, 0, 0, 0));
  }

  @Test
  void tombstoneStopsTheTaskUnlessToldOtherwise() throws Exception {
    good(10);
    topic.tombstone(0);
    try (TestTask task = task(NullValues.FAIL, 100)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@10: the record has no value (a tombstone)")
          .hasMessageContaining("Set behavior.on.null.values=ignore or dead-letter");
    }
    assertThat(queue.taken).isEmpty();
  }

  @Test
  void withoutAQueueUnframedBytesStopTheTaskAndWhatCameBeforeLands() throws Exception {
    good(10);
    topic.produce(0, new byte[0]);
    try (TestTask task =
        new TestTask(
            topic,
            storage,
            new OneSchema(SCHEMA, KNOWN_ID),
            PartitionSpec.NONE,
            Optional.empty(),
            1_000,
            100,
            TestTask.BadRecords.STOP)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@10: no schema id");
    }
    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyElementsOf(good);
    assertThat(counts()).isEqualTo(new RecordCounts(10, 0, 0, 0, 0));
  }

  @Test
  void valueThatCannotNameAHivePartitionIsADeadLetter() throws Exception {
    good(10);
    byte[] datum = new byte[303];
    datum[0] = (byte) 0xd8;
    datum[1] = 4;
    Arrays.fill(datum, 2, 302, (byte) 'x');
    topic.produce(0, framed(KNOWN_ID, datum));
    try (TestTask task = task(byKey(), NullValues.FAIL, 100)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyInAnyOrderElementsOf(good);
    assertThat(storage.list(ROOT)).extracting(file -> file.path().name()).contains("key=k0");
    assertThat(reason(10)).contains("quotes-0@10: key=xxx", "304 bytes, and HDFS allows 255");
    assertThat(counts()).isEqualTo(new RecordCounts(10, 1, 0, 0, 0));
  }

  @Test
  void deadLettersOfABatchOfTooManyHivePartitionsAreCountedOnceInTheBatchesThatItBecomes()
      throws Exception {
    good(TestTask.MOST_HIVE_PARTITIONS - 5);
    topic.produce(0, new byte[0]);
    good(10);
    topic.produce(0, new byte[0]);
    good(10);
    try (TestTask task = task(byKey(), NullValues.FAIL, 100)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(storage, ROOT)).containsExactlyInAnyOrderElementsOf(good);
    assertThat(counts()).isEqualTo(new RecordCounts(good.size(), 2, 0, 0, 0));
    // A batch that is read again sends its dead letters again. Their offsets identify the copies.
    assertThat(queue.offsets()).contains(15L, 26L);
  }

  private static PartitionSpec byKey() {
    return new FieldPartitioned(List.of("key"));
  }

  private TestTask task(NullValues nullValues, int inFlight) {
    return task(PartitionSpec.NONE, nullValues, inFlight);
  }

  private TestTask task(PartitionSpec partitioning, NullValues nullValues, int inFlight) {
    return task(partitioning, nullValues, inFlight, TestTask.Limits.WIDE);
  }

  private TestTask task(
      PartitionSpec partitioning, NullValues nullValues, int inFlight, TestTask.Limits limits) {
    return new TestTask(
        topic,
        storage,
        new OneSchema(SCHEMA, KNOWN_ID),
        FramingReader::new,
        partitioning,
        Optional.empty(),
        1_000,
        100,
        new TestTask.BadRecords(Optional.of(queue), nullValues, inFlight),
        limits);
  }

  private void good(int count) {
    for (int i = 0; i < count; i++) {
      String key = "k" + good.size();
      good.add(key);
      byte[] datum = new byte[key.length() + 2];
      datum[0] = (byte) (key.length() << 1);
      for (int c = 0; c < key.length(); c++) {
        datum[c + 1] = (byte) key.charAt(c);
      }
      topic.produce(0, framed(KNOWN_ID, datum));
    }
  }

  private String reason(long offset) {
    return queue.taken.stream()
        .filter(letter -> letter.place().offset() == offset)
        .findFirst()
        .orElseThrow()
        .toString();
  }

  private RecordCounts counts() throws Exception {
    return LandedRows.batches(storage, LOG).stream()
        .map(CommitEntry.Batch::counts)
        .reduce(RecordCounts.NONE, RecordCounts::plus);
  }

  private static List<Long> offsets(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static byte[] framed(int schemaId, byte... datum) {
    return ByteBuffer.allocate(5 + datum.length).put((byte) 0).putInt(schemaId).put(datum).array();
  }
}
