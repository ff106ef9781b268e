package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.schema.SchemaConflictException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampFieldTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant TIME = Instant.parse("2026-11-21T06:30:00.123Z");

  @ParameterizedTest
  @CsvSource({
    "'',                         1000000",
    "timestamp-millis,          1000000",
    "timestamp-micros,             1000",
    "timestamp-nanos,                 1"
  })
  void instantsOfEachUnitAreRead(String logicalType, long nanosPerUnit) throws Exception {
    long nanos = TIME.toEpochMilli() * 1_000_000;

    assertThat(read(schema("long", logicalType), nanos / nanosPerUnit)).isEqualTo(TIME);
    assertThat(read(schema("long", logicalType), -1L))
        .isEqualTo(Instant.ofEpochMilli(Math.floorDiv(-nanosPerUnit, 1_000_000)));
  }

  @ParameterizedTest
  @CsvSource({
    "local-timestamp-millis, 1000000",
    "local-timestamp-micros,    1000",
    "local-timestamp-nanos,        1"
  })
  void localTimestampsAreOfTheTablesZone(String logicalType, long nanosPerUnit) throws Exception {
    long nanos = Instant.parse("2026-11-21T07:30:00.123Z").toEpochMilli() * 1_000_000;

    assertThat(read(schema("long", logicalType), nanos / nanosPerUnit)).isEqualTo(TIME);
  }

  @ParameterizedTest
  @CsvSource({
    "s,  1795242600,          2026-11-21T06:30:00Z",
    "ms, 1795242600123,       2026-11-21T06:30:00.123Z",
    "us, 1795242600123456,    2026-11-21T06:30:00.123Z",
    "ns, 1795242600123456789, 2026-11-21T06:30:00.123Z",
    "s,  -1,                  1969-12-31T23:59:59Z"
  })
  void longWithoutALogicalTypeHasTheConfiguredUnit(String unit, long value, Instant time)
      throws Exception {
    TimestampField.Unit ofLong = TimestampField.Unit.of(unit);
    byte[] bytes = encode(schema("long", ""), value);
    assertThat(
            TimestampField.of("at", schema("long", ""), BERLIN, ofLong)
                .epochMillis(bytes, 0, bytes.length))
        .isEqualTo(time.toEpochMilli());

    byte[] millis = encode(schema("long", "timestamp-millis"), TIME.toEpochMilli());
    assertThat(
            TimestampField.of("at", schema("long", "timestamp-millis"), BERLIN, ofLong)
                .epochMillis(millis, 0, millis.length))
        .as("a logical type has its own unit")
        .isEqualTo(TIME.toEpochMilli());
  }

  /** The product with 1,000 would be another number. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, 9_223_372_036_854_776L})
  void secondsBeyondTheLastYearAreRefused(long seconds) throws Exception {
    byte[] bytes = encode(schema("long", ""), seconds);
    TimestampField field =
        TimestampField.of("at", schema("long", ""), BERLIN, TimestampField.Unit.SECONDS);
    assertThatThrownBy(() -> field.epochMillis(bytes, 0, bytes.length))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageStartingWith("field at: ");
  }

  @Test
  void dateBeginsAtMidnightOfTheTablesZone() throws Exception {
    int days = (int) LocalDate.parse("2026-11-21").toEpochDay();

    assertThat(read(schema("int", "date"), days)).isEqualTo("2026-11-20T23:00:00Z");
  }

  @Test
  void firstDayOfTheTablesZoneIsUsable() throws Exception {
    int days = (int) LocalDate.parse("0001-01-01").toEpochDay();

    assertThat(read(schema("int", "date"), days)).isEqualTo("0000-12-31T23:06:32Z");
    assertThat(read(schema("string", ""), "0001-01-01")).isEqualTo("0000-12-31T23:06:32Z");
    assertThatThrownBy(() -> read(schema("int", "date"), days - 1))
        .isInstanceOf(UnusablePartitionException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T06:30:00.123Z,           2026-11-21T06:30:00.123Z",
    "2026-11-21T06:30:00.123456789Z,     2026-11-21T06:30:00.123Z",
    "2026-11-21T07:30:00+01:00,          2026-11-21T06:30:00Z",
    "2026-11-21T07:30+0100,              2026-11-21T06:30:00Z",
    "2026-11-21T07+01,                   2026-11-21T06:00:00Z",
    "2026-11-21T07:30:00,                2026-11-21T06:30:00Z",
    "2026-11-21,                         2026-11-20T23:00:00Z",
    "2026-11-21t06:30z,                  2026-11-21T06:30:00Z"
  })
  void stringsAreReadAsIso8601(String text, Instant time) throws Exception {
    assertThat(read(schema("string", ""), text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2026-13-01", "2026-02-30", "1795000000", "2026-11-21T"})
  void otherStringsAreUnusable(String text) {
    assertThatThrownBy(() -> read(schema("string", ""), text))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageStartingWith(
            "field a.time: \"" + text + "\" is not a date and time in ISO 8601");
  }

  @Test
  void messageAboutAStringIsOneLineWithoutControlCharacters() {
    String forged = "x\n[2026-01-01 00:00:00] ERROR forged\u2028\u001b[2J";
    assertThatThrownBy(() -> read(schema("string", ""), forged))
        .isInstanceOf(UnusablePartitionException.class)
        .message()
        .doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+10001-01-01T00:00:00Z",
        "+999999999-12-31T23:59:59Z",
        "-999999999-01-01",
        "-0001-01-01T00:00:00Z"
      })
  void stringsOfYearsThatNoPathHasAreUnusable(String text) {
    assertThatThrownBy(() -> read(schema("string", ""), text))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageStartingWith("field a.time: ");
  }

  @Test
  void numberOfAnotherUnitIsUnusable() {
    assertThatThrownBy(() -> read(schema("long", ""), TIME.toEpochMilli() * 1000))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("field a.time: 1795242600123000 ms since 1970")
        .hasMessageContaining("timestamp-micros");
    assertThatThrownBy(() -> read(schema("int", "date"), Integer.MAX_VALUE))
        .isInstanceOf(UnusablePartitionException.class);
    assertThatThrownBy(() -> read(schema("long", ""), Long.MIN_VALUE))
        .isInstanceOf(UnusablePartitionException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"int\"",
        "\"double\"",
        "{\"type\": \"long\", \"logicalType\": \"time-micros\"}",
        "[\"long\", \"string\"]",
        "{\"type\": \"array\", \"items\": \"long\"}"
      })
  void otherTypesAreRefusedWhenPlanned(String schema) {
    assertThatThrownBy(
            () -> TimestampField.of("a.time", parse(schema), BERLIN, TimestampField.Unit.MILLIS))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageStartingWith("field a.time: values of its schema ")
        .hasMessageContaining("timestamp.field");
  }

  @Test
  void nullableFieldIsReadAsItsOtherBranch() throws Exception {
    byte[] bytes = encode(schema("long", ""), 5L);

    assertThat(
            TimestampField.of(
                    "t", parse("[\"null\", \"long\"]"), BERLIN, TimestampField.Unit.MILLIS)
                .epochMillis(bytes, 0, bytes.length))
        .isEqualTo(5);
  }

  private static Instant read(Schema schema, Object value) throws Exception {
    byte[] value0 = encode(schema, value);
    byte[] padded = new byte[value0.length + 9];
    System.arraycopy(value0, 0, padded, 3, value0.length);
    return Instant.ofEpochMilli(
        TimestampField.of("a.time", schema, BERLIN, TimestampField.Unit.MILLIS)
            .epochMillis(padded, 3, value0.length));
  }

  private static byte[] encode(Schema schema, Object value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<Object>(schema).write(value, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static Schema schema(String type, String logicalType) {
    return logicalType.isEmpty()
        ? parse("\"" + type + "\"")
        : parse("{\"type\": \"%s\", \"logicalType\": \"%s\"}".formatted(type, logicalType));
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json);
  }
}
