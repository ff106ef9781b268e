package io.tidemark.connect.staging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the memory of a task's records, from put() until the records are written. This includes
 * values of chunks that are not submitted yet or wait for a staging thread, blocks that are
 * buffered for their files, blocks that wait for the store, and records that wait for the dead
 * letter topic. At the limit the task pauses. If the blocks of files use half of the limit, a batch
 * spills its largest file. If they use three quarters, the task flushes early. Thread-safe.
 */
public final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong unsubmittedBytes = new AtomicLong();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final AtomicLong bufferedBytes = new AtomicLong();
  private final AtomicLong writingBytes = new AtomicLong();
  private final AtomicLong rejectedBytes = new AtomicLong();

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

  void queued(long bytes) {
    queuedBytes.addAndGet(bytes);
  }

  void buffered(long bytes) {
    bufferedBytes.addAndGet(bytes);
  }

  void writing(long bytes) {
    writingBytes.addAndGet(bytes);
  }

  /** Adds bytes of records that wait for the dead letter topic; negative to subtract. */
  public void rejected(long bytes) {
    rejectedBytes.addAndGet(bytes);
  }

  public long usedBytes() {
    return unsubmittedBytes.get()
        + queuedBytes.get()
        + bufferedBytes.get()
        + writingBytes.get()
        + rejectedBytes.get();
  }

  /**
   * Returns the maximum size of buffers that are kept for reuse: the part of the limit that is not
   * used, but at least a sixteenth of the limit.
   */
  public long idleBytes() {
    return Math.max(limitBytes / 16, limitBytes - usedBytes());
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Returns whether the limit is reached. The task then pauses. */
  public boolean exhausted() {
    return usedBytes() >= limitBytes;
  }

  /** Returns whether at most three quarters of the limit are used. A paused task then resumes. */
  public boolean relieved() {
    return usedBytes() <= limitBytes - limitBytes / 4;
  }

  /**
   * Returns whether all files should be finished, because spilling large files does not suffice.
   */
  public boolean flushWanted() {
    return bufferedBytes.get() >= limitBytes - limitBytes / 4;
  }

  /** Returns whether a large file should write its blocks to the store. */
  boolean spillWanted() {
    return bufferedBytes.get() >= limitBytes / 2;
  }
}
