package io.tidemark.avro.object;

import io.tidemark.avro.codegen.ClassCache;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.codegen.CompilerStatistics;
import io.tidemark.avro.object.code.DataKind;
import io.tidemark.avro.object.code.ObjectClasses;
import io.tidemark.avro.object.read.ObjectReader;
import io.tidemark.avro.object.read.ReaderCode;
import io.tidemark.avro.object.write.ObjectWriter;
import io.tidemark.avro.object.write.WriterCode;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of generated reader and writer classes, which are generated in the background. Safe
 * for use by many threads.
 *
 * <p>A class is generated at the {@value #USES}th use of equal schemas with the same {@code
 * GenericData} object, counted over all readers (or writers) with this cache. Schemas are equal if
 * they have the same text. The same {@code Schema} object is found fastest; the comparison of
 * another takes a part of the time of its parsing. Records have the schema object with which the
 * class was generated. Schemas and conversions are read then. Later changes have no effect.
 *
 * <p>The classes are limited by their number, and by the weight of their schemas: a sixteenth of
 * the JVM's heap, but at least 8 MiB. Schemas that were used once are not kept.
 */
public final class CompiledDatums {
  /** The number of classes that {@link #shared()} keeps. */
  private static final int SHARED_CLASSES = 1024;

  private static final System.Logger LOG = System.getLogger(CompiledDatums.class.getName());

  /** The default of the maximum estimated heap of all schemas, in bytes. */
  private static final long DEFAULT_WEIGHT =
      Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 16);

  /** The number of schemas that were parsed again before the program is warned. */
  private static final long REPEATS = 1_000;

  /** The number of uses after which a class is generated. */
  private static final int USES = 16;

  private final ObjectClasses compiler;

  /** Generates the classes and counts them; {@link #classes} finds them. */
  private final ClassCache<Object, Object> compiling;

  private final DatumClasses classes;
  private final AtomicBoolean warned = new AtomicBoolean();

  private static final class Shared {
    static final CompiledDatums INSTANCE =
        new CompiledDatums(
            ClassCache.oneDaemon("avro-datum-compiler"),
            SHARED_CLASSES,
            CompilerOptions.ofSystemProperties());
  }

  /**
   * Creates an empty cache.
   *
   * @param executor generates the classes; if it rejects the task of a class, a later use submits
   *     the task again
   * @param maxClasses the maximum number of classes to keep, from 1
   * @param options settings of the compiler
   */
  public CompiledDatums(Executor executor, int maxClasses, CompilerOptions options) {
    this(executor, maxClasses, options, DEFAULT_WEIGHT);
  }

  CompiledDatums(Executor executor, int maxClasses, CompilerOptions options, long maxWeight) {
    compiler = new ObjectClasses(options);
    compiling = new ClassCache<>(executor, maxClasses);
    classes = new DatumClasses(maxClasses, maxWeight);
  }

  /**
   * Returns the cache that is shared in this class loader. One daemon thread generates the classes,
   * and ends when it is idle. System properties set its {@link CompilerOptions}.
   */
  public static CompiledDatums shared() {
    return Shared.INSTANCE;
  }

  /**
   * Returns the number of readers and writers with a generated class, and other counts. {@link
   * CompilerStatistics#interpreted} counts readers and writers for which no class could be
   * generated. They use Avro's own code.
   */
  public CompilerStatistics statistics() {
    return compiling.statistics().with(compiler.diskStatistics());
  }

  /** Removes all classes. Readers and writers that have one continue to use it. */
  public void clear() {
    classes.clear();
  }

  /**
   * Returns the entry of a reader's class. The class is possibly not generated or requested yet.
   */
  @SuppressWarnings("unchecked") // Keys with a reader schema have readers.
  ClassCache.Entry<ObjectReader> reader(Schema writer, Schema reader, GenericData data) {
    return (ClassCache.Entry<ObjectReader>) (ClassCache.Entry<?>) find(writer, reader, data);
  }

  /**
   * Returns the entry of a writer's class. The class is possibly not generated or requested yet.
   */
  @SuppressWarnings("unchecked") // Keys without a reader schema have writers.
  ClassCache.Entry<ObjectWriter> writer(Schema schema, GenericData data) {
    return (ClassCache.Entry<ObjectWriter>) (ClassCache.Entry<?>) find(schema, null, data);
  }

  private ClassCache.Entry<Object> find(Schema writer, @Nullable Schema reader, GenericData data) {
    ClassCache.Entry<Object> entry = classes.find(writer, reader, data);
    if (!warned.get() && classes.repeats() >= REPEATS && warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Equal schemas were parsed again for {0} readers or writers, now {1}. To find the class of"
              + " an equal schema takes time. Parse a schema once, and reuse the object.",
          REPEATS,
          ClassCache.name(writer));
    }
    return entry;
  }

  /** Counts a use of Avro's own code. Requests the class when there were enough uses. */
  void used(ClassCache.Entry<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    if (isDue(entry)) {
      classes.keep(writer, reader, data);
      makeLater(entry, name(writer, reader), () -> compile(writer, reader, data));
    }
  }

  /** Counts a use of Avro's own code. Requests the class when there were enough uses. */
  void used(ClassCache.Entry<ObjectWriter> entry, Schema schema, GenericData data) {
    if (isDue(entry)) {
      classes.keep(schema, null, data);
      makeLater(entry, ClassCache.name(schema), () -> compile(schema, data));
    }
  }

  private static boolean isDue(ClassCache.Entry<?> entry) {
    return !entry.isAsked() && entry.countUse() >= USES;
  }

  private <T> void makeLater(ClassCache.Entry<T> entry, String name, Supplier<T> compiler) {
    try {
      compiling.makeLater(entry, name, compiler);
    } catch (RejectedExecutionException e) {
      // The next use requests the class again.
    }
  }

  /**
   * Generates the class of a reader in the caller's thread, unless it exists.
   *
   * @throws IllegalStateException if the class cannot be generated
   */
  ObjectReader makeNow(
      ClassCache.Entry<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    String name = name(writer, reader);
    classes.keep(writer, reader, data);
    compiling.make(entry, name, () -> compile(writer, reader, data));
    return made(entry, name);
  }

  /**
   * Generates the class of a writer in the caller's thread, unless it exists.
   *
   * @throws IllegalStateException if the class cannot be generated
   */
  ObjectWriter makeNow(ClassCache.Entry<ObjectWriter> entry, Schema schema, GenericData data) {
    String name = ClassCache.name(schema);
    classes.keep(schema, null, data);
    compiling.make(entry, name, () -> compile(schema, data));
    return made(entry, name);
  }

  private static <T> T made(ClassCache.Entry<T> entry, String name) {
    T made = entry.made();
    if (made == null) {
      Throwable refusal = entry.refusal();
      throw new IllegalStateException(
          name + ": no class can be generated, so Avro's own code is used: " + refusal, refusal);
    }
    return made;
  }

  private ObjectReader compile(Schema writer, Schema reader, GenericData data) {
    requireKnown(data);
    return ReaderCode.compile(writer, reader, data, compiler);
  }

  private ObjectWriter compile(Schema schema, GenericData data) {
    requireKnown(data);
    return WriterCode.compile(schema, data, compiler);
  }

  private static void requireKnown(GenericData data) {
    if (DataKind.of(data) == DataKind.AVROS) {
      throw new IllegalArgumentException(
          data.getClass().getName() + " overrides methods that generated code does not call");
    }
  }

  private static String name(Schema writer, Schema reader) {
    return ClassCache.name(writer) + " as " + ClassCache.name(reader);
  }
}
