package io.tidemark.connect.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures a task's thread, and the share of the thread's time in put(); Connect uses the rest. The
 * task's thread creates and updates the object; any thread may read it.
 */
public final class TaskThread {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Thread thread = Thread.currentThread();
  private final long firstCpuNanos = presentCpuNanos();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder putCpuNanos = new LongAdder();
  private long begunNanos;
  private long begunCpuNanos;

  public void putBegins() {
    begunNanos = System.nanoTime();
    begunCpuNanos = presentCpuNanos();
  }

  public void putEnds() {
    putCpuNanos.add(presentCpuNanos() - begunCpuNanos);
    putNanos.add(System.nanoTime() - begunNanos);
  }

  long cpuNanos() {
    return Math.max(0, cpuNanos(thread) - firstCpuNanos);
  }

  long putNanos() {
    return putNanos.sum();
  }

  long putCpuNanos() {
    return putCpuNanos.sum();
  }

  private static long presentCpuNanos() {
    return cpuNanos(Thread.currentThread());
  }

  /** Returns the CPU time of a thread; 0 if it has ended, or if the JVM does not measure it. */
  static long cpuNanos(Thread thread) {
    return THREADS.isThreadCpuTimeSupported()
        ? Math.max(0, THREADS.getThreadCpuTime(thread.getId()))
        : 0;
  }
}
