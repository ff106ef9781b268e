package io.tidemark.connect.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A fixed number of threads, and how long they have worked. Safe for use by many threads. */
public final class MeasuredPool extends ThreadPoolExecutor {
  private final List<Thread> threads;
  private final LongAdder busyNanos = new LongAdder();

  /** Makes a pool of so many threads, each begun when it is needed. */
  public MeasuredPool(int size, ThreadFactory factory) {
    this(size, factory, new CopyOnWriteArrayList<>());
  }

  private MeasuredPool(int size, ThreadFactory factory, List<Thread> threads) {
    super(
        size,
        size,
        0,
        TimeUnit.MILLISECONDS,
        new LinkedBlockingQueue<>(),
        work -> {
          Thread thread = factory.newThread(work);
          threads.add(thread);
          return thread;
        });
    this.threads = threads;
  }

  @Override
  public void execute(Runnable work) {
    super.execute(
        () -> {
          long begun = System.nanoTime();
          try {
            work.run();
          } finally {
            busyNanos.add(System.nanoTime() - begun);
          }
        });
  }

  /** The CPU time of its threads that live. */
  long cpuNanos() {
    return threads.stream().mapToLong(ThreadTime::cpuNanos).sum();
  }

  /** The elapsed time in which its threads were at work, added up. */
  long busyNanos() {
    return busyNanos.sum();
  }
}
