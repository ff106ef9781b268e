package io.tidemark.store.partition;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.store.PrintableText;
import io.tidemark.store.schema.SchemaConflictException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;

/**
 * The field with a record's event time. Reads the time from Avro binary. Immutable.
 *
 * <p>The field has one of three types. A long has a number of units since 1970, or a logical type
 * {@code timestamp-} or {@code local-timestamp-millis}, {@code -micros} or {@code -nanos}. An int
 * has the logical type {@code date}. A string has a date and time in ISO 8601, in which time and
 * offset may be missing. Example: {@code 2026-11-21T07:30:00Z}. A date, a local timestamp and a
 * string without offset are in the table's time zone: their Hive partition has the same digits.
 */
public final class TimestampField {
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final int SHOWN_CHARS = 64;

  private static final DateTimeFormatter ISO_8601 =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("['T'HH[:mm[:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .appendPattern("]][XXX][X]]")
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
          .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
          .parseDefaulting(ChronoField.NANO_OF_SECOND, 0)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private static final long MOST_SECONDS = Long.MAX_VALUE / 1_000;

  public enum Unit {
    SECONDS,
    MILLIS,
    MICROS,
    NANOS,
    DAYS,
    TEXT;

    /** Returns the unit of a symbol in the configuration: s, ms, us or ns. */
    public static Unit of(String symbol) {
      return switch (symbol) {
        case "s" -> SECONDS;
        case "us" -> MICROS;
        case "ns" -> NANOS;
        default -> MILLIS;
      };
    }
  }

  private final String path;
  private final Unit unit;
  private final boolean local;
  private final ZoneId zone;

  private TimestampField(String path, Unit unit, boolean local, ZoneId zone) {
    this.path = path;
    this.unit = unit;
    this.local = local;
    this.zone = zone;
  }

  /** {@code zone} is that of values without one; {@code ofLong} is the unit of a plain long. */
  public static TimestampField of(String path, Schema schema, ZoneId zone, Unit ofLong)
      throws SchemaConflictException {
    Schema leaf = withoutNull(schema);
    String logicalType = leaf.getProp("logicalType");
    String type = leaf.getType().getName() + (logicalType == null ? "" : " " + logicalType);
    return switch (type) {
      case "long" -> new TimestampField(path, ofLong, false, zone);
      case "long timestamp-millis" -> new TimestampField(path, Unit.MILLIS, false, zone);
      case "long timestamp-micros" -> new TimestampField(path, Unit.MICROS, false, zone);
      case "long timestamp-nanos" -> new TimestampField(path, Unit.NANOS, false, zone);
      case "long local-timestamp-millis" -> new TimestampField(path, Unit.MILLIS, true, zone);
      case "long local-timestamp-micros" -> new TimestampField(path, Unit.MICROS, true, zone);
      case "long local-timestamp-nanos" -> new TimestampField(path, Unit.NANOS, true, zone);
      case "int date" -> new TimestampField(path, Unit.DAYS, true, zone);
      case "string" -> new TimestampField(path, Unit.TEXT, true, zone);
      default ->
          throw new SchemaConflictException(
              "field %s: values of its schema %s are not times. It must be a long (in timestamp.unit, or of a timestamp logical type), an int of the logical type date, or a string in ISO 8601. Choose another timestamp.field."
                  .formatted(path, PrintableText.of(schema.toString())));
    };
  }

  private static Schema withoutNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    List<Schema> branches =
        schema.getTypes().stream().filter(b -> b.getType() != Schema.Type.NULL).toList();
    return branches.size() == 1 ? branches.get(0) : schema;
  }

  /**
   * Returns milliseconds since 1970-01-01T00:00Z, in the years 1 to 9999 of some zone. The value is
   * Avro binary, without the index of a union.
   */
  public long epochMillis(byte[] bytes, int offset, int length) throws UnusablePartitionException {
    if (unit == Unit.TEXT) {
      return parse(text(bytes, offset, length));
    }
    long number = number(bytes, offset, length);
    long millis =
        switch (unit) {
          case SECONDS -> Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, number)) * 1_000;
          case MICROS -> Math.floorDiv(number, 1_000);
          case NANOS -> Math.floorDiv(number, 1_000_000);
          case DAYS -> number * MILLIS_PER_DAY;
          default -> number;
        };
    return usable(millis, local);
  }

  private long usable(long millis, boolean ofZone) throws UnusablePartitionException {
    try {
      return ofZone
          ? LocalDateTime.ofInstant(
                  Instant.ofEpochMilli(UnusablePartitionException.requireUsable(millis)),
                  ZoneOffset.UTC)
              .atZone(zone)
              .toInstant()
              .toEpochMilli()
          : UnusablePartitionException.requireInstant(millis);
    } catch (UnusablePartitionException e) {
      throw new UnusablePartitionException("field " + path + ": " + e.getMessage());
    }
  }

  private long parse(String text) throws UnusablePartitionException {
    try {
      TemporalAccessor parsed = ISO_8601.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
      return parsed instanceof OffsetDateTime time
          ? usable(time.toInstant().toEpochMilli(), false)
          : usable(((LocalDateTime) parsed).toInstant(ZoneOffset.UTC).toEpochMilli(), true);
    } catch (DateTimeException | ArithmeticException e) {
      // Java's years reach further from 1970 than a long of milliseconds.
      throw new UnusablePartitionException(
          "field %s: \"%s\" is not a date and time in ISO 8601. Example: 2026-11-21T07:30:00Z"
              .formatted(path, PrintableText.of(text, SHOWN_CHARS)));
    }
  }

  private String text(byte[] bytes, int offset, int length) throws UnusablePartitionException {
    int start = offset;
    while (start < offset + length && bytes[start] < 0) {
      start++;
    }
    start++;
    int textLength = offset + length - start;
    if (textLength < 0 || number(bytes, offset, start - offset) != textLength) {
      throw new UnusablePartitionException("field " + path + ": the bytes are not an Avro string");
    }
    return new String(bytes, start, textLength, UTF_8);
  }

  private long number(byte[] bytes, int offset, int length) throws UnusablePartitionException {
    if (length < 1 || length > 10) {
      throw new UnusablePartitionException(
          "field " + path + ": " + length + " bytes are not an Avro number, which has 1 to 10");
    }
    return PartitionField.number(bytes, offset);
  }
}
