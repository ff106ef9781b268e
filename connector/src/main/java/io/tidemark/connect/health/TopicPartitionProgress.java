package io.tidemark.connect.health;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.batch.RecordCounts;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The progress of a topic-partition since it was assigned to the task, and its waits. The task's
 * thread and the commit threads update it, at most once per batch. Thread-safe.
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

  /** Creates the progress of a topic-partition that was just assigned to the task. */
  public TopicPartitionProgress(MonotonicClock clock) {
    this.clock = clock;
    this.lastCommitMs = clock.millis();
  }

  /**
   * Records that the topic-partition's log is claimed, and contains all offsets before {@code
   * next}.
   */
  public void claimed(long next) {
    committedThrough(next);
  }

  /**
   * Records that a batch is in the topic-partition's log.
   *
   * @param next first offset after the batch
   * @param ofBatch offsets of the batch by class
   * @param filesOfBatch number of the batch's files
   * @param bytesOfBatch total size of the batch's files
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

  /** Records that a batch with this number of offsets was discarded. The offsets are read again. */
  public void discarded(long offsets) {
    if (offsets > 0) {
      discardedBatches.increment();
      discardedOffsets.add(offsets);
    }
  }

  /** Records that Kafka's end offset is {@code offset}. */
  public void end(long offset) {
    lag.end(offset, clock.millis());
  }

  /** Sets the present waits, the most important wait first. */
  public void waits(List<Wait> now) {
    waits = now;
  }

  /** Returns the committed offsets by class. */
  public RecordCounts counts() {
    return counts;
  }

  /** Returns the number of files of committed batches. */
  public long files() {
    return files.sum();
  }

  /** Returns the bytes of the files of committed batches. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns the number of committed batches. */
  public long batches() {
    return batches.sum();
  }

  /** Returns the number of discarded batches. */
  public long discardedBatches() {
    return discardedBatches.sum();
  }

  /** Returns the number of offsets of the discarded batches. */
  public long discardedOffsets() {
    return discardedOffsets.sum();
  }

  /**
   * Returns the first offset that is not committed; {@link #UNKNOWN} until the log has a start
   * offset.
   */
  public long committedOffset() {
    return committedOffset;
  }

  /** Returns Kafka's end offset at the last request; {@link #UNKNOWN} before the first request. */
  public long endOffset() {
    return lag.end();
  }

  /** Returns the number of offsets that are not committed, up to {@link #endOffset}. */
  public long lagOffsets() {
    return lag.offsets();
  }

  /** Returns the time for which there have been offsets that are not committed, in milliseconds. */
  public long lagMs() {
    return lag.lastsMs(clock.millis());
  }

  /**
   * Returns the time since the last commit in milliseconds; before the first commit, the time since
   * the topic-partition was assigned.
   */
  public long lastCommitAgeMs() {
    return clock.millis() - lastCommitMs;
  }

  /** Returns the state of the topic-partition. */
  public HealthState state() {
    return TaskHealth.state(waits);
  }

  /** Returns the waits of the topic-partition as one line; empty if there are no waits. */
  public String because() {
    return TaskHealth.because(waits);
  }
}
