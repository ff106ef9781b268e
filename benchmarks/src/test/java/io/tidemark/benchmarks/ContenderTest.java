package io.tidemark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.CountingSink;
import io.tidemark.benchmarks.contenders.Job;
import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every contender does the whole work: its result contains the original records. */
class ContenderTest {
  private static final long INPUT_BYTES = 100_000;

  static Stream<String> records() {
    return ReferenceRecord.all().stream().map(ReferenceRecord::name);
  }

  @ParameterizedTest
  @MethodSource("records")
  void allContendersCopyTheSameRecords(String name) throws IOException {
    ReferenceRecord record = inOwnSchema(name);
    byte[][] datums = record.datums(INPUT_BYTES);
    List<Object> expected = objects(record, joined(datums));

    for (Contender contender : contenders(Work.CHECK_COPY, record, "null")) {
      byte[] made = made(contender, Work.CHECK_COPY, record, "null", datums);
      assertThat(objects(record, made)).as(contender.label()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "snappy", "zstandard", "deflate"})
  void allContendersFillTheSameFiles(String codec) throws IOException {
    ReferenceRecord record = ReferenceRecord.named("StockQuote-78");
    byte[][] datums = record.datums(INPUT_BYTES);
    List<Object> expected = objects(record, joined(datums));

    for (Contender contender : contenders(Work.FILE, record, codec)) {
      byte[] made = made(contender, Work.FILE, record, codec, datums);
      assertThat(objects(record, made)).as(contender.label()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void oneFileHasAllRecordsInOrder(int parallelism) throws IOException {
    ReferenceRecord record = ReferenceRecord.named("Parcel-650");
    byte[][] datums = record.datums(2_000_000);
    var sink = new ByteArrayOutputStream();
    Schema schema = record.writerSchema();
    var job =
        new Job(
            Work.ONE_FILE, schema, schema, Optional.empty(), "snappy", parallelism, datums, sink);

    assertThat(Contender.OURS.prepare(job).getAsLong()).isEqualTo(datums.length);
    assertThat(objects(record, sink.toByteArray())).isEqualTo(objects(record, joined(datums)));
  }

  static Stream<String> rewritten() {
    return records().filter(name -> name.startsWith("StockQuote-v1-v2") || name.startsWith("Map-"));
  }

  @ParameterizedTest
  @MethodSource("rewritten")
  void allContendersRewriteToTheSameRecords(String name) throws IOException {
    ReferenceRecord record = ReferenceRecord.named(name);
    byte[][] datums = record.datums(INPUT_BYTES);
    List<Object> expected =
        objects(record, made(Contender.STOCK, Work.REWRITE, record, "null", datums));

    assertThat(expected).hasSize(datums.length);
    for (Contender contender : contenders(Work.REWRITE, record, "null")) {
      if (contender != Contender.MEMCPY) { // It does not rewrite.
        byte[] made = made(contender, Work.REWRITE, record, "null", datums);
        assertThat(objects(record, made)).as(contender.label()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"StockQuote-78", "Nested-small-deep-unions", "Airline-31"})
  void allContendersEncodeWhatTheyHaveDecoded(String name) throws IOException {
    ReferenceRecord record = inOwnSchema(name);
    byte[][] datums = record.datums(INPUT_BYTES);
    List<Object> expected = objects(record, joined(datums));

    for (Contender contender : contenders(Work.ENCODE, record, "null")) {
      byte[] made = made(contender, Work.ENCODE, record, "null", datums);
      assertThat(objects(record, made)).as(contender.label()).isEqualTo(expected);
    }
    for (Contender contender : contenders(Work.DECODE, record, "null")) {
      Job job = job(Work.DECODE, record, "null", datums, new CountingSink());
      assertThat(contender.prepare(job).getAsLong()).isEqualTo(datums.length);
    }
  }

  private static ReferenceRecord inOwnSchema(String name) {
    ReferenceRecord record = ReferenceRecord.named(name);
    return new ReferenceRecord(
        name, record.writerSchema(), record.writerSchema(), record.generator());
  }

  private static List<Contender> contenders(Work work, ReferenceRecord record, String codec) {
    return Arrays.stream(Contender.values())
        .filter(contender -> contender.does(work, record.name(), codec))
        .toList();
  }

  private static Job job(
      Work work, ReferenceRecord record, String codec, byte[][] datums, OutputStream sink) {
    return new Job(
        work, record.writerSchema(), record.tableSchema(), record.mapped(), codec, 1, datums, sink);
  }

  private static byte[] made(
      Contender contender, Work work, ReferenceRecord record, String codec, byte[][] datums)
      throws IOException {
    var sink = new ByteArrayOutputStream();
    long done = contender.prepare(job(work, record, codec, datums, sink)).getAsLong();
    assertThat(done).as(contender.label()).isPositive();
    return sink.toByteArray();
  }

  private static byte[] joined(byte[][] datums) {
    var bytes = new ByteArrayOutputStream();
    for (byte[] datum : datums) {
      bytes.writeBytes(datum);
    }
    return bytes.toByteArray();
  }

  /** The objects in a container file, or in consecutive datums. */
  private static List<Object> objects(ReferenceRecord record, byte[] bytes) throws IOException {
    var objects = new ArrayList<>();
    var reader = new GenericDatumReader<Object>(record.tableSchema());
    if (bytes.length > 4 && Arrays.equals(bytes, 0, 4, new byte[] {'O', 'b', 'j', 1}, 0, 4)) {
      try (var file = new DataFileReader<>(new SeekableByteArrayInput(bytes), reader)) {
        file.forEach(objects::add);
      }
      return objects;
    }
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes, null);
    while (!decoder.isEnd()) {
      objects.add(reader.read(null, decoder));
    }
    return objects;
  }
}
