package io.tidemark.avro.object.write;

import java.io.IOException;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that generated writers call. Each behaves like the same step of Avro's {@code
 * GenericDatumWriter}.
 */
@SuppressWarnings("ReferenceEquality") // Equal schemas are not enough: see UnionCode.
final class WriteOps {
  private WriteOps() {}

  static int intOf(Object datum) {
    return datum instanceof Integer number ? number : ((Number) datum).intValue();
  }

  static long longOf(Object datum) {
    return datum instanceof Long number ? number : ((Number) datum).longValue();
  }

  static float floatOf(Object datum) {
    return datum instanceof Float number ? number : ((Number) datum).floatValue();
  }

  static double doubleOf(Object datum) {
    return datum instanceof Double number ? number : ((Number) datum).doubleValue();
  }

  static void text(@Nullable Object datum, Encoder out, AvroWriter avro, Schema schema)
      throws IOException {
    if (datum instanceof Utf8 text) {
      out.writeString(text);
    } else if (datum instanceof String text) {
      out.writeString(text);
    } else {
      avro.raw(schema, datum, out);
    }
  }

  static void symbol(@Nullable Object datum, Encoder out, AvroWriter avro, Schema schema)
      throws IOException {
    if (datum instanceof GenericEnumSymbol<?> symbol && !(datum instanceof Enum<?>)) {
      out.writeEnum(schema.getEnumOrdinal(symbol.toString()));
    } else {
      avro.raw(schema, datum, out);
    }
  }

  static void key(@Nullable Object key, Encoder out) throws IOException {
    if (key instanceof Utf8 text) {
      out.writeString(text);
    } else {
      out.writeString(Objects.requireNonNull(key).toString());
    }
  }

  /** Returns the value to encode: converted, if there is a conversion for its class. */
  static @Nullable Object converted(
      @Nullable Object datum, Schema schema, LogicalType type, AvroWriter avro) {
    return datum == null
        ? null
        : avro.converted(
            schema, type, avro.data().getConversionByClass(datum.getClass(), type), datum);
  }

  /** Returns the value of a field to encode. A specific record has conversions of its own. */
  static @Nullable Object converted(
      IndexedRecord record, int position, Schema schema, LogicalType type, AvroWriter avro) {
    Object datum = record.get(position);
    if (record instanceof SpecificRecordBase specific) {
      return avro.converted(schema, type, specific.getConversion(position), datum);
    }
    return converted(datum, schema, type, avro);
  }

  static boolean isText(@Nullable Object datum) {
    return datum instanceof Utf8 || datum instanceof String;
  }

  static boolean isRecord(@Nullable Object datum, Schema schema) {
    return datum instanceof IndexedRecord record && record.getSchema() == schema;
  }

  static boolean isSymbol(@Nullable Object datum, Schema schema) {
    return datum instanceof GenericData.EnumSymbol symbol && symbol.getSchema() == schema;
  }

  static boolean isFixed(@Nullable Object datum, Schema schema) {
    return datum != null
        && datum.getClass() == GenericData.Fixed.class
        && ((GenericData.Fixed) datum).getSchema() == schema;
  }

  static boolean isArray(@Nullable Object datum) {
    return datum instanceof Collection<?>
        && !(datum instanceof IndexedRecord)
        && !(datum instanceof GenericEnumSymbol<?>);
  }

  static boolean isMap(@Nullable Object datum) {
    return datum instanceof Map<?, ?>
        && !(datum instanceof Collection<?>)
        && !(datum instanceof IndexedRecord)
        && !(datum instanceof GenericEnumSymbol<?>);
  }

  static boolean isOf(@Nullable Object datum, Class<?> type) {
    return datum != null && datum.getClass() == type;
  }

  static void requireSize(int size, int written, String what) {
    if (size != written) {
      throw new ConcurrentModificationException(
          "Size of %s written was %d, but number of %s written was %d. "
              .formatted(what, size, what.equals("map") ? "entries" : "elements", written));
    }
  }
}
