package io.tidemark.avro.object;

import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.codegen.ClassCache;
import io.tidemark.avro.object.read.ObjectReader;
import java.io.IOException;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A {@code DatumReader} that uses code which is generated for the schemas. It can replace Avro's
 * {@code GenericDatumReader} and {@code SpecificDatumReader}. Safe for use by many threads, once
 * its schemas are set.
 *
 * <pre>{@code
 * DatumReader<GenericRecord> reader = new FastDatumReader<>(writerSchema, readerSchema);
 * DatumReader<Quote> quotes = new FastDatumReader<>(Quote.class);
 * }</pre>
 *
 * <p>The objects depend on the {@link GenericData}: {@code GenericData} creates generic records,
 * and {@link SpecificData} creates objects of specific record classes, which Avro's own compiler
 * generated. Both apply their logical type conversions.
 *
 * <p>The class is generated in the background at the 16th read with equal schemas and the same
 * {@code GenericData} object, counted over all readers with the same {@link CompiledDatums}. Parse
 * a schema once and reuse the object: that is faster. Until the class is ready, this reader uses
 * Avro's reader, as {@link GenericData#createDatumReader(Schema, Schema)} returns it. If no class
 * can be generated, this reader always uses Avro's reader.
 *
 * @param <D> the type of the objects
 */
public final class FastDatumReader<D> extends GenericDatumReader<D> {
  private final CompiledDatums classes;
  private volatile @Nullable ObjectReader code;
  private volatile @Nullable Slow<D> slow;

  /** The entry of the class, and Avro's reader, which is used while there is no class. */
  private static final class Slow<D> {
    private final ClassCache.Entry<ObjectReader> entry;
    private volatile @Nullable DatumReader<D> avro;

    Slow(ClassCache.Entry<ObjectReader> entry) {
      this.entry = entry;
    }

    ClassCache.Entry<ObjectReader> entry() {
      return entry;
    }
  }

  /** Creates a reader of generic objects. Call {@link #setSchema} before the first read. */
  public FastDatumReader() {
    this(null, null, GenericData.get());
  }

  /** Creates a reader of generic objects, with one schema for writer and reader. */
  public FastDatumReader(Schema schema) {
    this(schema, schema, GenericData.get());
  }

  /** Creates a reader of generic objects. */
  public FastDatumReader(@Nullable Schema writer, @Nullable Schema reader) {
    this(writer, reader, GenericData.get());
  }

  /** Creates a reader of objects of a specific record class. */
  public FastDatumReader(Class<D> type) {
    this(
        SpecificData.getForClass(type).getSchema(type),
        SpecificData.getForClass(type).getSchema(type),
        SpecificData.getForClass(type));
  }

  /** Creates a reader of objects that the given {@code GenericData} creates. */
  public FastDatumReader(@Nullable Schema writer, @Nullable Schema reader, GenericData data) {
    this(writer, reader, data, CompiledDatums.shared());
  }

  /** Creates a reader with the given {@code GenericData} and {@link CompiledDatums}. */
  public FastDatumReader(
      @Nullable Schema writer, @Nullable Schema reader, GenericData data, CompiledDatums classes) {
    super(writer, reader, data);
    this.classes = classes;
  }

  /**
   * Sets the writer schema. If no reader schema is set, this method also sets the reader schema to
   * the writer schema. With {@link SpecificData}, the reader schema is then the schema of the
   * specific record class that has the writer schema's name, if there is such a class.
   */
  @Override
  public void setSchema(Schema writer) {
    if (getExpected() == null
        && getData() instanceof SpecificData data
        && writer != null
        && writer.getType() == Schema.Type.RECORD) {
      Class<?> type = data.getClass(writer);
      if (type != null && SpecificRecord.class.isAssignableFrom(type)) {
        super.setExpected(data.getSchema(type));
      }
    }
    super.setSchema(writer);
    code = null;
    slow = null;
  }

  /** Sets the reader schema. */
  @Override
  public void setExpected(Schema reader) {
    super.setExpected(reader);
    code = null;
    slow = null;
  }

  /**
   * Reads the next datum.
   *
   * @param reuse an object to fill, or null; the result may be another object
   * @throws IOException if the decoder cannot read its input, or the input ends within the datum.
   *     Other malformed input throws an unchecked exception, such as {@code AvroRuntimeException}
   * @throws IllegalStateException if no schema is set
   */
  @Override
  // As in Avro's readers: the schema decides whether the result may be null.
  @SuppressWarnings({"unchecked", "NullAway"})
  public D read(@Nullable D reuse, Decoder in) throws IOException {
    ObjectReader compiled = code;
    return compiled == null ? readSlowly(reuse, in) : (D) compiled.read(reuse, in);
  }

  /**
   * Reads a datum from a slice of an array: {@code length} bytes, beginning at {@code offset}. This
   * is faster than to read through one of Avro's decoders. Bytes after the datum are ignored.
   *
   * @throws IOException if the slice ends within the datum. Other malformed input throws an
   *     unchecked exception, such as {@code AvroRuntimeException}
   */
  public D read(@Nullable D reuse, byte[] bytes, int offset, int length) throws IOException {
    return read(reuse, new SliceDecoder(bytes, offset, length));
  }

  /**
   * Generates the class in the caller's thread, unless it exists. For tests, for benchmarks, and
   * for programs where a slower start is better than slower first reads.
   *
   * @throws IllegalStateException if the class cannot be generated: Avro's own code is used then
   */
  public void compileNow() {
    code = classes.makeNow(slow().entry(), getSchema(), getExpected(), getData());
  }

  private D readSlowly(@Nullable D reuse, Decoder in) throws IOException {
    Slow<D> reader = slow();
    ObjectReader compiled = reader.entry().made();
    if (compiled != null) {
      code = compiled;
      return read(reuse, in);
    }
    classes.used(reader.entry(), getSchema(), getExpected(), getData());
    return avro(reader).read(reuse, in);
  }

  /** Returns Avro's reader. Its fast reader keeps all schemas, so it is created when it is used. */
  @SuppressWarnings("unchecked") // GenericData returns its readers without a type parameter.
  private DatumReader<D> avro(Slow<D> reader) {
    DatumReader<D> known = reader.avro;
    if (known == null) {
      known =
          Objects.requireNonNull(
              getData().createDatumReader(getSchema(), getExpected()), "datum reader");
      reader.avro = known;
    }
    return known;
  }

  private Slow<D> slow() {
    Slow<D> known = slow;
    if (known != null) {
      return known;
    }
    if (getSchema() == null || getExpected() == null) {
      throw new IllegalStateException(
          "The reader has no schema. Pass one to the constructor, or call setSchema.");
    }
    var made = new Slow<D>(classes.reader(getSchema(), getExpected(), getData()));
    slow = made;
    return made;
  }
}
