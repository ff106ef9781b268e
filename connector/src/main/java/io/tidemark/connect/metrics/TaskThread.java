package io.tidemark.connect.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * The thread of a task, and how much of its time put() takes; the rest is the framework's. Made and
 * told of by that thread, read by any.
 */
public final class TaskThread {
  private final Thread thread = Thread.currentThread();
  private final long firstCpuNanos = ThreadTime.cpuNanos();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder putCpuNanos = new LongAdder();
  private long begunNanos;
  private long begunCpuNanos;

  /** A put() begins. */
  public void putBegins() {
    begunNanos = System.nanoTime();
    begunCpuNanos = ThreadTime.cpuNanos();
  }

  /** The put() has ended, well or not. */
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
