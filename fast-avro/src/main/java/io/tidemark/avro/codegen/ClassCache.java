package io.tidemark.avro.codegen;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Internal. An LRU cache of generated classes, which are generated in the background. Safe for use
 * by many threads.
 *
 * <p>If a class is removed from the cache, the runners, readers and writers that have it continue
 * to use it.
 *
 * @param <K> the key of a class
 * @param <C> an object that runs the class
 */
public final class ClassCache<K, C> {
  private static final int WAITING_CLASSES = 1024;

  private final Executor executor;
  private final Map<K, Entry<C>> entries;
  private final LongAdder compiled = new LongAdder();
  private final LongAdder interpreted = new LongAdder();
  private final LongAdder waiting = new LongAdder();
  private final LongAdder compileNanos = new LongAdder();
  private volatile Optional<String> lastFallBack = Optional.empty();

  /**
   * The class of a key, once it is generated. Safe for use by many threads. The thread that
   * generates the class owns this object's monitor, so that it is generated once.
   */
  public static final class Entry<C> {
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile @Nullable C made;
    private volatile @Nullable Throwable refusal;
    private int uses;

    /** Returns the object of the class; null while there is none. */
    public @Nullable C made() {
      return made;
    }

    /** Returns why the class cannot be generated; null if it was not tried or succeeded. */
    public @Nullable Throwable refusal() {
      return refusal;
    }

    private boolean isTried() {
      return made != null || refusal != null;
    }

    /** Returns whether the class has been requested. */
    public boolean isAsked() {
      return asked.get();
    }

    /** Counts a use without the class, and returns the count, which may miss concurrent uses. */
    public int countUse() {
      return ++uses;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param executor generates the classes
   * @param maxClasses the maximum number of classes to keep, from 1
   */
  public ClassCache(Executor executor, int maxClasses) {
    if (maxClasses < 1) {
      throw new IllegalArgumentException("maxClasses must be at least 1, not " + maxClasses);
    }
    this.executor = executor;
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Entry<C>> eldest) {
            return size() > maxClasses;
          }
        };
  }

  /** Returns an executor with one daemon thread, which ends when it is idle. */
  public static Executor oneDaemon(String name) {
    var executor =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_CLASSES),
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              thread.setContextClassLoader(ClassCache.class.getClassLoader());
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Returns a schema's full name, or that of its type if it has no name. */
  public static String name(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> schema.getFullName();
      default -> schema.getType().getName();
    };
  }

  /** Returns the entry of a key. Its class is possibly not generated or requested yet. */
  public Entry<C> find(K key) {
    synchronized (entries) {
      return entries.computeIfAbsent(key, absent -> new Entry<>());
    }
  }

  /** Removes all classes. Runners, readers and writers that have one continue to use it. */
  public void clear() {
    synchronized (entries) {
      entries.clear();
    }
  }

  /**
   * Requests a class from the executor, unless it was requested before.
   *
   * @param name the name of the class in the statistics
   * @throws RejectedExecutionException if the executor rejects the task; it can be requested again
   */
  public <T extends C> void makeLater(Entry<T> entry, String name, Supplier<T> compiler) {
    if (entry.isTried() || !entry.asked.compareAndSet(false, true)) {
      return;
    }
    waiting.increment();
    try {
      executor.execute(
          () -> {
            try {
              make(entry, name, compiler);
            } finally {
              waiting.decrement();
            }
          });
    } catch (RejectedExecutionException e) {
      waiting.decrement();
      entry.asked.set(false);
      throw e;
    }
  }

  /** Generates a class in the caller's thread, unless it exists or cannot be generated. */
  public <T extends C> void make(Entry<T> entry, String name, Supplier<T> compiler) {
    synchronized (entry) {
      if (entry.isTried()) {
        return;
      }
      long start = System.nanoTime();
      try {
        entry.made = compiler.get();
        compiled.increment();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        fallBack(name, e);
        entry.refusal = e;
      } finally {
        compileNanos.add(System.nanoTime() - start);
      }
    }
  }

  /** Counts a use for which no class can be generated. */
  public void fallBack(String name, Throwable cause) {
    interpreted.increment();
    lastFallBack = Optional.of(name + ": " + cause);
  }

  /** Returns the counts of all classes so far. */
  public CompilerStatistics statistics() {
    return new CompilerStatistics(
        compiled.sum(), interpreted.sum(), waiting.sum(), compileNanos.sum(), lastFallBack);
  }
}
