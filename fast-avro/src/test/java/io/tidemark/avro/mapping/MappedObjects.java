package io.tidemark.avro.mapping;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Converts objects of a writer schema to objects of its mapped schema, with Avro's conversions. */
final class MappedObjects {
  private static final Conversions.DecimalConversion DECIMAL = new Conversions.DecimalConversion();
  private static final Conversions.UUIDConversion UUID = new Conversions.UUIDConversion();

  /** The salt of hashes, and the text of masks. */
  static final String SECRET = "salt";

  private final boolean truncate;

  /** A value that has no exact result. */
  static final class InexactException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InexactException(String value) {
      super(value);
    }
  }

  MappedObjects(boolean truncate) {
    this.truncate = truncate;
  }

  @Nullable Object convert(@Nullable Object value, Schema from, Schema to) {
    if (from.isUnion()) {
      Schema branch = from.getTypes().get(GenericData.get().resolveUnion(from, value));
      return branchOf(value, branch, to);
    }
    return switch (from.getType()) {
      case RECORD ->
          to.getType() == Schema.Type.STRING
              ? scalar(Objects.requireNonNull(value), from, to)
              : record((IndexedRecord) Objects.requireNonNull(value), to);
      case ARRAY -> {
        var items = new GenericData.Array<@Nullable Object>(to, new ArrayList<>());
        for (Object item : (Iterable<?>) Objects.requireNonNull(value)) {
          items.add(convert(item, from.getElementType(), to.getElementType()));
        }
        yield items;
      }
      case MAP -> {
        var entries = new LinkedHashMap<Object, @Nullable Object>();
        ((Map<?, ?>) Objects.requireNonNull(value))
            .forEach(
                (key, item) ->
                    entries.put(key, convert(item, from.getValueType(), to.getValueType())));
        yield entries;
      }
      case NULL -> value;
      default -> scalar(Objects.requireNonNull(value), from, to);
    };
  }

  private @Nullable Object branchOf(@Nullable Object value, Schema branch, Schema to) {
    if (to.getType() == Schema.Type.RECORD && branch.getType() != Schema.Type.RECORD) {
      return member(value, branch, to);
    }
    if (to.getType() == Schema.Type.RECORD) {
      return to.getFullName().equals(branch.getFullName())
          ? convert(value, branch, to)
          : member(value, branch, to);
    }
    if (!to.isUnion()) {
      return convert(value, branch, to);
    }
    List<Schema> targets = to.getTypes();
    if (branch.getType() == Schema.Type.NULL) {
      return null;
    }
    for (Schema target : targets) {
      if (target.getName().endsWith("_union") || target.getName().matches(".*_union_[0-9]+")) {
        return member(value, branch, target);
      }
    }
    for (Schema target : targets) {
      boolean named =
          branch.getType() == Schema.Type.RECORD
              || branch.getType() == Schema.Type.FIXED
              || branch.getType() == Schema.Type.ENUM;
      if (target.getType() == branch.getType()
          && (!named || target.getFullName().equals(branch.getFullName()))) {
        return convert(value, branch, target);
      }
    }
    for (Schema target : targets) {
      try {
        return scalar(Objects.requireNonNull(value), branch, target);
      } catch (IllegalArgumentException e) {
        // It becomes another branch.
      }
    }
    throw new IllegalArgumentException(branch + " has no branch in " + to);
  }

  private Object member(@Nullable Object value, Schema branch, Schema to) {
    var record = new GenericData.Record(to);
    Schema.Field same = to.getField(branch.getName());
    if (same != null) {
      record.put(same.pos(), convert(value, branch, same.schema().getTypes().get(1)));
      return record;
    }
    for (Schema.Field field : to.getFields()) {
      try {
        Schema type = field.schema().getTypes().get(1);
        record.put(field.pos(), scalar(Objects.requireNonNull(value), branch, type));
        return record;
      } catch (IllegalArgumentException e) {
        // It becomes another field.
      }
    }
    throw new IllegalArgumentException("no field for " + branch + " in " + to);
  }

  private IndexedRecord record(IndexedRecord from, Schema to) {
    var record = new GenericData.Record(to);
    for (Schema.Field field : to.getFields()) {
      Schema.Field source = from.getSchema().getField(field.name());
      record.put(field.pos(), convert(from.get(source.pos()), source.schema(), field.schema()));
    }
    return record;
  }

  private Object scalar(Object value, Schema from, Schema to) {
    LogicalType was = from.getLogicalType();
    LogicalType is = to.getLogicalType();
    String replaced = to.getProp(SchemaMapping.REPLACED);
    if (replaced != null) {
      return replaced.equals("hash") ? hash(value, from) : mask(from, to);
    }
    if (from.getType() == Schema.Type.RECORD && to.getType() == Schema.Type.STRING) {
      return new Utf8(json(value, from));
    }
    if (from.getType() == Schema.Type.ENUM && to.getType() == Schema.Type.STRING) {
      return new Utf8(value.toString());
    }
    if (was instanceof LogicalTypes.Uuid
        && from.getType() == Schema.Type.FIXED
        && to.getType() == Schema.Type.STRING) {
      return new Utf8(UUID.fromFixed((GenericFixed) value, from, was).toString());
    }
    if (was instanceof LogicalTypes.Decimal digits
        && is instanceof LogicalTypes.Decimal
        && from.getType() != to.getType()) {
      // A union may have another decimal of fixed beside the made one.
      if (to.getType() == Schema.Type.FIXED
          && to.getFixedSize() != TypeRules.fixedSize(digits.getPrecision())) {
        throw new IllegalArgumentException(from + " as " + to);
      }
      return decimal(value, from, to);
    }
    if (was != null
        && is != null
        && was.getName().contains("time")
        && is.getName().contains("time")
        && !was.getName().equals(is.getName())) {
      return time(value, was, is);
    }
    boolean named =
        from.getType() == Schema.Type.FIXED
            || from.getType() == Schema.Type.ENUM
            || from.getType() == Schema.Type.RECORD;
    if (from.getType() != to.getType() || (named && !from.getFullName().equals(to.getFullName()))) {
      throw new IllegalArgumentException(from + " as " + to);
    }
    return value;
  }

  private static Utf8 hash(Object value, Schema from) {
    byte[] hashed =
        switch (from.getType()) {
          case BYTES -> {
            var bytes = new byte[((ByteBuffer) value).remaining()];
            ((ByteBuffer) value).duplicate().get(bytes);
            yield bytes;
          }
          case FIXED -> ((GenericFixed) value).bytes();
          case STRING, ENUM, INT, LONG -> value.toString().getBytes(StandardCharsets.UTF_8);
          default -> throw new IllegalArgumentException(from + " as a hash");
        };
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(SECRET.getBytes(StandardCharsets.UTF_8));
      return new Utf8(HexFormat.of().formatHex(digest.digest(hashed)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object mask(Schema from, Schema to) {
    Object mask =
        switch (from.getType()) {
          case STRING, BYTES, FIXED, ENUM -> new Utf8(SECRET);
          case BOOLEAN -> false;
          case INT -> 0;
          case LONG -> 0L;
          case FLOAT -> 0f;
          case DOUBLE -> 0d;
          default -> throw new IllegalArgumentException(from + " as a mask");
        };
    if (to.getType() != (mask instanceof Utf8 ? Schema.Type.STRING : from.getType())) {
      throw new IllegalArgumentException(from + " as " + to);
    }
    return mask;
  }

  private static String json(@Nullable Object value, Schema schema) {
    if (schema.isUnion()) {
      return json(value, schema.getTypes().get(GenericData.get().resolveUnion(schema, value)));
    }
    return switch (schema.getType()) {
      case RECORD ->
          schema.getFields().stream()
              .map(
                  field ->
                      quoted(field.name())
                          + ":"
                          + json(
                              ((IndexedRecord) Objects.requireNonNull(value)).get(field.pos()),
                              field.schema()))
              .collect(Collectors.joining(",", "{", "}"));
      case ARRAY ->
          ((List<?>) Objects.requireNonNull(value))
              .stream()
                  .map(item -> json(item, schema.getElementType()))
                  .collect(Collectors.joining(",", "[", "]"));
      case MAP ->
          ((Map<?, ?>) Objects.requireNonNull(value))
              .entrySet().stream()
                  .map(
                      entry ->
                          quoted(entry.getKey().toString())
                              + ":"
                              + json(entry.getValue(), schema.getValueType()))
                  .collect(Collectors.joining(",", "{", "}"));
      case BYTES -> number((ByteBuffer) Objects.requireNonNull(value), schema);
      case FIXED ->
          number(ByteBuffer.wrap(((GenericFixed) Objects.requireNonNull(value)).bytes()), schema);
      case STRING, ENUM -> quoted(String.valueOf(value));
      default -> String.valueOf(value);
    };
  }

  private static String number(ByteBuffer bytes, Schema schema) {
    var copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy.length > 0 && schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
        ? new BigDecimal(new BigInteger(copy), decimal.getScale()).toPlainString()
        : quoted(new String(copy, StandardCharsets.ISO_8859_1));
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int known = "\"\\\b\f\n\r\t".indexOf(c);
      if (known >= 0) {
        quoted.append('\\').append("\"\\bfnrt".charAt(known));
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04X", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static Object decimal(Object value, Schema from, Schema to) {
    try {
      // Avro's library checks the precision of the result, which is that of the source.
      BigDecimal number =
          value instanceof ByteBuffer bytes
              ? DECIMAL.fromBytes(bytes.duplicate(), from, from.getLogicalType())
              : DECIMAL.fromFixed((GenericFixed) value, from, from.getLogicalType());
      return to.getType() == Schema.Type.BYTES
          ? ByteBuffer.wrap(number.unscaledValue().toByteArray())
          : DECIMAL.toFixed(number, to, LogicalTypes.decimal(60, number.scale()));
    } catch (IllegalArgumentException | AvroRuntimeException | IndexOutOfBoundsException e) {
      throw new InexactException(String.valueOf(value));
    }
  }

  private Object time(Object value, LogicalType was, LogicalType is) {
    long number = ((Number) value).longValue();
    if (was.getName().startsWith("time-")) {
      long result =
          was.getName().equals("time-millis") ? number * 1000 : Math.floorDiv(number, 1000L);
      boolean exact = was.getName().equals("time-millis") || result * 1000 == number;
      if ((!exact && !truncate) || (is.getName().equals("time-millis") && (int) result != result)) {
        throw new InexactException(String.valueOf(value));
      }
      return is.getName().equals("time-millis") ? (Object) (int) result : (Object) result;
    }
    Instant instant = instant(number, was.getName().substring(was.getName().lastIndexOf('-') + 1));
    String unit = is.getName().substring(is.getName().lastIndexOf('-') + 1);
    try {
      long result =
          switch (unit) {
            case "millis" ->
                new TimeConversions.TimestampMillisConversion()
                    .toLong(
                        instant, Schema.create(Schema.Type.LONG), LogicalTypes.timestampMillis());
            case "micros" ->
                new TimeConversions.TimestampMicrosConversion()
                    .toLong(
                        instant, Schema.create(Schema.Type.LONG), LogicalTypes.timestampMicros());
            // Avro 1.12.1 converts instants before 1970 to wrong numbers of nanoseconds.
            default ->
                BigInteger.valueOf(instant.getEpochSecond())
                    .multiply(BigInteger.valueOf(1_000_000_000))
                    .add(BigInteger.valueOf(instant.getNano()))
                    .longValueExact();
          };
      if (!truncate && !instant(result, unit).equals(instant)) {
        throw new InexactException(String.valueOf(value));
      }
      return result;
    } catch (ArithmeticException e) {
      throw new InexactException(value + " from " + was.getName() + " to " + is.getName() + e);
    }
  }

  private static Instant instant(long number, String unit) {
    return switch (unit) {
      case "millis" -> Instant.ofEpochMilli(number);
      case "micros" ->
          Instant.ofEpochSecond(
              Math.floorDiv(number, 1_000_000L), 1_000L * Math.floorMod(number, 1_000_000L));
      default ->
          Instant.ofEpochSecond(
              Math.floorDiv(number, 1_000_000_000L), Math.floorMod(number, 1_000_000_000L));
    };
  }
}
