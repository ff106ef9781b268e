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
 * Reads datums as objects, as Avro's {@code GenericDatumReader} and {@code SpecificDatumReader} do,
 * by code that is compiled for the schemas. Safe for use by many threads, once its schemas are set.
 *
 * <pre>{@code
 * DatumReader<GenericRecord> reader = new FastDatumReader<>(writerSchema, readerSchema);
 * DatumReader<Quote> quotes = new FastDatumReader<>(Quote.class);
 * }</pre>
 *
 * <p>The {@link GenericData} decides what is read: a plain one makes generic objects, {@link
 * SpecificData} makes objects of generated classes, and both convert logical types by the
 * conversions that they have. Until the class is compiled, and for good if there can be none, this
 * reader uses the one that {@link GenericData#createDatumReader(Schema, Schema)} makes.
 *
 * @param <D> the objects
 */
public final class FastDatumReader<D> extends GenericDatumReader<D> {
  private final CompiledDatums classes;
  private volatile @Nullable ObjectReader code;
  private volatile @Nullable Slow<D> slow;

  /** What reads while there is no code. */
  private record Slow<D>(ClassCache.Entry<ObjectReader> entry, DatumReader<D> avro) {}

  /** Reads generic objects; {@link #setSchema} says of which schema. */
  public FastDatumReader() {
    this(null, null, GenericData.get());
  }

  /** Reads generic objects of the schema by which they were written. */
  public FastDatumReader(Schema schema) {
    this(schema, schema, GenericData.get());
  }

  /** Reads generic objects of one schema that were written by another. */
  public FastDatumReader(@Nullable Schema writer, @Nullable Schema reader) {
    this(writer, reader, GenericData.get());
  }

  /** Reads objects of a class that Avro generated. */
  public FastDatumReader(Class<D> type) {
    this(
        SpecificData.getForClass(type).getSchema(type),
        SpecificData.getForClass(type).getSchema(type),
        SpecificData.getForClass(type));
  }

  /** Reads objects as a {@code GenericData} makes them. */
  public FastDatumReader(@Nullable Schema writer, @Nullable Schema reader, GenericData data) {
    this(writer, reader, data, CompiledDatums.shared());
  }

  /** Reads objects as a {@code GenericData} makes them, by classes of a cache of one's own. */
  public FastDatumReader(
      @Nullable Schema writer, @Nullable Schema reader, GenericData data, CompiledDatums classes) {
    super(writer, reader, data);
    this.classes = classes;
  }

  /**
   * Says by which schema the data were written. It is also that of the objects, if none was set;
   * for specific data that of their class.
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

  /** Says which schema the objects have. */
  @Override
  public void setExpected(Schema reader) {
    super.setExpected(reader);
    code = null;
    slow = null;
  }

  /**
   * Reads the next datum.
   *
   * @param reuse an object to fill, or null; what is returned may be another
   */
  @Override
  // As Avro's readers: the caller says what the schema makes, be it null.
  @SuppressWarnings({"unchecked", "NullAway"})
  public D read(@Nullable D reuse, Decoder in) throws IOException {
    ObjectReader compiled = code;
    return compiled == null ? readSlowly(reuse, in) : (D) compiled.read(reuse, in);
  }

  /**
   * Reads a datum from a slice of an array, quicker than through a decoder of Avro's. Bytes behind
   * the datum are left.
   */
  public D read(@Nullable D reuse, byte[] bytes, int offset, int length) throws IOException {
    return read(reuse, new SliceDecoder(bytes, offset, length));
  }

  /**
   * Makes the class in the caller's thread, unless it is there. For tests, for benchmarks, and for
   * programs that rather start later than read the first datums slower.
   *
   * @throws IllegalStateException if there can be none: Avro's own code reads then
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
    return reader.avro().read(reuse, in);
  }

  @SuppressWarnings("unchecked") // GenericData says of its readers only that they are readers.
  private Slow<D> slow() {
    Slow<D> known = slow;
    if (known != null) {
      return known;
    }
    if (getSchema() == null || getExpected() == null) {
      throw new IllegalStateException(
          "The reader has no schema. Give one to the constructor, or call setSchema.");
    }
    var made =
        new Slow<D>(
            classes.reader(getSchema(), getExpected(), getData()),
            Objects.requireNonNull(
                getData().createDatumReader(getSchema(), getExpected()), "datum reader"));
    slow = made;
    return made;
  }
}
