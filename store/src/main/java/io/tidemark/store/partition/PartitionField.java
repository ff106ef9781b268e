package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.PrintableText;
import io.tidemark.store.schema.SchemaConflictException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A field that names Hive partitions. Converts its values from Avro binary to text. Immutable.
 *
 * <p>The text is that of Hive's {@code CAST(... AS STRING)} on a column of the field: {@code 42},
 * {@code true}, {@code 2.5}, {@code 12.50} (decimal, with its scale), {@code 2026-11-21} (date),
 * {@code 2026-11-21 07:30:00.25} (timestamp-millis, in UTC), an enum's symbol; else a number.
 */
public final class PartitionField {
  private static final int SHOWN_CHARS = 64;
  private static final int DECIMAL_MAX_DIGITS = 255;
  private static final int DECIMAL_MAX_BITS = 847;
  private static final long MIN_EPOCH_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long MAX_EPOCH_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private interface Form {
    String text(byte[] bytes, int offset, int length) throws UnusablePartitionException;
  }

  private final String path;
  private final Form form;

  private PartitionField(String path, Form form) {
    this.path = path;
    this.form = form;
  }

  /** {@code schema} is without the null of a nullable union. */
  public static PartitionField of(String path, Schema schema) throws SchemaConflictException {
    return of(path, schema, "name a Hive partition", "partition.field.name");
  }

  /** As above for another {@code use}, a verb phrase; {@code setting} names the field. */
  public static PartitionField of(String path, Schema schema, String use, String setting)
      throws SchemaConflictException {
    return new PartitionField(
        path,
        form(schema)
            .orElseThrow(
                () ->
                    new SchemaConflictException(
                        "field %s: values of its schema %s cannot %s. It must be a string, an enum, a number, a boolean, a decimal of at most 255 digits, a date or a timestamp. Choose another %s."
                            .formatted(path, PrintableText.of(schema.toString()), use, setting))));
  }

  private static Optional<Form> form(Schema schema) {
    String logicalType = String.valueOf(schema.getProp("logicalType"));
    return switch (schema.getType()) {
      case STRING -> Optional.of(PartitionField::string);
      case ENUM -> Optional.of(enumeration(schema.getEnumSymbols()));
      case BOOLEAN -> Optional.of((bytes, offset, length) -> Boolean.toString(bytes[offset] != 0));
      case INT ->
          Optional.of(logicalType.equals("date") ? PartitionField::date : PartitionField::integer);
      case LONG ->
          Optional.of(
              logicalType.equals("timestamp-millis")
                  ? PartitionField::timestamp
                  : PartitionField::integer);
      case FLOAT ->
          Optional.of(
              (bytes, offset, length) -> Float.toString(buffer(bytes, offset, length).getFloat()));
      case DOUBLE ->
          Optional.of(
              (bytes, offset, length) ->
                  Double.toString(buffer(bytes, offset, length).getDouble()));
      case BYTES, FIXED -> logicalType.equals("decimal") ? decimal(schema) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Returns the text of a datum's field; empty if the datum does not have the field. */
  Optional<String> text(TableDatums datums, int datum, int field)
      throws UnusablePartitionException {
    return datums.hasField(datum, field)
        ? Optional.of(
            text(
                datums.bytes(), datums.fieldOffset(datum, field), datums.fieldLength(datum, field)))
        : Optional.empty();
  }

  /** Returns the text of a value in Avro binary, without the index of a union. */
  public String text(byte[] bytes, int offset, int length) throws UnusablePartitionException {
    String text;
    try {
      text = form.text(bytes, offset, length);
    } catch (UnusablePartitionException e) {
      throw new UnusablePartitionException("field \"" + path + "\": " + e.getMessage());
    }
    if (text.equals(HivePartition.DEFAULT_VALUE)) {
      throw new UnusablePartitionException(
          "field \"%s\" is \"%s\", which means null in Hive. Correct the producer."
              .formatted(path, text));
    }
    return text;
  }

  private static Form enumeration(List<String> symbols) {
    List<String> copied = List.copyOf(symbols);
    return (bytes, offset, length) -> copied.get((int) number(bytes, offset));
  }

  /** Returns the converter; empty if every value would exceed the length of a directory's name. */
  private static Optional<Form> decimal(Schema schema) {
    int scale = schema.getObjectProp("scale") instanceof Number n ? n.intValue() : 0;
    if (scale < 0 || scale > DECIMAL_MAX_DIGITS) {
      return Optional.empty();
    }
    boolean prefixed = schema.getType() == Schema.Type.BYTES;
    return Optional.of(
        (bytes, offset, length) -> {
          int skipped = prefixed ? numberBytes(bytes, offset) : 0;
          if (length == skipped) {
            throw new UnusablePartitionException(
                "it is a decimal without any bytes. Correct the producer.");
          }
          BigInteger unscaled = new BigInteger(bytes, offset + skipped, length - skipped);
          // Formatting millions of digits would take minutes.
          if (unscaled.bitLength() > DECIMAL_MAX_BITS) {
            throw new UnusablePartitionException(
                "it is a decimal of %d bits, which has more than the %d digits that fit into a directory's name. Correct the producer."
                    .formatted(unscaled.bitLength(), DECIMAL_MAX_DIGITS));
          }
          return new BigDecimal(unscaled, scale).toPlainString();
        });
  }

  private static String integer(byte[] bytes, int offset, int length) {
    return Long.toString(number(bytes, offset));
  }

  private static String date(byte[] bytes, int offset, int length)
      throws UnusablePartitionException {
    long day = number(bytes, offset);
    if (day < MIN_EPOCH_DAY || day > MAX_EPOCH_DAY) {
      throw new UnusablePartitionException(
          day + " days since 1970 is outside the years 1 to 9999. Correct the producer.");
    }
    return LocalDate.ofEpochDay(day).toString();
  }

  private static String timestamp(byte[] bytes, int offset, int length)
      throws UnusablePartitionException {
    return TIMESTAMP.format(
        Instant.ofEpochMilli(UnusablePartitionException.requireUsable(number(bytes, offset))));
  }

  private static String string(byte[] bytes, int offset, int length)
      throws UnusablePartitionException {
    int skipped = numberBytes(bytes, offset);
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, offset + skipped, length - skipped))
              .toString();
    } catch (CharacterCodingException e) {
      throw new UnusablePartitionException(
          "the bytes are not valid UTF-8, so they cannot be used in a path. Correct the producer.");
    }
    if (text.indexOf('\0') >= 0) {
      throw new UnusablePartitionException(
          "\"%s\" contains the character U+0000, which databases of the Metastore reject. Correct the producer."
              .formatted(PrintableText.of(text, SHOWN_CHARS)));
    }
    return text;
  }

  private static ByteBuffer buffer(byte[] bytes, int offset, int length) {
    return ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads an Avro int or long: seven bits a byte, the lowest first, then zigzag. */
  static long number(byte[] bytes, int offset) {
    long encoded = 0;
    int shift = 0;
    int at = offset;
    do {
      encoded |= (long) (bytes[at] & 0x7f) << shift;
      shift += 7;
    } while (bytes[at++] < 0);
    return (encoded >>> 1) ^ -(encoded & 1);
  }

  private static int numberBytes(byte[] bytes, int offset) {
    int end = offset;
    while (bytes[end] < 0) {
      end++;
    }
    return end + 1 - offset;
  }
}
