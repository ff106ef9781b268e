package io.tidemark.connect.health;

import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.time.MonotonicClock;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far a topic-partition is, since the task took it, and what it waits for. Told of by the
 * task's thread and by those that commit, once a batch or less often; safe for use by many threads.
 */
public final class TopicPartitionProgress {
  /** An offset that is not known yet. */
  public static final long UNKNOWN = -1;

  private final MonotonicClock clock;
  private final Lag lag = new Lag();
  private volatile RecordCounts counts = RecordCounts.NONE;
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder discardedBatches = new LongAdder();
  private final LongAdder discardedOffsets = new LongAdder();
  private volatile long committedOffset = UNKNOWN;
  private volatile long lastCommitMs;
  private volatile List<Wait> waits = List.of();

  /** The task has just taken it. */
  public TopicPartitionProgress(MonotonicClock clock) {
    this.clock = clock;
    this.lastCommitMs = clock.millis();
  }

  /** Its log is claimed, and covers all offsets before one. */
  public void claimed(long next) {
    committedThrough(next);
  }

  /**
   * A batch is in its log.
   *
   * @param next the first offset behind it
   * @param ofBatch its offsets by their classes
   * @param filesOfBatch how many files it has
   * @param bytesOfBatch how large they are
   */
  public synchronized void committed(
      long next, RecordCounts ofBatch, int filesOfBatch, long bytesOfBatch) {
    counts = counts.plus(ofBatch);
    files.add(filesOfBatch);
    bytes.add(bytesOfBatch);
    batches.increment();
    lastCommitMs = clock.millis();
    committedThrough(next);
  }

  private void committedThrough(long next) {
    committedOffset = next;
    lag.committed(next);
  }

  /** A batch of so many offsets was discarded: they are read again. */
  public void discarded(long offsets) {
    if (offsets > 0) {
      discardedBatches.increment();
      discardedOffsets.add(offsets);
    }
  }

  /** Kafka was seen to end at an offset. */
  public void end(long offset) {
    lag.end(offset, clock.millis());
  }

  /** What it waits for now, the most important first. */
  public void waits(List<Wait> now) {
    waits = now;
  }

  /** The offsets that were committed, by their classes. */
  public RecordCounts counts() {
    return counts;
  }

  /** The files of the batches that were committed. */
  public long files() {
    return files.sum();
  }

  /** The bytes of those files. */
  public long bytes() {
    return bytes.sum();
  }

  /** The batches that were committed. */
  public long batches() {
    return batches.sum();
  }

  /** The batches that were discarded. */
  public long discardedBatches() {
    return discardedBatches.sum();
  }

  /** The offsets of those. */
  public long discardedOffsets() {
    return discardedOffsets.sum();
  }

  /** The first offset that is not committed; {@link #UNKNOWN} before the log says one. */
  public long committedOffset() {
    return committedOffset;
  }

  /** Where Kafka was last seen to end; {@link #UNKNOWN} before it was asked. */
  public long endOffset() {
    return lag.end();
  }

  /** Offsets that Kafka has and that are not committed, as far as it was seen. */
  public long lagOffsets() {
    return lag.offsets();
  }

  /** For how long there are such, in milliseconds. */
  public long lagMs() {
    return lag.lastsMs(clock.millis());
  }

  /** How long ago the last batch was committed; before the first, since the task has it. */
  public long lastCommitAgeMs() {
    return clock.millis() - lastCommitMs;
  }

  /** Its state. */
  public HealthState state() {
    return TaskHealth.state(waits);
  }

  /** What it waits for, in a line; empty when it works. */
  public String because() {
    return TaskHealth.because(waits);
  }
}
