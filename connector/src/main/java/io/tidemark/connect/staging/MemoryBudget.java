package io.tidemark.connect.staging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of a task's records, from put() until they are written: values of chunks that are not
 * submitted yet or wait for a worker, blocks that are buffered for their files, blocks that wait
 * for the store, and records that wait for the dead letter queue. It only counts: at the limit the
 * task pauses, at half of it a batch spills its largest file, and when the files have three
 * quarters of it the task flushes early. Safe for use by many threads.
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
      throw new IllegalArgumentException("a memory limit of " + limitBytes + " bytes");
    }
    this.limitBytes = limitBytes;
  }

  /** Says how much stands in chunks that no worker has been given yet. */
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

  /** Counts records that wait for the dead letter queue. */
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

  public long limitBytes() {
    return limitBytes;
  }

  /** No more records should be taken in. */
  public boolean exhausted() {
    return usedBytes() >= limitBytes;
  }

  /** Records can be taken in again. */
  public boolean relieved() {
    return usedBytes() <= limitBytes - limitBytes / 4;
  }

  /** Spilling large files does not help any more: all files should be completed. */
  public boolean flushWanted() {
    return bufferedBytes.get() >= limitBytes - limitBytes / 4;
  }

  /** A large file should send its blocks to the store. */
  boolean spillWanted() {
    return bufferedBytes.get() >= limitBytes / 2;
  }
}
