package io.tidemark.avro.object;

import io.tidemark.avro.codegen.ClassCache;
import io.tidemark.avro.object.write.ObjectWriter;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * A {@code DatumWriter} that uses code which is generated for the schema. It can replace Avro's
 * {@code GenericDatumWriter} and {@code SpecificDatumWriter}. Safe for use by many threads, once
 * its schema is set.
 *
 * <pre>{@code
 * DatumWriter<GenericRecord> writer = new FastDatumWriter<>(schema);
 * DatumWriter<Quote> quotes = new FastDatumWriter<>(Quote.class);
 * }</pre>
 *
 * <p>The class is generated in the background at the 16th write with equal schemas and the same
 * {@code GenericData} object, counted over all writers with the same {@link CompiledDatums}. Until
 * the class is ready, this writer uses Avro's writer, as {@link
 * GenericData#createDatumWriter(Schema)} returns it. If no class can be generated, this writer
 * always uses Avro's writer.
 *
 * <p>If an object cannot be written, it is written again with Avro's writer. The exception of
 * Avro's writer has the path to the value.
 *
 * @param <D> the type of the objects
 */
public final class FastDatumWriter<D> extends GenericDatumWriter<D> {
  private final CompiledDatums classes;
  private @Nullable Schema schema;
  private volatile @Nullable ObjectWriter code;
  private volatile @Nullable Slow<D> slow;

  /** Avro's writer, which is used while there is no generated class. */
  private record Slow<D>(ClassCache.Entry<ObjectWriter> entry, DatumWriter<D> avro) {}

  /** Creates a writer of generic objects. Call {@link #setSchema} before the first write. */
  public FastDatumWriter() {
    this(null, GenericData.get());
  }

  /** Creates a writer of generic objects. */
  public FastDatumWriter(Schema schema) {
    this(schema, GenericData.get());
  }

  /** Creates a writer of objects of a specific record class. */
  public FastDatumWriter(Class<D> type) {
    this(SpecificData.getForClass(type).getSchema(type), SpecificData.getForClass(type));
  }

  /** Creates a writer that accesses the objects through the given {@code GenericData}. */
  public FastDatumWriter(@Nullable Schema schema, GenericData data) {
    this(schema, data, CompiledDatums.shared());
  }

  /** Creates a writer with the given {@code GenericData} and {@link CompiledDatums}. */
  public FastDatumWriter(@Nullable Schema schema, GenericData data, CompiledDatums classes) {
    super(schema, data);
    this.schema = schema;
    this.classes = classes;
  }

  /** Sets the schema. */
  @Override
  public void setSchema(Schema root) {
    super.setSchema(root);
    schema = root;
    code = null;
    slow = null;
  }

  /**
   * Writes an object.
   *
   * @throws IOException if the encoder cannot write its output
   * @throws RuntimeException the exception of Avro's writer, if the object is not of the schema
   * @throws IllegalStateException if no schema is set
   */
  @Override
  public void write(D datum, Encoder out) throws IOException {
    ObjectWriter compiled = code;
    if (compiled == null) {
      writeSlowly(datum, out);
      return;
    }
    try {
      compiled.write(datum, out);
    } catch (RuntimeException e) {
      diagnose(datum);
      throw e;
    }
  }

  /**
   * Generates the class in the caller's thread, unless it exists. For tests, for benchmarks, and
   * for programs where a slower start is better than slower first writes.
   *
   * @throws IllegalStateException if the class cannot be generated: Avro's own code is used then
   */
  public void compileNow() {
    code = classes.makeNow(slow().entry(), requireSchema(), getData());
  }

  /** Writes the object with Avro's writer, to throw its more precise exception. */
  private void diagnose(D datum) throws IOException {
    Encoder nowhere =
        EncoderFactory.get().blockingBinaryEncoder(java.io.OutputStream.nullOutputStream(), null);
    slow().avro().write(datum, nowhere);
  }

  private void writeSlowly(D datum, Encoder out) throws IOException {
    Slow<D> writer = slow();
    ObjectWriter compiled = writer.entry().made();
    if (compiled != null) {
      code = compiled;
      write(datum, out);
      return;
    }
    classes.used(writer.entry(), requireSchema(), getData());
    writer.avro().write(datum, out);
  }

  @SuppressWarnings("unchecked") // GenericData returns its writers without a type parameter.
  private Slow<D> slow() {
    Slow<D> known = slow;
    if (known != null) {
      return known;
    }
    var made =
        new Slow<D>(
            classes.writer(requireSchema(), getData()),
            getData().createDatumWriter(requireSchema()));
    slow = made;
    return made;
  }

  private Schema requireSchema() {
    Schema known = schema;
    if (known == null) {
      throw new IllegalStateException(
          "The writer has no schema. Pass one to the constructor, or call setSchema.");
    }
    return known;
  }
}
