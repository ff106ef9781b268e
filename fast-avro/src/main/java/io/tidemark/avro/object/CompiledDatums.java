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

  /** By how many uses a class is asked for. */
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
    compiler = new ObjectClasses(options);
    classes = new ClassCache<>(executor, maxClasses);
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
    return classes.statistics().with(compiler.diskStatistics());
  }

  /** Forgets all classes; those that are in use live on in their readers and writers. */
  public void clear() {
    classes.clear();
  }

  /** The class of a reader, which may be on its way, or not asked for. */
  @SuppressWarnings("unchecked") // Keys with a reader schema have readers.
  ClassCache.Entry<ObjectReader> reader(Schema writer, Schema reader, GenericData data) {
    return (ClassCache.Entry<ObjectReader>)
        (ClassCache.Entry<?>) classes.find(new Key(writer, reader, data));
  }

  /** The class of a writer, which may be on its way, or not asked for. */
  @SuppressWarnings("unchecked") // Keys without a reader schema have writers.
  ClassCache.Entry<ObjectWriter> writer(Schema schema, GenericData data) {
    return (ClassCache.Entry<ObjectWriter>)
        (ClassCache.Entry<?>) classes.find(new Key(schema, null, data));
  }

  /** Counts a use of Avro's own code, and has the class made if it is worth it. */
  void used(ClassCache.Entry<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    if (isDue(entry)) {
      makeLater(entry, name(writer, reader), () -> compile(writer, reader, data));
    }
  }

  /** Counts a use of Avro's own code, and has the class made if it is worth it. */
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
      // The next use asks again.
    }
  }

  /**
   * Makes the class of a reader in the caller's thread, unless it is there.
   *
   * @throws IllegalStateException if there can be none
   */
  ObjectReader makeNow(
      ClassCache.Entry<ObjectReader> entry, Schema writer, Schema reader, GenericData data) {
    String name = name(writer, reader);
    classes.make(entry, name, () -> compile(writer, reader, data));
    return made(entry, name);
  }

  /**
   * Makes the class of a writer in the caller's thread, unless it is there.
   *
   * @throws IllegalStateException if there can be none
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
          name + " cannot be compiled; Avro's own code runs: " + refusal, refusal);
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
          data.getClass().getName() + " has ways of its own that only Avro's code follows");
    }
  }

  private static String name(Schema writer, Schema reader) {
    return ClassCache.name(writer) + " as " + ClassCache.name(reader);
  }
}
