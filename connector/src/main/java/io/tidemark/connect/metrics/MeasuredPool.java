package io.tidemark.connect.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A pool of a fixed number of threads, which measures their work. Thread-safe. */
public final class MeasuredPool extends ThreadPoolExecutor {
  private final List<Thread> threads;
  private final LongAdder busyNanos = new LongAdder();

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

  /** Returns the CPU time of the pool's live threads, in nanoseconds. */
  long cpuNanos() {
    return threads.stream().mapToLong(TaskThread::cpuNanos).sum();
  }

  /** Returns the elapsed time of work in nanoseconds, summed over all threads of the pool. */
  long busyNanos() {
    return busyNanos.sum();
  }
}
