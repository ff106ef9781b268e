package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Hive partitions of an hour each. The only commits are at their ends. */
final class PartitionEndFlushTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);
  private static final long HOUR_MS = 3_600_000;
  private static final long LATENESS_MS = 60_000;
  private static final long NEVER_MS = 1_000_000_000;
  private static final long A_WHILE_MS = 500;
  private static final PartitionEnds HOURS =
      new PartitionEnds(
          time -> OptionalLong.of(Math.floorDiv(time, HOUR_MS) * HOUR_MS + HOUR_MS),
          LATENESS_MS,
          0);

  private final Quotes quotes = new Quotes();
  private volatile Instant now = Instant.parse("2026-11-21T07:59:00Z");

  @Test
  void allThatKafkaHasAfterTheEndOfAHivePartitionIsCommitted() throws Exception {
    quotes.produce(500);
    try (TestTask task = task()) {
      task.open(0);
      assertThat(task.reaches(A_WHILE_MS, () -> task.landed(0))).isFalse();
      now = Instant.parse("2026-11-21T08:01:04.999Z");
      assertThat(task.reaches(A_WHILE_MS, () -> task.landed(0))).isFalse();
      now = Instant.parse("2026-11-21T08:01:05Z");
      task.pollUntilLanded(0);
    }

    assertThat(batches()).hasSize(1);
  }

  @Test
  void flushWaitsForWhatKafkaHadAtTheEnd() throws Exception {
    quotes.produce(5);
    quotes.topic.hold(0);
    quotes.produce(5);
    try (TestTask task = task()) {
      task.open(0);
      now = Instant.parse("2026-11-21T08:02:00Z");
      assertThat(task.reaches(A_WHILE_MS, () -> committed(task) > 0)).isFalse();
      quotes.topic.release(0);
      task.pollUntil(() -> committed(task) >= 10);
    }

    assertThat(batches().get(0).range().next()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void whatIsHereIsCommittedAfterHalfAMinuteAndTheRestWhenItComes() throws Exception {
    quotes.produce(5);
    quotes.topic.hold(0);
    quotes.produce(5);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> task.delivered() == 5);
      now = Instant.parse("2026-11-21T08:02:00Z");
      assertThat(task.reaches(A_WHILE_MS, () -> committed(task) > 0)).isFalse();
      task.wakeAfter(Duration.ofSeconds(30).toMillis());
      task.pollUntil(() -> committed(task) == 5);
      quotes.topic.release(0);
      task.pollUntil(() -> committed(task) >= 10);
    }
  }

  @Test
  void answerAboutTheEndOffsetsIsNoticedSoon() throws Exception {
    quotes.produce(5);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> task.delivered() >= 10); // The records are delivered again.
      task.pollUntil(() -> task.calledWithinMs() == 500);
      quotes.topic.away(true);
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntil(() -> task.calledWithinMs() <= 20);
      assertThat(task.reaches(A_WHILE_MS, () -> task.calledWithinMs() > 20)).isFalse();
      quotes.topic.away(false);
      task.pollUntilLanded(0);
    }
  }

  /** The records of another topic-partition that arrive later do not become a small file. */
  @Test
  void flushThatIsDueForAnotherReasonCountsAsTheFirst() throws Exception {
    quotes.produce(5);
    quotes.topic.hold(0);
    quotes.produce(5);
    try (TestTask task = task(25_000)) {
      task.open(0, 1);
      task.pollUntil(() -> task.delivered() >= 10); // The records are delivered again.
      now = Instant.parse("2026-11-21T08:02:00Z");
      assertThat(task.reaches(A_WHILE_MS, () -> committed(task) > 0)).isFalse();
      task.wakeAfter(Duration.ofSeconds(30).toMillis());
      task.pollUntil(() -> committed(task) == 5);
      byte[] late = Quotes.framed(Quotes.SCHEMA_ID, Quotes.SCHEMA, "late", 1L);
      assertThat(quotes.topic.produce(1, late)).isZero();

      assertThat(task.reaches(A_WHILE_MS, () -> task.landed(1))).isFalse();
    }
  }

  /** A marker after the records of an open batch is passed over in the same batch. */
  @Test
  void markersBeforeTheEndOffsetDelayNoFlush() throws Exception {
    quotes.produce(10);
    quotes.topic.marker(0);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> task.delivered() == 10);
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntilLanded(0);
    }

    assertThat(batches()).hasSize(1);
    assertThat(batches().get(0).notLanded().notDelivered()).hasToString("10");
  }

  @Test
  void recordsThatATransformDropsDelayNoFlush() throws Exception {
    quotes.produce(10);
    try (TestTask task = task().dropping(offset -> offset >= 6)) {
      task.open(0);
      task.pollUntil(() -> task.delivered() == 6);
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntilLanded(0);
    }

    assertThat(batches()).hasSize(1);
    assertThat(batches().get(0).notLanded().notDelivered()).hasToString("6-9");
    assertThat(quotes.topic.checksBelowEnd()).isZero();
  }

  /** The log of an empty topic-partition records its first offset. */
  @Test
  void emptyLogSaysWhereItBegins() throws Exception {
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntil(() -> !batchesOrNone().isEmpty());
    }

    assertThat(batches().get(0).range().size()).isZero();
  }

  @Test
  void everyEndCommits() throws Exception {
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
      for (int hour = 0; hour < 3; hour++) {
        quotes.produce(10);
        now = now.plus(Duration.ofHours(1));
        task.pollUntilLanded(0);
      }
    }

    assertThat(quotes.keys()).hasSize(30);
  }

  @Test
  void clockThatIsSetBackMakesTheEndDueAgain() throws Exception {
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
      now = Instant.parse("2027-11-21T08:02:00Z");
      task.poll();
      now = Instant.parse("2026-11-21T07:59:00Z");
      task.poll();
      quotes.produce(10);
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntilLanded(0);
    }
  }

  /** Records that the task had accepted are read again, and are committed without another end. */
  @Test
  void recordsThatAreReadAgainAfterAnElectionAreCommitted() throws Exception {
    quotes.produce(10);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntil(() -> task.delivered() == 10);
      quotes.topic.elect(0);
      now = Instant.parse("2026-11-21T08:02:00Z");
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  private TestTask task() {
    return task(NEVER_MS);
  }

  private TestTask task(long batchIntervalMs) {
    InstantSource clock = () -> now;
    Clock wall = clock.withZone(ZoneOffset.UTC);
    return quotes.task(
        NEVER_MS,
        new TestTask.Limits(64 << 20, 100, 1_000, batchIntervalMs, Optional.of(HOURS)),
        wall);
  }

  private static long committed(TestTask task) {
    return task.committedOffsets().getOrDefault(QUOTES, -1L);
  }

  private List<CommitEntry.Batch> batches() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG);
  }

  private List<CommitEntry.Batch> batchesOrNone() {
    try {
      return batches();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
