package io.tidemark.avro.file.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.jspecify.annotations.Nullable;

/**
 * Reads random files, valid and damaged, and compares the result with Avro's {@code
 * DataFileReader}. Each case follows from its seed.
 */
final class FastDataFileReaderPropertyTest {
  private static final ExecutorService POOL = Executors.newFixedThreadPool(3);

  /** A damaged count may be arbitrarily large if records take no bytes. */
  private static final int MOST_RECORDS = 2000;

  @AfterContainer
  static void stopPool() {
    POOL.shutdownNow();
  }

  /** A file and its schema. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sample(Schema schema, byte[] file, List<byte[]> datums) {

    /** Random records, written by Avro's library or by fast-avro. */
    static Sample of(long seed) throws IOException {
      var avro = new RandomAvro(seed);
      Random random = avro.random();
      Schema schema = avro.schema();
      var datums = new ArrayList<byte[]>();
      for (int i = random.nextInt(60); i > 0; i--) {
        datums.add(AvroLibrary.encode(schema, avro.datum(schema), random.nextBoolean()));
      }
      String codec = BlockCodec.NAMES.get(random.nextInt(BlockCodec.NAMES.size()));
      var out = new ByteArrayOutputStream();
      if (random.nextBoolean()) {
        writeByAvro(schema, datums, codec, random, out);
      } else {
        writeByUs(schema, datums, codec, random, out);
      }
      return new Sample(schema, out.toByteArray(), datums);
    }

    private static void writeByAvro(
        Schema schema, List<byte[]> datums, String codec, Random random, ByteArrayOutputStream out)
        throws IOException {
      try (var writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
        writer.setCodec(CodecFactory.fromString(codec)).create(schema, out);
        for (byte[] datum : datums) {
          writer.appendEncoded(ByteBuffer.wrap(datum));
          if (random.nextInt(6) == 0) {
            writer.sync();
          }
        }
      }
    }

