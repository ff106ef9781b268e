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
 * Generated classes, made in the background and kept for as many keys as there is room for, the
 * least recently used going first. Safe for use by many threads.
 *
 * <p>A class that was put out of the cache lives on in its users.
 *
 * @param <K> what a class is for
 * @param <C> what a class does: an object of it
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
   * The class for a key, once it is made. Safe for use by many threads. Who makes the class owns
   * this object's monitor, so that it is made once.
   */
  public static final class Entry<C> {
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile @Nullable C made;
    private volatile @Nullable Throwable refusal;
    private int uses;

    /** What the class does; null while there is none. */
    public @Nullable C made() {
      return made;
    }

    /** Why there can be no class; null while none was tried or there is one. */
    public @Nullable Throwable refusal() {
      return refusal;
    }

    private boolean isTried() {
      return made != null || refusal != null;
    }

    /** Whether the class has been asked for. */
    public boolean isAsked() {
      return asked.get();
    }

    /** Counts a use without the class, and returns the count; several threads may lose some. */
    public int countUse() {
      return ++uses;
    }
  }

  /**
   * Makes an empty cache.
   *
   * @param executor makes the classes
   * @param maxClasses how many classes are kept, from 1
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

  /** One daemon thread, which ends when there are no classes to make. */
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

  /** A schema's full name, if it has one; else that of its type. */
  public static String name(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> schema.getFullName();
      default -> schema.getType().getName();
    };
  }

  /** The class for a key, which may be on its way, or not asked for. */
  public Entry<C> find(K key) {
    synchronized (entries) {
      return entries.computeIfAbsent(key, absent -> new Entry<>());
    }
  }

  /** Forgets all classes; those that are in use live on in their users. */
  public void clear() {
    synchronized (entries) {
      entries.clear();
    }
  }

  /**
   * Has the executor make a class, unless it was asked to before.
   *
   * @param name what the class is for, for the statistics
   * @throws RejectedExecutionException if the executor takes no more; it can be asked again
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

  /** Makes a class in the caller's thread, unless it is there or was refused. */
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

  /** Counts a use for which there is no class. */
  public void fallBack(String name, Throwable cause) {
    interpreted.increment();
    lastFallBack = Optional.of(name + ": " + cause);
  }

  /** What became of all classes so far. */
  public CompilerStatistics statistics() {
    return new CompilerStatistics(
        compiled.sum(), interpreted.sum(), waiting.sum(), compileNanos.sum(), lastFallBack);
  }
}
