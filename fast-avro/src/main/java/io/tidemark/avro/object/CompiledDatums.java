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
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of generated reader and writer classes, which are generated in the background. Safe
 * for use by many threads.
 *
 * <p>Classes are found by the identity of their {@code Schema} and {@code GenericData} objects: two
 * equal schemas that were parsed separately get two classes. A class is generated at the {@value
 * #USES}th use of the same objects, counted over all readers (or writers) with this cache. A
 * program that parses a schema for each datum therefore never generates a class. Schemas and
 * conversions are read when the class is generated. Later changes have no effect.
 */
public final class CompiledDatums {
  /** The number of classes that {@link #shared()} keeps. */
  private static final int SHARED_CLASSES = 1024;

  /** The number of uses after which a class is generated. */
  private static final int USES = 16;

  private final ObjectClasses compiler;
  private final ClassCache<Key, Object> classes;

  private static final class Shared {
    static final CompiledDatums INSTANCE =
        new CompiledDatums(
            ClassCache.oneDaemon("avro-datum-compiler"),
            SHARED_CLASSES,
            CompilerOptions.ofSystemProperties());
  }

  /** The key of a class, compared by identity; a writer's key has no reader schema. */
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
   * Creates an empty cache.
   *
   * @param executor generates the classes; if it rejects the task of a class, a later use submits
   *     the task again
   * @param maxClasses the maximum number of classes to keep, from 1
   * @param options settings of the compiler
   */
  public CompiledDatums(Executor executor, int maxClasses, CompilerOptions options) {
    compiler = new ObjectClasses(options);
    classes = new ClassCache<>(executor, maxClasses);
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
    return classes.statistics().with(compiler.diskStatistics());
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
    return (ClassCache.Entry<ObjectReader>)
        (ClassCache.Entry<?>) classes.find(new Key(writer, reader, data));
  }

  /**
   * Returns the entry of a writer's class. The class is possibly not generated or requested yet.
   */
  @SuppressWarnings("unchecked") // Keys without a reader schema have writers.
  ClassCache.Entry<ObjectWriter> writer(Schema schema, GenericData data) {
    return (ClassCache.Entry<ObjectWriter>)
        (ClassCache.Entry<?>) classes.find(new Key(schema, null, data));
  }

  /** Counts a use of Avro's own code. Requests the class when there were enough uses. */
  void used(ClassCache.Entry<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    if (isDue(entry)) {
      makeLater(entry, name(writer, reader), () -> compile(writer, reader, data));
    }
  }

  /** Counts a use of Avro's own code. Requests the class when there were enough uses. */
  void used(ClassCache.Entry<ObjectWriter> entry, Schema schema, GenericData data) {
    if (isDue(entry)) {
      makeLater(entry, ClassCache.name(schema), () -> compile(schema, data));
    }
  }

  private static boolean isDue(ClassCache.Entry<?> entry) {
    return !entry.isAsked() && entry.countUse() >= USES;
  }

  private <T> void makeLater(ClassCache.Entry<T> entry, String name, Supplier<T> compiler) {
    try {
      classes.makeLater(entry, name, compiler);
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
    classes.make(entry, name, () -> compile(writer, reader, data));
    return made(entry, name);
  }

  /**
   * Generates the class of a writer in the caller's thread, unless it exists.
   *
   * @throws IllegalStateException if the class cannot be generated
   */
  ObjectWriter makeNow(ClassCache.Entry<ObjectWriter> entry, Schema schema, GenericData data) {
    String name = ClassCache.name(schema);
    classes.make(entry, name, () -> compile(schema, data));
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
