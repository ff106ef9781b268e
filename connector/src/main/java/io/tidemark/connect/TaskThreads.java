package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.intake.Scheduling;
import io.tidemark.connect.metrics.MeasuredPool;
import io.tidemark.store.MonotonicClock;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The thread pools of a task: one for each service or kind of work. */
record TaskThreads(
    MeasuredPool workers,
    MeasuredPool writers,
    MeasuredPool steps,
    ExecutorService registry,
    MeasuredPool catalog,
    ScheduledExecutorService timer) {
  private static final Logger LOG = LoggerFactory.getLogger(TaskThreads.class);
  private static final int REGISTRY_THREADS = 4;

  void shutdown() {
    timer.shutdownNow();
    for (ExecutorService each : List.of(registry, catalog, steps, workers, writers)) {
      each.shutdown();
    }
  }

  /** Waits up to {@code ms} milliseconds for calls of services, and then interrupts them. */
  void awaitServices(long ms) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    breakOff("the schema registry", registry, deadlineNanos);
    breakOff("the Metastore", catalog, deadlineNanos);
    breakOff("Kafka or the store", steps, deadlineNanos);
    breakOff("the store", writers, deadlineNanos);
  }

  private void breakOff(String service, ExecutorService waiting, long deadlineNanos)
      throws InterruptedException {
    long remaining = Math.max(0, deadlineNanos - System.nanoTime());
    if (!waiting.awaitTermination(remaining, TimeUnit.NANOSECONDS)) {
      LOG.info("interrupting calls that still wait for {}", service);
      waiting.shutdownNow();
    }
  }

  /** Creates the pools that a configuration sets; {@code name} is part of the threads' names. */
  static TaskThreads start(ConnectorConfig config, String name) {
    return new TaskThreads(
        new MeasuredPool(
            config.getInt(ConnectorConfig.STAGING_THREADS), factory("tidemark-stage-" + name)),
        new MeasuredPool(
            config.getInt(ConnectorConfig.STORAGE_THREADS), factory("tidemark-store-" + name)),
        new MeasuredPool(
            config.getInt(ConnectorConfig.COMMIT_THREADS), factory("tidemark-step-" + name)),
        Executors.newFixedThreadPool(REGISTRY_THREADS, factory("tidemark-registry-" + name)),
        // The client of the Metastore makes one call at a time.
        new MeasuredPool(1, factory("tidemark-catalog-" + name)),
        Executors.newSingleThreadScheduledExecutor(factory("tidemark-timer-" + name)));
  }

  /** Creates daemon threads with the logging context of the thread that calls this method. */
  static ThreadFactory factory(String name) {
    AtomicInteger count = new AtomicInteger();
    // Connect prefixes the log lines of a task with this context: [quotes|task-0].
    Map<String, String> context = MDC.getCopyOfContextMap();
    return work -> {
      Runnable marked =
          () -> {
            if (context != null) {
              MDC.setContextMap(context);
            }
            work.run();
          };
      Thread thread = new Thread(marked, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      // Libraries load services with this class loader. A task's thread may have another.
      thread.setContextClassLoader(TaskThreads.class.getClassLoader());
      return thread;
    };
  }

  Scheduling scheduling() {
    return new Scheduling(
        steps(),
        registry(),
        catalog(),
        (pauseMs, work) -> {
          Future<?> scheduled = timer().schedule(work, pauseMs, TimeUnit.MILLISECONDS);
          LOG.trace("in {} ms: {}", pauseMs, scheduled);
        },
        MonotonicClock.system(),
        Clock.systemUTC(),
        new Random());
  }
}
