package io.tidemark.connect.staging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the memory of a task's records, from put() until they are written or dead letters. At the
 * limit the task pauses. If the buffered blocks of files use half of the limit, a batch writes the
 * blocks of its largest file early. At three quarters, the task flushes early. Thread-safe.
 */
public final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong unsubmittedBytes = new AtomicLong();
  private final AtomicLong bufferedBytes = new AtomicLong();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicLong grownBytes = new AtomicLong();

  public MemoryBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException(
          "the memory limit must be positive: " + limitBytes + " bytes");
    }
    this.limitBytes = limitBytes;
  }

  /** Sets the bytes in chunks that are not submitted yet. */
  public void unsubmitted(long bytes) {
    unsubmittedBytes.set(bytes);
  }

  /** Adds bytes of blocks that are buffered for their files; may be negative. */
  void buffered(long bytes) {
    bufferedBytes.addAndGet(bytes);
  }

  /** Adds bytes that wait for a thread, the store or the dead letter topic; may be negative. */
  public void waiting(long bytes) {
    waitingBytes.addAndGet(bytes);
  }

  /** Adds bytes by which landed records have grown, and which wait too; may be negative. */
  void grown(long bytes) {
    grownBytes.addAndGet(bytes);
    waiting(bytes);
  }

  /** Returns whether a chunk should land only when it can be appended. */
  boolean grownTooMuch() {
    return grownBytes.get() >= limitBytes / 4;
  }

  public long usedBytes() {
    return unsubmittedBytes.get() + bufferedBytes.get() + waitingBytes.get();
  }

  /** Returns the limit of buffers kept for reuse: what is not used, but at least a sixteenth. */
  public long idleBytes() {
    return Math.max(limitBytes / 16, limitBytes - usedBytes());
  }

  public long limitBytes() {
    return limitBytes;
  }

  public boolean exhausted() {
    return usedBytes() >= limitBytes;
  }

  /** Returns whether a paused task can resume: a quarter of the limit is free. */
  public boolean relieved() {
    return usedBytes() <= limitBytes - limitBytes / 4;
  }

  /** Returns whether all files should be finished, because early writes do not suffice. */
  public boolean flushWanted() {
    return bufferedBytes.get() >= limitBytes - limitBytes / 4;
  }

  /** Returns whether a large file should write its blocks to the store. */
  boolean writeWanted() {
    return bufferedBytes.get() >= limitBytes / 2;
  }
}
