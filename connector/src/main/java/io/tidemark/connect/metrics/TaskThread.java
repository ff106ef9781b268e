package io.tidemark.connect.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * Measures a task's thread, and the share of the thread's time in put(); Connect uses the rest. The
 * task's thread creates and updates the object; any thread may read it.
 */
public final class TaskThread {
  private final Thread thread = Thread.currentThread();
  private final long firstCpuNanos = ThreadTime.cpuNanos();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder putCpuNanos = new LongAdder();
  private long begunNanos;
  private long begunCpuNanos;

  public void putBegins() {
    begunNanos = System.nanoTime();
    begunCpuNanos = ThreadTime.cpuNanos();
  }

  /** Records that the put() has ended, whether or not it succeeded. */
  public void putEnds() {
    putCpuNanos.add(ThreadTime.cpuNanos() - begunCpuNanos);
    putNanos.add(System.nanoTime() - begunNanos);
  }

  long cpuNanos() {
    return Math.max(0, ThreadTime.cpuNanos(thread) - firstCpuNanos);
  }

  long putNanos() {
    return putNanos.sum();
  }

  long putCpuNanos() {
    return putCpuNanos.sum();
  }
}
