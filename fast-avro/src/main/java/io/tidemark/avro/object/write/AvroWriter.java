package io.tidemark.avro.object.write;

import java.io.IOException;
import org.apache.avro.Conversion;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.jspecify.annotations.Nullable;

/**
 * The methods of Avro's writers that generated code calls for rare cases. Safe for use by many
 * threads.
 */
interface AvroWriter {

  /** Writes a value without converting it from a logical type. */
  void raw(Schema schema, @Nullable Object datum, Encoder out) throws IOException;

  /** Returns the plain value for a value of a logical type. */
  @Nullable Object converted(
      Schema schema, LogicalType type, @Nullable Conversion<?> conversion, @Nullable Object datum);

  /** Returns the {@code GenericData} by whose rules values are written. */
  GenericData data();

  /** Returns the methods of the writer of the given data. */
  static AvroWriter of(GenericData data) {
    return data instanceof SpecificData specific ? new Specific(specific) : new Generic(data);
  }

  /** The methods of Avro's generic writer. */
  final class Generic extends GenericDatumWriter<Object> implements AvroWriter {
    Generic(GenericData data) {
      super(data);
    }

    @Override
    public void raw(Schema schema, @Nullable Object datum, Encoder out) throws IOException {
      writeWithoutConversion(schema, datum, out);
    }

    @Override
    public @Nullable Object converted(
        Schema schema,
        LogicalType type,
        @Nullable Conversion<?> conversion,
        @Nullable Object datum) {
      return convert(schema, type, conversion, datum);
    }

    @Override
    public GenericData data() {
      return getData();
    }
  }

  /** The methods of Avro's specific writer. */
  final class Specific extends SpecificDatumWriter<Object> implements AvroWriter {
    Specific(SpecificData data) {
      super(data);
    }

    @Override
    public void raw(Schema schema, @Nullable Object datum, Encoder out) throws IOException {
      writeWithoutConversion(schema, datum, out);
    }

    @Override
    public @Nullable Object converted(
        Schema schema,
        LogicalType type,
        @Nullable Conversion<?> conversion,
        @Nullable Object datum) {
      return convert(schema, type, conversion, datum);
    }

    @Override
    public GenericData data() {
      return getData();
    }
  }
}
