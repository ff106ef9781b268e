package io.tidemark.avro.object;

import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.codegen.CompilerStatistics;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.MethodTooLargeException;

/**
 * The classes of readers and writers, made in the background and kept for as many as there is room
 * for, the least recently used going first. Safe for use by many threads.
 *
 * <p>A class belongs to the very objects of its schemas and its {@code GenericData}: readers of
 * equal schemas that were parsed twice have two. So that programs which parse a schema for each
 * datum do not compile for each, a class is asked for by the {@value #USES}th use only. Schemas,
 * and the conversions of the data, are taken as they are at that time.
 */
public final class CompiledDatums {
  /** How many classes {@link #shared()} keeps. */
  private static final int SHARED_CLASSES = 1024;

  private static final int WAITING_CLASSES = 1024;

  /** By how many uses a class is asked for. */
  private static final int USES = 16;

  private final Executor executor;
  private final CompilerOptions options;
  private final Map<Key, CompiledDatum<?>> classes;
  private final LongAdder compiled = new LongAdder();
  private final LongAdder interpreted = new LongAdder();
  private final LongAdder waiting = new LongAdder();
  private final LongAdder compileNanos = new LongAdder();
  private volatile Optional<String> lastFallBack = Optional.empty();

  private static final class Shared {
    static final CompiledDatums INSTANCE =
        new CompiledDatums(oneDaemon(), SHARED_CLASSES, CompilerOptions.ofSystemProperties());
  }

  /** What a class is for, by identity; a writer's has no reader schema. */
  private record Key(Schema writer, @Nullable Schema reader, GenericData data) {
    @Override
    @SuppressWarnings("ReferenceEquality") // By identity: equal schemas may differ in aliases.
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && key.writer == writer
          && key.reader == reader
          && key.data == data;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * System.identityHashCode(writer) + System.identityHashCode(reader))
          + System.identityHashCode(data);
    }
  }

  /**
   * Makes an empty cache.
   *
   * @param executor makes the classes; what it rejects is asked for again by a later use
   * @param maxClasses how many classes are kept, from 1
   */
  public CompiledDatums(Executor executor, int maxClasses, CompilerOptions options) {
    if (maxClasses < 1) {
      throw new IllegalArgumentException("maxClasses must be at least 1, not " + maxClasses);
    }
    this.executor = executor;
    this.options = options;
    classes =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, CompiledDatum<?>> eldest) {
            return size() > maxClasses;
          }
        };
  }

  /**
   * The cache of all users in this class loader. One daemon thread makes the classes, and ends when
   * there are none to make; system properties set its {@link CompilerOptions}.
   */
  public static CompiledDatums shared() {
    return Shared.INSTANCE;
  }

  /** What became of all readers and writers so far; those that Avro's own code runs interpret. */
  public CompilerStatistics statistics() {
    return new CompilerStatistics(
        compiled.sum(), interpreted.sum(), waiting.sum(), compileNanos.sum(), lastFallBack);
  }

  /** Forgets all classes; those that are in use live on in their readers and writers. */
  public void clear() {
    synchronized (classes) {
      classes.clear();
    }
  }

  /** The class of a reader, which may be on its way, or not asked for. */
  @SuppressWarnings("unchecked") // Keys with a reader schema have readers.
  CompiledDatum<ObjectReader> reader(Schema writer, Schema reader, GenericData data) {
    return (CompiledDatum<ObjectReader>) find(new Key(writer, reader, data));
  }

  /** The class of a writer, which may be on its way, or not asked for. */
  @SuppressWarnings("unchecked") // Keys without a reader schema have writers.
  CompiledDatum<ObjectWriter> writer(Schema schema, GenericData data) {
    return (CompiledDatum<ObjectWriter>) find(new Key(schema, null, data));
  }

  private CompiledDatum<?> find(Key key) {
    synchronized (classes) {
      return classes.computeIfAbsent(key, absent -> new CompiledDatum<>());
    }
  }

  /** Counts a use of Avro's own code, and has the class made if it is worth it. */
  void used(CompiledDatum<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    if (entry.asksAfter(USES)) {
      later(entry, () -> compile(entry, writer, reader, data));
    }
  }

  /** Counts a use of Avro's own code, and has the class made if it is worth it. */
  void used(CompiledDatum<ObjectWriter> entry, Schema schema, GenericData data) {
    if (entry.asksAfter(USES)) {
      later(entry, () -> compile(entry, schema, data));
    }
  }

  private void later(CompiledDatum<?> entry, Runnable compile) {
    waiting.increment();
    try {
      executor.execute(
          () -> {
            try {
              compile.run();
            } finally {
              waiting.decrement();
            }
          });
    } catch (RejectedExecutionException e) {
      waiting.decrement();
      entry.askAgain();
    }
  }

  /** Makes the class of a reader in the caller's thread, unless it is there or was refused. */
  void compile(CompiledDatum<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    compile(
        entry,
        ObjectReader.class,
        data,
        name(writer) + " as " + name(reader),
        () -> ReaderCode.write(writer, reader, data));
  }

  /** Makes the class of a writer in the caller's thread, unless it is there or was refused. */
  void compile(CompiledDatum<ObjectWriter> entry, Schema schema, GenericData data) {
    compile(entry, ObjectWriter.class, data, name(schema), () -> WriterCode.write(schema, data));
  }

  private <T> void compile(
      CompiledDatum<T> entry,
      Class<T> type,
      GenericData data,
      String name,
      Supplier<ClassBody> code) {
    synchronized (entry) {
      if (entry.code() != null || entry.refusal() != null) {
        return;
      }
      long start = System.nanoTime();
      try {
        if (DataKind.of(data) == DataKind.AVROS) {
          throw new IllegalArgumentException(
              data.getClass().getName() + " has ways of its own that only Avro's code follows");
        }
        entry.compiled(define(code.get(), type));
        compiled.increment();
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        interpreted.increment();
        lastFallBack = Optional.of(name + ": " + e);
        entry.refused(
            new IllegalStateException(name + " cannot be compiled; Avro's own code runs: " + e, e));
      } finally {
        compileNanos.add(System.nanoTime() - start);
      }
    }
  }

  private <T> T define(ClassBody body, Class<T> type) {
    try {
      byte[] classFile = body.finish();
      options.inspect(type.getSimpleName() + "-" + System.identityHashCode(body), classFile);
      Class<?> made =
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(classFile, body.constants(), true)
              .lookupClass();
      return type.cast(made.getDeclaredConstructor().newInstance());
    } catch (MethodTooLargeException | ClassTooLargeException e) {
      throw new IllegalArgumentException("the schema is too large for a class: " + e, e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the JVM refuses the class: " + e, e);
    }
  }

  /** A schema's full name, if it has one; else that of its type. */
  private static String name(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> schema.getFullName();
      default -> schema.getType().getName();
    };
  }

  private static Executor oneDaemon() {
    var executor =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_CLASSES),
            task -> {
              var thread = new Thread(task, "avro-datum-compiler");
              thread.setDaemon(true);
              thread.setContextClassLoader(CompiledDatums.class.getClassLoader());
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }
}
