package io.tidemark.benchmarks.registry;

import com.sun.management.ThreadMXBean;
import io.tidemark.registry.RegistryException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Measures one question to one client in a separate JVM. Every question except {@link Question#HIT}
 * is asked once, in a cold JVM, like that of a worker that starts.
 */
public final class LookupFork {
  private static final Duration WARM_UP = Duration.ofMillis(1_400);
  private static final Duration ITERATION = Duration.ofMillis(250);
  private static final int ITERATIONS = 5;

  private final LookupContender contender;
  private final String url;
  private final Optional<Path> copy;
  private final ThreadMXBean threads;

  LookupFork(LookupContender contender, String url, Optional<Path> copy) {
    this.contender = contender;
    this.url = url;
    this.copy = copy;
    this.threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  }

  /** The results of a question, for each lookup. */
  public record Answer(double ns, double bytesAllocated) {

    /** Parses the text of {@link #toString}. */
    public static Answer parse(String text) {
      String[] figures = text.split(" ", -1);
      return new Answer(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]));
    }

    @Override
    public String toString() {
      return ns + " " + bytesAllocated;
    }
  }

  /**
   * Measures and prints the answer.
   *
   * @param arguments the labels of contender and question, the URL of the host, and the file of the
   *     copy on disk, if any
   */
  public static void main(String[] arguments) throws RegistryException, InterruptedException {
    var fork =
        new LookupFork(
            LookupContender.labelled(arguments[0]),
            arguments[2],
            arguments.length > 3 ? Optional.of(Path.of(arguments[3])) : Optional.empty());
    System.out.println(fork.ask(Question.labelled(arguments[1])));
  }

  Answer ask(Question question) throws RegistryException, InterruptedException {
    return switch (question) {
      case HIT -> hit(question.ids());
      case ONE_COLD_ID -> oneColdId(question.threads());
      case COLD_IDS, COPIED_IDS -> each(question.ids());
    };
  }

  private Answer hit(int ids) throws RegistryException, InterruptedException {
    try (Lookups lookups = contender.open(url, ids, copy)) {
      hits(lookups, ids, WARM_UP);
      var answers = new Answer[ITERATIONS];
      for (int i = 0; i < ITERATIONS; i++) {
        answers[i] = hits(lookups, ids, ITERATION);
      }
      return new Answer(
          Arrays.stream(answers).mapToDouble(Answer::ns).sorted().toArray()[ITERATIONS / 2],
          Arrays.stream(answers).mapToDouble(Answer::bytesAllocated).max().orElseThrow());
    }
  }

  /** Looks up all ids repeatedly until the time is over. Only this thread's allocation counts. */
  private Answer hits(Lookups lookups, int ids, Duration time)
      throws RegistryException, InterruptedException {
    long passes = 0;
    long elapsed;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    do {
      lookUp(lookups, ids);
      passes++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < time.toNanos());
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    return new Answer((double) elapsed / passes / ids, (double) allocated / passes / ids);
  }

  private static void lookUp(Lookups lookups, int ids)
      throws RegistryException, InterruptedException {
    for (int id = 0; id < ids; id++) {
      if (lookups.schema(id).equals("")) {
        throw new IllegalStateException("schema " + id + " is empty");
      }
    }
  }

  private Answer each(int ids) throws RegistryException, InterruptedException {
    long allocated = allocated();
    long start = System.nanoTime();
    try (Lookups lookups = contender.open(url, ids, copy)) {
      lookUp(lookups, ids);
      long elapsed = System.nanoTime() - start;
      return new Answer((double) elapsed / ids, (double) (allocated() - allocated) / ids);
    }
  }

  /**
   * Looks up one id by many threads. They live until the end, because the JVM drops the allocation
   * counts of ended threads.
   */
  private Answer oneColdId(int count) throws InterruptedException {
    var ready = new CountDownLatch(count);
    var go = new CountDownLatch(1);
    var done = new CountDownLatch(count);
    var counted = new CountDownLatch(1);
    var failure = new AtomicReference<Exception>();
    try (Lookups lookups = contender.open(url, 1, copy)) {
      for (int i = 0; i < count; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    ready.countDown();
                    go.await();
                    lookUp(lookups, 1);
                  } catch (RegistryException | InterruptedException | RuntimeException e) {
                    failure.compareAndSet(null, e);
                  } finally {
                    done.countDown();
                  }
                  awaitUninterrupted(counted);
                });
        thread.setDaemon(true);
        thread.start();
      }
      ready.await();
      long allocated = allocated();
      long start = System.nanoTime();
      go.countDown();
      done.await();
      long elapsed = System.nanoTime() - start;
      allocated = allocated() - allocated;
      counted.countDown();
      if (failure.get() != null) {
        throw new IllegalStateException("a thread got no schema", failure.get());
      }
      return new Answer((double) elapsed / count, (double) allocated / count);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      // Only the end of the JVM interrupts these threads.
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the bytes that all live threads have allocated on the heap. */
  private long allocated() {
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
