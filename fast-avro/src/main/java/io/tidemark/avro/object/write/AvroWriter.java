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
 * The parts of Avro's writers, for what generated code leaves to them. Safe for use by many
 * threads.
 */
interface AvroWriter {

  /** Writes a value that is not converted. */
  void raw(Schema schema, @Nullable Object datum, Encoder out) throws IOException;

  /** Returns the plain value for a value of a logical type. */
  @Nullable Object converted(
      Schema schema, LogicalType type, @Nullable Conversion<?> conversion, @Nullable Object datum);

  /** The data by which values are written. */
  GenericData data();

  /** The parts of the writer of some data. */
  static AvroWriter of(GenericData data) {
    return data instanceof SpecificData specific ? new Specific(specific) : new Generic(data);
  }

  /** Those of Avro's generic writer. */
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

  /** Those of Avro's specific writer. */
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
