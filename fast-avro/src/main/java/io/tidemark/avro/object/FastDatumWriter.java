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
 * Writes objects as datums, as Avro's {@code GenericDatumWriter} and {@code SpecificDatumWriter}
 * do, by code that is compiled for the schema. Safe for use by many threads, once its schema is
 * set.
 *
 * <pre>{@code
 * DatumWriter<GenericRecord> writer = new FastDatumWriter<>(schema);
 * DatumWriter<Quote> quotes = new FastDatumWriter<>(Quote.class);
 * }</pre>
 *
 * <p>Until the class is compiled, and for good if there can be none, this writer uses the one that
 * {@link GenericData#createDatumWriter(Schema)} makes. An object that cannot be written is shown to
 * that one too, whose exception names the path to the value.
 *
 * @param <D> the objects
 */
public final class FastDatumWriter<D> extends GenericDatumWriter<D> {
  private final CompiledDatums classes;
  private @Nullable Schema schema;
  private volatile @Nullable ObjectWriter code;
  private volatile @Nullable Slow<D> slow;

  /** What writes while there is no code. */
  private record Slow<D>(ClassCache.Entry<ObjectWriter> entry, DatumWriter<D> avro) {}

  /** Writes generic objects; {@link #setSchema} says of which schema. */
  public FastDatumWriter() {
    this(null, GenericData.get());
  }

  /** Writes generic objects. */
  public FastDatumWriter(Schema schema) {
    this(schema, GenericData.get());
  }

  /** Writes objects of a class that Avro generated. */
  public FastDatumWriter(Class<D> type) {
    this(SpecificData.getForClass(type).getSchema(type), SpecificData.getForClass(type));
  }

  /** Writes objects as a {@code GenericData} looks at them. */
  public FastDatumWriter(@Nullable Schema schema, GenericData data) {
    this(schema, data, CompiledDatums.shared());
  }

  /** Writes objects as a {@code GenericData} looks at them, by classes of a cache of one's own. */
  public FastDatumWriter(@Nullable Schema schema, GenericData data, CompiledDatums classes) {
    super(schema, data);
    this.schema = schema;
    this.classes = classes;
  }

  /** Says by which schema objects are written. */
  @Override
  public void setSchema(Schema root) {
    super.setSchema(root);
    schema = root;
    code = null;
    slow = null;
  }

  /** Writes an object. */
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
   * Makes the class in the caller's thread, unless it is there. For tests, for benchmarks, and for
   * programs that rather start later than write the first objects slower.
   *
   * @throws IllegalStateException if there can be none: Avro's own code writes then
   */
  public void compileNow() {
    code = classes.makeNow(slow().entry(), requireSchema(), getData());
  }

  /** Throws what Avro's writer says of an object that it cannot write either. */
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

  @SuppressWarnings("unchecked") // GenericData says of its writers only that they are writers.
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
          "The writer has no schema. Give one to the constructor, or call setSchema.");
    }
    return known;
  }
}
