package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals of more digits than a reader has, in all ways to run a plan. */
final class WideDecimalsTest {
  private static final Schema WRITER =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "R", "fields": [
                {"name": "i", "type": "int"},
                {"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 64, "scale": 2}, "default": "\\u0004\\u00e2"},
                {"name": "n", "type": ["null", {"type": "bytes", "logicalType": "decimal", "precision": 64, "scale": 2}], "default": null},
                {"name": "a", "type": {"type": "array", "items": {"type": "bytes", "logicalType": "decimal", "precision": 64, "scale": 2}}},
                {"name": "narrow", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                {"name": "s", "type": "string"}]}""");

  private static final BigInteger LARGEST = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "-1",
        "127",
        "128",
        "-128",
        "-129",
        "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999"
      })
  void numbersLandAsTextAndAsDecimals(String unscaled) throws Exception {
    BigInteger number = new BigInteger(unscaled);
    byte[] datum = datum(number.toByteArray(), number.toByteArray());

    GenericRecord text = single(WideDecimals.asText(WRITER, 38), datum);
    GenericRecord decimal = single(WideDecimals.narrowed(WRITER, 38), datum);

    BigDecimal value = new BigDecimal(number, 2);
    assertThat(text.get("d")).hasToString(value.toPlainString());
    assertThat(text.get("n")).hasToString(value.toPlainString());
    assertThat(text.get("a"))
        .hasToString("[" + value.toPlainString() + ", " + value.toPlainString() + "]");
    assertThat(decimal.get("d")).isEqualTo(value);
    assertThat(decimal.get("n")).isEqualTo(value);
    assertThat(decimal.get("a")).isEqualTo(List.of(value, value));
    for (GenericRecord each : List.of(text, decimal)) {
      assertThat(each.get("i")).isEqualTo(7);
      assertThat(each.get("narrow")).isEqualTo(new BigDecimal("1.00"));
      assertThat(each.get("s")).hasToString("end");
    }
  }

  @Test
  void numberOfMoreDigitsIsRejectedAndHasAText() throws Exception {
    Schema narrowed = WideDecimals.narrowed(WRITER, 38);
    for (BigInteger number :
        List.of(
            LARGEST.add(BigInteger.ONE),
            LARGEST.negate().subtract(BigInteger.ONE),
            BigInteger.TEN.pow(200))) {
      for (boolean nested : List.of(false, true)) {
        byte[] datum =
            nested
                ? datum(new byte[] {1}, number.toByteArray())
                : datum(number.toByteArray(), new byte[] {1});
        for (PlanRunner runner : RunnerFactory.all(Planner.plan(WRITER, narrowed, List.of()))) {
          assertThatThrownBy(() -> runner.run(datum, 0, datum.length, new TableDatum()))
              .isInstanceOf(UnresolvableDatumException.class)
              .hasMessageContaining(nested ? "field \"n\"" : "field \"d\"")
              .hasMessageContaining(
                  "a decimal of " + number.toByteArray().length + " bytes has not 1 to 38 digits");
        }
      }
      assertThat(
              single(WideDecimals.asText(WRITER, 38), datum(number.toByteArray(), new byte[] {1}))
                  .get("d"))
          .hasToString(new BigDecimal(number, 2).toPlainString());
    }
  }

  @Test
  void bytesThatRepeatTheSignAreNoDigits() throws Exception {
    byte[] padded = new byte[40];
    padded[39] = 5;
    byte[] negative = new byte[40];
    Arrays.fill(negative, (byte) 0xff);

    GenericRecord row = single(WideDecimals.narrowed(WRITER, 38), datum(padded, negative));

    assertThat(row.get("d")).isEqualTo(new BigDecimal("0.05"));
    assertThat(row.get("n")).isEqualTo(new BigDecimal("-0.01"));
  }

  @Test
  void decimalWithoutBytesOrWithTooManyIsRejected() throws Exception {
    for (Schema table :
        List.of(WideDecimals.asText(WRITER, 38), WideDecimals.narrowed(WRITER, 38))) {
      for (byte[] bytes : List.of(new byte[0], ones(513))) {
        byte[] datum = datum(bytes, new byte[] {1});
        for (PlanRunner runner : RunnerFactory.all(Planner.plan(WRITER, table, List.of()))) {
          assertThatThrownBy(() -> runner.run(datum, 0, datum.length, new TableDatum()))
              .isInstanceOf(UnresolvableDatumException.class);
        }
      }
    }
  }

  @Test
  void defaultsBecomeTexts() {
    Schema text = WideDecimals.asText(WRITER, 38);

    assertThat(text.getField("d").schema().getType()).isEqualTo(Schema.Type.STRING);
    assertThat(text.getField("d").defaultVal()).isEqualTo("12.50");
    assertThat(text.getField("n").schema().toString())
        .isEqualTo("[\"null\",{\"type\":\"string\",\"tidemark.text.of\":\"decimal\"}]");
    assertThat(text.getField("narrow").schema()).isEqualTo(WRITER.getField("narrow").schema());
    assertThat(WideDecimals.narrowed(WRITER, 38).getField("d").defaultVal())
        .isEqualTo(new byte[] {4, (byte) 0xe2});
    assertThat(WideDecimals.asText(WRITER, 64)).isSameAs(WRITER);
  }

  private static byte[] ones(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  /** The record that all runners make, read by Avro's library. */
  private static GenericRecord single(Schema table, byte[] datum) throws Exception {
    var data = new GenericData();
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
    GenericRecord first = null;
    for (PlanRunner runner : RunnerFactory.all(Planner.plan(WRITER, table, List.of()))) {
      var result = new TableDatum();
      runner.run(datum, 0, datum.length, result);
      GenericRecord row =
          new GenericDatumReader<GenericRecord>(table, table, data)
              .read(
                  null,
                  DecoderFactory.get()
                      .binaryDecoder(result.bytes(), result.offset(), result.length(), null));
      assertThat(first == null || first.toString().equals(row.toString())).isTrue();
      first = row;
    }
    return Objects.requireNonNull(first);
  }

  private static byte[] datum(byte[] decimal, byte[] nested) throws Exception {
    Schema plain =
        new Schema.Parser().parse(WRITER.toString().replace("\"logicalType\":\"decimal\",", ""));
    var record = new GenericData.Record(plain);
    record.put("i", 7);
    record.put("d", ByteBuffer.wrap(decimal));
    record.put("n", ByteBuffer.wrap(nested));
    record.put("a", List.of(ByteBuffer.wrap(decimal), ByteBuffer.wrap(nested)));
    record.put("narrow", ByteBuffer.wrap(new byte[] {100}));
    record.put("s", "end");
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(plain).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
