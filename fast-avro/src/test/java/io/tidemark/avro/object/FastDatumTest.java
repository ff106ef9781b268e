package io.tidemark.avro.object;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.codegen.CompilerOptions;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.reflect.ReflectData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FastDatumTest {
  private static final Schema QUOTE =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("symbol")
          .requiredInt("size")
          .endRecord();
  private static final Schema SIZE =
      SchemaBuilder.record("Quote").fields().requiredLong("size").endRecord();

  private final GenericRecord quote =
      new GenericRecordBuilder(QUOTE).set("symbol", "SAP").set("size", 7).build();
  private final byte[] datum = AvroLibrary.encode(QUOTE, quote);
  private final CompiledDatums classes = new CompiledDatums(Runnable::run, 8, CompilerOptions.NONE);

  @Test
  void classIsMadeOnceADatumHasBeenReadOftenEnough() throws IOException {
    var reader = new FastDatumReader<GenericRecord>(QUOTE, QUOTE, new GenericData(), classes);

    assertThat(read(reader)).isEqualTo(quote);
    assertThat(classes.statistics().compiled()).isZero();
    for (int i = 0; i < 20; i++) {
      assertThat(read(reader)).isEqualTo(quote);
    }

    assertThat(classes.statistics().compiled()).isEqualTo(1);
  }

  @Test
  void readersOfTheSameSchemasShareAClass() throws IOException {
    var data = new GenericData();
    new FastDatumReader<GenericRecord>(QUOTE, SIZE, data, classes).compileNow();
    var reader = new FastDatumReader<GenericRecord>(QUOTE, SIZE, data, classes);
    reader.compileNow();

    assertThat(read(reader).get("size")).isEqualTo(7L);
    assertThat(classes.statistics().compiled()).isEqualTo(1);
  }

  @Test
  void avroReadsWhileThereIsNobodyToCompile() throws IOException {
    var busy =
        new CompiledDatums(
            task -> {
              throw new RejectedExecutionException("busy");
            },
            1,
            CompilerOptions.NONE);
    var reader = new FastDatumReader<GenericRecord>(QUOTE, QUOTE, new GenericData(), busy);

    for (int i = 0; i < 50; i++) {
      assertThat(read(reader)).isEqualTo(quote);
    }
    assertThat(busy.statistics().waiting()).isZero();
  }

  @Test
  void schemasThatAreSetLaterAreThoseThatCount() throws IOException {
    var reader = new FastDatumReader<GenericRecord>();
    reader.setSchema(QUOTE);
    reader.compileNow();
    assertThat(read(reader)).isEqualTo(quote);

    reader.setExpected(SIZE);

    assertThat(read(reader).getSchema()).isSameAs(SIZE);
    reader.compileNow();
    assertThat(read(reader).getSchema()).isSameAs(SIZE);
  }

  @Test
  void readerWithoutASchemaSaysSo() {
    var reader = new FastDatumReader<GenericRecord>();

    assertThatThrownBy(() -> read(reader))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setSchema");
  }

  @Test
  void dataThatMakeObjectsTheirOwnWayAreAsked() throws IOException {
    var set = new ArrayList<String>();
    var data =
        new GenericData() {
          @Override
          public void setField(Object record, String name, int position, @Nullable Object value) {
            set.add(name);
            super.setField(record, name, position, value);
          }
        };
    var reader = new FastDatumReader<GenericRecord>(QUOTE, QUOTE, data, classes);
    reader.compileNow();

    assertThat(read(reader)).isEqualTo(quote);
    assertThat(set).containsExactly("symbol", "size");
  }

  @Test
  void reflectionIsLeftToAvro() throws IOException {
    var reader = new FastDatumReader<GenericRecord>(QUOTE, QUOTE, ReflectData.get(), classes);

    assertThatThrownBy(reader::compileNow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Avro's own code is used");
    assertThat(read(reader)).isEqualTo(quote);
    assertThat(classes.statistics().lastFallBack()).isPresent();
  }

  @Test
  void recordOfAThousandFieldsIsCompiled() throws IOException {
    var fields = SchemaBuilder.record("Wide").fields();
    IntStream.range(0, 1_000).forEach(i -> fields.optionalDouble("f" + i));
    Schema wide = fields.endRecord();
    var record = new GenericData.Record(wide);
    IntStream.range(0, 1_000).filter(i -> i % 3 > 0).forEach(i -> record.put(i, (double) i));
    var reader = new FastDatumReader<GenericRecord>(wide, wide, new GenericData(), classes);
    var writer = new FastDatumWriter<GenericRecord>(wide, new GenericData(), classes);
    reader.compileNow();
    writer.compileNow();
    byte[] written = write(writer, record);

    assertThat(written).isEqualTo(AvroLibrary.encode(wide, record));
    assertThat(reader.read(null, written, 0, written.length)).isEqualTo(record);
  }

  @Test
  void fourThreadsShareAReaderWhileItsClassIsGenerated() throws Exception {
    ExecutorService compiler = Executors.newSingleThreadExecutor();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      var compiled = new CompiledDatums(compiler, 8, CompilerOptions.NONE);
      var reader = new FastDatumReader<GenericRecord>(QUOTE, QUOTE, new GenericData(), compiled);
      readByFour(threads, reader);
      compiler.shutdown();

      assertThat(compiler.awaitTermination(10, SECONDS)).isTrue();
      assertThat(compiled.statistics().compiled()).isEqualTo(1);
      readByFour(threads, reader);
    } finally {
      threads.shutdownNow();
      compiler.shutdownNow();
    }
  }

  /** Each thread reads quotes of its own. All begin at the same time. */
  private static void readByFour(ExecutorService threads, FastDatumReader<GenericRecord> reader)
      throws Exception {
    var start = new CyclicBarrier(4);
    List<Future<Long>> readings =
        IntStream.range(0, 4)
            .mapToObj(thread -> threads.submit(() -> readOwn(thread, start, reader)))
            .toList();
    for (Future<Long> reading : readings) {
      assertThat(reading.get()).isEqualTo(10_000);
    }
  }

  /** Returns how many of the read quotes are those that were written. */
  private static long readOwn(
      int thread, CyclicBarrier start, FastDatumReader<GenericRecord> reader) throws Exception {
    GenericRecord own =
        new GenericRecordBuilder(QUOTE).set("symbol", "S" + thread).set("size", thread).build();
    byte[] encoded = AvroLibrary.encode(QUOTE, own);
    start.await();
    long same = 0;
    for (int i = 0; i < 10_000; i++) {
      same += reader.read(null, encoded, 0, encoded.length).equals(own) ? 1 : 0;
    }
    return same;
  }

  @Test
  void objectThatCannotBeWrittenIsNamedByItsPath() {
    var writer = new FastDatumWriter<GenericRecord>(QUOTE, new GenericData(), classes);
    writer.compileNow();
    quote.put("size", "seven");

    assertThatThrownBy(() -> write(writer, quote))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("Quote.size");
  }

  @Test
  void lengthBeyondTheSliceAllocatesNothing() {
    var reader = new FastDatumReader<GenericRecord>(QUOTE);
    byte[] long100 = {(byte) 0xc8, 1, 'S'};

    assertThatThrownBy(() -> reader.read(null, long100, 0, long100.length))
        .isInstanceOf(EOFException.class);
  }

  private GenericRecord read(FastDatumReader<GenericRecord> reader) throws IOException {
    return reader.read(null, DecoderFactory.get().binaryDecoder(datum, null));
  }

  private static byte[] write(FastDatumWriter<GenericRecord> writer, GenericRecord record)
      throws IOException {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(out, null);
    writer.write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
