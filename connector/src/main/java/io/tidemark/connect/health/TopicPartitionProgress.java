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

  public TopicPartitionProgress(MonotonicClock clock) {
    this.clock = clock;
    this.lastCommitMs = clock.millis();
  }

  /** Records that the log is claimed, and contains all offsets before {@code next}. */
  public void claimed(long next) {
    committedOffset = next;
    lag.committed(next);
  }

  /** Records that a batch is in the log. {@code next} is the first offset after the batch. */
  public synchronized void committed(
      long next, RecordCounts ofBatch, int filesOfBatch, long bytesOfBatch) {
    counts = counts.plus(ofBatch);
    files.add(filesOfBatch);
    bytes.add(bytesOfBatch);
    batches.increment();
    lastCommitMs = clock.millis();
    claimed(next);
  }

  /** Records that a batch with this number of offsets was discarded. The offsets are read again. */
  public void discarded(long offsets) {
    if (offsets > 0) {
      discardedBatches.increment();
      discardedOffsets.add(offsets);
    }
  }

  public void end(long offset) {
    lag.end(offset, clock.millis());
  }

  /** Sets the present waits, the most important wait first. */
  public void waits(List<Wait> now) {
    waits = now;
  }

  public RecordCounts counts() {
    return counts;
  }

  public long files() {
    return files.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  public long batches() {
    return batches.sum();
  }

  public long discardedBatches() {
    return discardedBatches.sum();
  }

  public long discardedOffsets() {
    return discardedOffsets.sum();
  }

  /** The first offset that is not committed; {@link #UNKNOWN} until the log has a start offset. */
  public long committedOffset() {
    return committedOffset;
  }

  /** Kafka's end offset at the last request; {@link #UNKNOWN} before the first request. */
  public long endOffset() {
    return lag.end();
  }

  /** The number of offsets that are not committed, up to {@link #endOffset}. */
  public long lagOffsets() {
    return lag.offsets();
  }

  /** The time for which there have been offsets that are not committed. */
  public long lagMs() {
    return lag.lastsMs(clock.millis());
  }

  /** The time since the last commit; before the first, since the topic-partition was assigned. */
  public long lastCommitAgeMs() {
    return clock.millis() - lastCommitMs;
  }

  public HealthState state() {
    return TaskHealth.state(waits);
  }

  public String because() {
    return TaskHealth.because(waits);
  }
}
