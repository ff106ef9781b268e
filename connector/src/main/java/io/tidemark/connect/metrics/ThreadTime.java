package io.tidemark.connect.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of threads, in nanoseconds; 0 if the JVM does not measure it. */
final class ThreadTime {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ThreadTime() {}

  static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? Math.max(0, THREADS.getCurrentThreadCpuTime())
        : 0;
  }

  /** Returns the CPU time of another thread; 0 if it has ended. */
  static long cpuNanos(Thread thread) {
    return THREADS.isThreadCpuTimeSupported()
        ? Math.max(0, THREADS.getThreadCpuTime(thread.getId()))
        : 0;
  }
}
