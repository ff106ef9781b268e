package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.avro.specific.TestRecordWithLogicalTypes;
import org.apache.avro.specific.TestRecordWithMapsAndArrays;
import org.apache.avro.specific.TestUnionRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of classes that Avro's compiler generated, beside Avro's own reader and writer. */
final class SpecificRecordTest {

  @Test
  void fieldsOfLogicalTypesAreConverted() throws IOException {
    assertRoundTrips(
        TestRecordWithLogicalTypes.class,
        List.of(logicalTypes("first", 1), logicalTypes("second", 2), logicalTypes(null, 3)));
  }

  @Test
  void containersHaveStrings() throws IOException {
    assertRoundTrips(
        TestRecordWithMapsAndArrays.class,
        List.of(containers("first", 1), containers("second", 2), containers("", 3)));
  }

  @Test
  void decimalInAUnionIsConverted() throws IOException {
    assertRoundTrips(
        TestUnionRecord.class,
        List.of(
            new TestUnionRecord(BigDecimal.valueOf(150_000_000, 8)),
            new TestUnionRecord(),
            new TestUnionRecord(BigDecimal.valueOf(-1, 8))));
  }

  private static TestRecordWithLogicalTypes logicalTypes(@Nullable String text, int number) {
    return new TestRecordWithLogicalTypes(
        number % 2 == 0,
        number,
        10L * number,
        0.5f * number,
        0.25 * number,
        text,
        LocalDate.of(2026, 11, number),
        LocalTime.of(number, 30),
        Instant.ofEpochMilli(1_790_000_000_000L + number),
        BigDecimal.valueOf(number, 2),
        BigDecimal.valueOf(-number, 5));
  }

  /** Maps have one entry: more entries would have another order after they were read. */
  private static TestRecordWithMapsAndArrays containers(String text, long number) {
    return new TestRecordWithMapsAndArrays(
        List.of(text, "second"),
        Map.of(text, number),
        List.of(List.of(), List.of(text)),
        Map.of("outer", Map.of(text, number)));
  }

  /** Each record is read into the object of the record before it. */
  private static <D extends SpecificRecordBase> void assertRoundTrips(
      Class<D> type, List<D> records) throws IOException {
    var reader = new FastDatumReader<D>(type);
    var writer = new FastDatumWriter<D>(type);
    reader.compileNow();
    writer.compileNow();
    var avrosReader = new SpecificDatumReader<D>(type);
    var avrosWriter = new SpecificDatumWriter<D>(type);
    @Nullable D ours = null;
    @Nullable D theirs = null;
    for (D record : records) {
      byte[] datum = encoded(avrosWriter, record);
      @Nullable Object reused = ours;
      ours = reader.read(ours, datum, 0, datum.length);
      theirs = avrosReader.read(theirs, DecoderFactory.get().binaryDecoder(datum, null));

      assertThat(encoded(writer, record)).isEqualTo(datum);
      assertThat(encoded(writer, ours)).isEqualTo(datum);
      for (Schema.Field field : record.getSchema().getFields()) {
        assertThat(ours.get(field.pos())).as(field.name()).isEqualTo(theirs.get(field.pos()));
      }
      if (reused != null) {
        assertThat((Object) ours).isSameAs(reused);
      }
    }
  }

  private static <D> byte[] encoded(DatumWriter<D> writer, D datum) throws IOException {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(out, null);
    writer.write(datum, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
