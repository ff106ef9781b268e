package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.store.commit.CommitEntry;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** {@code file.min.bytes} and {@code file.max.delay.ms}; a record counts about 75 bytes here. */
final class SmallFilesTest {
  private static final long INTERVAL_MS = 10_000;
  private static final long DELAY_MS = 50_000;
  private static final long A_WHILE_MS = 300;
  private static final long LARGE = 1 << 20;
  private static final PartitionEnds HOURS =
      new PartitionEnds(
          time -> OptionalLong.of(Math.floorDiv(time, 3_600_000) * 3_600_000 + 3_600_000), 0, 0);

  private final Quotes quotes = new Quotes();
  private volatile Instant now = Instant.parse("2026-11-21T07:59:00Z");

  @Test
  void recordsOfASmallFileWaitUntilTheLongestDelayIsOver() throws Exception {
    try (TestTask task = task(1_000, LARGE)) {
      landFirst(task);
      produce(task, 10);
      assertWaits(INTERVAL_MS, task);
      produce(task, 10);
      assertWaits(INTERVAL_MS, task);

      assertLands(DELAY_MS - 3 * INTERVAL_MS, task);
    }
    assertThat(batches()).extracting(batch -> batch.range().size()).containsExactly(10L, 20L);
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  @Test
  void fileOfTheLeastSizeIsCommittedAtTheInterval() throws Exception {
    try (TestTask task = task(1_000, 1_000)) {
      landFirst(task);
      produce(task, 5);
      assertWaits(INTERVAL_MS, task);
      produce(task, 20);

      assertLands(INTERVAL_MS, task);
    }
    assertThat(batches()).extracting(batch -> batch.range().size()).containsExactly(10L, 25L);
  }

  @Test
  void topicPartitionWithALargeFileDoesNotWaitForOneWithASmallFile() throws Exception {
    try (TestTask task = task(1_000, 1_000)) {
      task.open(1);
      landFirst(task); // The log of the other topic-partition begins, too, without a record.
      task.pollUntilLanded(1);
      quotes.topic.produce(1, Quotes.framed(Quotes.SCHEMA_ID, Quotes.SCHEMA, "small", 1L));
      produce(task, 25);

      assertLands(INTERVAL_MS, task);
      assertThat(task.landed(1)).isFalse();
    }
  }

  @Test
  void flushOfAFullTaskLeavesNothing() throws Exception {
    try (TestTask task = task(30, LARGE)) {
      landFirst(task);
      produce(task, 30);

      assertLands(0, task);
    }
  }

  @Test
  void endOfAHivePartitionLeavesNothing() throws Exception {
    try (TestTask task = task(1_000, LARGE)) {
      landFirst(task);
      produce(task, 10);
      assertWaits(INTERVAL_MS, task);
      now = Instant.parse("2026-11-21T08:00:06Z");

      task.pollUntilLanded(0);
    }
  }

  @Test
  void stoppedTaskLeavesNothing() throws Exception {
    try (TestTask task = task(1_000, LARGE)) {
      landFirst(task);
      produce(task, 10);
    }
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  /** The first batch of a log records where the log begins: it does not wait. */
  private void landFirst(TestTask task) throws Exception {
    quotes.produce(10);
    task.open(0);
    // The records are delivered again once their schema is known.
    task.pollUntil(() -> task.delivered() >= 20);
    assertLands(INTERVAL_MS, task);
  }

  private void produce(TestTask task, int count) throws Exception {
    long delivered = task.delivered() + count;
    quotes.produce(count);
    task.pollUntil(() -> task.delivered() >= delivered);
  }

  private static void assertLands(long afterMs, TestTask task) {
    task.wakeAfter(afterMs);
    task.pollUntilLanded(0);
  }

  private static void assertWaits(long ms, TestTask task) {
    task.wakeAfter(ms);
    assertThat(task.reaches(A_WHILE_MS, () -> task.landed(0))).isFalse();
  }

  private TestTask task(long batchRecords, long minBytes) {
    InstantSource source = () -> now;
    Clock wall = source.withZone(ZoneOffset.UTC);
    return quotes.task(
        batchRecords,
        new TestTask.Limits(64 << 20, 100, 1_000, INTERVAL_MS, Optional.of(HOURS))
            .pace(new TestTask.Pace(Optional.empty(), 0, minBytes, DELAY_MS)),
        wall);
  }

  private List<CommitEntry.Batch> batches() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG);
  }
}