    private static void writeByUs(
        Schema schema, List<byte[]> datums, String codec, Random random, ByteArrayOutputStream out)
        throws IOException {
      try (var writer =
          ParallelFileWriter.builder(schema)
              .codec(BlockCodec.of(codec))
              .blockSizeBytes(1 + random.nextInt(100))
              .parallelism(1)
              .writeTo(out)) {
        for (byte[] datum : datums) {
          writer.append(datum, 0, datum.length);
        }
        writer.finish();
      }
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void recordsAreThoseThatAvroReads(@ForAll long seed) throws Exception {
    Sample sample = Sample.of(seed);

    assertThat(records(avros(sample.file()))).isEqualTo(records(ours(sample.file(), seed)));
    var slices = new ArrayList<byte[]>();
    try (var reader = open(sample.file(), seed)) {
      while (reader.next()) {
        slices.add(
            Arrays.copyOfRange(reader.bytes(), reader.offset(), reader.offset() + reader.length()));
      }
    }
    assertThat(slices).usingElementComparator(Arrays::compare).isEqualTo(sample.datums());
  }

  /**
   * Every position of a small file, and 2000 of a larger one, because each one is searched byte by
   * byte.
   */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void everySplitIsThatOfAvro(@ForAll long seed) throws Exception {
    byte[] file = Sample.of(seed).file();
    var random = new Random(seed);
    int step = 1 + file.length / 2000;

    try (var avros = new DataFileReader<>(new SeekableByteArrayInput(file), genericReader());
        var reader = open(file, seed)) {
      FileReader<Object> ours = reader.objects(genericReader());
      for (int position = 0; position < file.length; position += step) {
        avros.sync(position);
        ours.sync(position);
        assertThat(reader.previousSync()).isEqualTo(avros.previousSync());
        int end = position + random.nextInt(file.length);
        if (random.nextInt(50) == 0) {
          assertThat(recordsUpTo(ours, end)).isEqualTo(recordsUpTo(avros, end));
        }
        assertThat(ours.pastSync(end)).isEqualTo(avros.pastSync(end));
      }
      // Avro's reader throws an exception at these positions, so it is not compared.
      ours.sync(file.length + random.nextInt(20));
      assertThat(ours.hasNext()).isFalse();
      assertThat(ours.pastSync(Long.MAX_VALUE / 2)).isTrue();
    }
  }

  private static List<@Nullable Object> recordsUpTo(FileReader<Object> reader, long end)
      throws IOException {
    var records = new ArrayList<@Nullable Object>();
    while (reader.hasNext() && !reader.pastSync(end)) {
      records.add(reader.next());
    }
    return records;
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void truncatedFileGivesItsWholeBlocksAndThenAnError(@ForAll long seed) throws Exception {
    Sample sample = Sample.of(seed);
    byte[] cut = Arrays.copyOf(sample.file(), new Random(seed).nextInt(sample.file().length));
    List<@Nullable Object> avros = new ArrayList<>();
    Throwable avrosFault = catchThrowable(() -> collect(avros(cut), avros));
    List<@Nullable Object> ours = new ArrayList<>();
    Throwable fault = catchThrowable(() -> collect(ours(cut, seed), ours));

    // Cut after a block's count, a file of records without bytes is complete for Avro's reader.
    boolean takesNoBytes = sample.datums().stream().allMatch(datum -> datum.length == 0);
    assertThat(ours).isEqualTo(takesNoBytes ? avros.subList(0, ours.size()) : avros);
    if (avrosFault != null) {
      assertThat(corrupt(fault)).isNotNull();
    } else if (fault != null) {
      // Avro's reader regards a cut block as the end of the file.
      assertThat(corrupt(fault)).hasMessageContaining("the file ends within a block");
    } else {
      try (var reader = open(cut, seed)) {
        while (reader.next()) {}
        assertThat(reader.previousSync()).isEqualTo(cut.length);
      }
    }
  }

  @Property(tries = 600, shrinking = ShrinkingMode.OFF)
  void damagedFileGivesWhatAvroReadsUpToAnError(@ForAll long seed) throws Exception {
    byte[] file = Sample.of(seed).file();
    var random = new Random(seed);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      file[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
    }
    List<@Nullable Object> avros = new ArrayList<>();
    Throwable avrosFault = catchThrowable(() -> collect(avros(file), avros));
    List<@Nullable Object> ours = new ArrayList<>();
    Throwable fault = catchThrowable(() -> collect(ours(file, seed), ours));

    int both = Math.min(avros.size(), ours.size());
    assertThat(ours.subList(0, both)).isEqualTo(avros.subList(0, both));
    if (fault == null) {
      assertThat(avrosFault).isNull();
      assertThat(ours).hasSizeGreaterThanOrEqualTo(avros.size());
    } else {
      assertThat(corrupt(fault)).isNotNull();
    }
  }

  /**
   * The exception itself, or the one that an iterator wraps. Damage to a file's first bytes makes
   * it a file of another format.
   */
  private static @Nullable IOException corrupt(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof AvroRuntimeException ? thrown.getCause() : thrown;
    return cause instanceof CorruptFileException || cause instanceof InvalidAvroMagicException
        ? (IOException) cause
        : null;
  }

  private static GenericDatumReader<Object> genericReader() {
    return new GenericDatumReader<>(null, null, new GenericData());
  }

  private static FileReader<Object> avros(byte[] file) throws IOException {
    return new DataFileReader<>(new SeekableByteArrayInput(file), genericReader());
  }

  private static FileReader<Object> ours(byte[] file, long seed) throws IOException {
    return open(file, seed).objects(genericReader());
  }

  private static FastDataFileReader open(byte[] file, long seed) throws IOException {
    return FastDataFileReader.builder()
        .pool(POOL)
        .parallelism((int) Math.floorMod(seed, 5L))
        .open(new SeekableByteArrayInput(file), "sample");
  }

  private static List<@Nullable Object> records(FileReader<Object> reader) throws IOException {
    var records = new ArrayList<@Nullable Object>();
    collect(reader, records);
    return records;
  }

  private static void collect(FileReader<Object> reader, List<@Nullable Object> records)
      throws IOException {
    try (reader) {
      while (records.size() < MOST_RECORDS && reader.hasNext()) {
        records.add(reader.next());
      }
    }
  }
}
