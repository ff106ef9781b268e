package io.tidemark.avro.file.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.object.FastDatumReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FastDataFileReaderTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  private static final Schema TEXT = Schema.create(Schema.Type.STRING);

  @TempDir Path directory;

  /** A pool that never runs its work. */
  private static final class QueueOnly implements Executor {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }
  }

  /** An input that records whether it is closed. */
  private static final class ClosableInput extends SeekableByteArrayInput {
    private boolean closed;

    ClosableInput(byte[] file) {
      super(file);
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }

  private static byte[] file(BlockCodec codec, Schema schema, List<?> records) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer =
        ParallelFileWriter.builder(schema)
            .codec(codec)
            .blockSizeBytes(100)
            .parallelism(1)
            .metadata("origin", "here")
            .writeTo(out)) {
      for (Object record : records) {
        byte[] datum = AvroLibrary.encode(schema, record);
        writer.append(datum, 0, datum.length);
      }
      writer.finish();
    }
    return out.toByteArray();
  }

  private static List<Long> numbers(long to) {
    return LongStream.range(0, to).boxed().toList();
  }

  /** Thirty texts, one in each block. */
  private static List<String> texts() {
    return LongStream.range(0, 30).mapToObj(i -> Long.toString(i).repeat(100)).toList();
  }

  private static FastDataFileReader open(byte[] file, Executor pool, int parallelism)
      throws IOException {
    return FastDataFileReader.builder()
        .pool(pool)
        .parallelism(parallelism)
        .open(new SeekableByteArrayInput(file), "memory");
  }

  private static String text(FastDataFileReader reader) throws IOException {
    return String.valueOf(
        AvroLibrary.decode(TEXT, TEXT, reader.bytes(), reader.offset(), reader.length()));
  }

  private static List<Object> objects(FastDataFileReader reader) throws IOException {
    var objects = new ArrayList<Object>();
    try (FileReader<Object> all = reader.objects(new GenericDatumReader<>())) {
      all.forEach(objects::add);
    }
    return objects;
  }

  @Test
  void everyCodecAndParallelismGivesTheRecordsInOrder() throws Exception {
    var pool = Executors.newFixedThreadPool(3);
    try {
      for (String codec : BlockCodec.NAMES) {
        byte[] file = file(BlockCodec.of(codec), LONG, numbers(5000));
        for (int parallelism : new int[] {0, 1, 2, 7}) {
          assertThat(objects(open(file, pool, parallelism)))
              .as(codec + " " + parallelism)
              .isEqualTo(numbers(5000));
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void headIsShown() throws Exception {
    Path path = directory.resolve("numbers.avro");
    Files.write(path, file(BlockCodec.of("deflate"), LONG, numbers(3)));

    try (var reader = FastDataFileReader.open(path)) {
      assertThat(reader.schema()).isEqualTo(LONG);
      assertThat(reader.codec()).isEqualTo("deflate");
      assertThat(reader.metadataKeys()).containsExactly("avro.schema", "avro.codec", "origin");
      assertThat(reader.metadata("origin")).hasValue("here".getBytes(StandardCharsets.UTF_8));
      assertThat(reader.metadata("none")).isEmpty();
    }
  }

  @Test
  void poolThatRunsNothingLeavesAllToTheCallerAndNoMoreThanItsShareIsReadAhead() throws Exception {
    var pool = new QueueOnly();
    byte[] file = file(BlockCodec.of("snappy"), TEXT, texts());

    try (var reader = open(file, pool, 4)) {
      for (int i = 0; i < 30; i++) {
        assertThat(reader.next()).isTrue();
        assertThat(text(reader)).isEqualTo(texts().get(i));
        assertThat(pool.tasks).hasSize(Math.min(30, i + 4));
      }
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void lateTasksOfThePoolDisturbNothing() throws Exception {
    var pool = new QueueOnly();
    byte[] file = file(BlockCodec.of("snappy"), TEXT, texts());

    try (var reader = open(file, pool, 4)) {
      for (int i = 0; i < 30; i++) {
        assertThat(reader.next()).isTrue();
        pool.tasks.forEach(Runnable::run);
        assertThat(text(reader)).isEqualTo(texts().get(i));
      }
    }
    pool.tasks.forEach(Runnable::run);
  }

  @Test
  void uncompressedBlocksAndNoParallelismLeaveThePoolAlone() throws Exception {
    Executor refusing =
        task -> {
          throw new AssertionError("the pool was used");
        };

    assertThat(objects(open(file(BlockCodec.of("null"), LONG, numbers(900)), refusing, 4)))
        .hasSize(900);
    assertThat(objects(open(file(BlockCodec.of("deflate"), LONG, numbers(900)), refusing, 1)))
        .hasSize(900);
    assertThat(objects(open(file(BlockCodec.of("deflate"), LONG, numbers(900)), refusing, 0)))
        .hasSize(900);
  }

  @Test
  void poolThatRefusesLeavesAllToTheCaller() throws Exception {
    Executor full =
        task -> {
          throw new RejectedExecutionException("full");
        };

    assertThat(objects(open(file(BlockCodec.of("deflate"), LONG, numbers(900)), full, 4)))
        .isEqualTo(numbers(900));
  }

  @Test
  void objectsAreReadByAnotherSchemaAndReused() throws Exception {
    Schema written = SchemaBuilder.record("Quote").fields().requiredInt("size").endRecord();
    Schema wanted = SchemaBuilder.record("Quote").fields().requiredLong("size").endRecord();
    byte[] file =
        file(
            BlockCodec.of("zstandard"),
            written,
            LongStream.range(0, 500)
                .mapToObj(i -> new GenericRecordBuilder(written).set("size", (int) i).build())
                .toList());
    var datums = new FastDatumReader<GenericRecord>(null, wanted, new GenericData());

    try (FileReader<GenericRecord> reader = open(file, Runnable::run, 3).objects(datums)) {
      GenericRecord first = reader.next();
      GenericRecord record = first;
      for (long i = 1; i < 500; i++) {
        record = reader.next(record);
        assertThat(record.get("size")).isEqualTo(i);
      }
      assertThat(record).isSameAs(first);
      assertThat(reader.hasNext()).isFalse();
      assertThatThrownBy(reader::next)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("memory has no further record");
    }
  }

  @Test
  void slicesAndObjectsAreTakenFromOnePlace() throws Exception {
    byte[] file = file(BlockCodec.of("deflate"), TEXT, texts());

    try (var reader = open(file, Runnable::run, 2)) {
      FileReader<Object> objects = reader.objects(new GenericDatumReader<>());
      assertThat(reader.next()).isTrue();
      assertThat(objects.next()).hasToString(texts().get(1));
      assertThat(reader.next()).isTrue();
      assertThat(text(reader)).isEqualTo(texts().get(2));
    }
  }

  @Test
  void faultOfALaterBlockWaitsForItsTurnAndCanBeLeftOut() throws Exception {
    for (String codec : List.of("snappy", "null")) {
      byte[] file = file(BlockCodec.of(codec), TEXT, texts());
      long tenth = blockStart(file, 10);
      file[(int) blockStart(file, 11) - 1] ^= 1;

      try (var reader = open(file, Runnable::run, 8)) {
        for (int i = 0; i < 10; i++) {
          assertThat(reader.next()).isTrue();
          assertThat(text(reader)).isEqualTo(texts().get(i));
        }
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(reader::next)
              .isInstanceOfSatisfying(
                  CorruptFileException.class,
                  fault -> {
                    assertThat(fault.file()).isEqualTo("memory");
                    assertThat(fault.position()).isEqualTo(tenth);
                  })
              .hasMessage(
                  "memory@%d: the sync marker after the block is not that of the file. The file was"
                          .formatted(tenth)
                      + " damaged or truncated. Restore the file, or call sync(%d) to skip the block."
                          .formatted(tenth + 1));
        }
        reader.sync(tenth + 1);
        // The next complete marker is the one after the following block.
        assertThat(reader.next()).isTrue();
        assertThat(text(reader)).isEqualTo(texts().get(12));
      }
    }
  }

  @Test
  void blockThatCannotBeDecompressedIsNamedAndCanBeLeftOut() throws Exception {
    for (String codec : List.of("deflate", "snappy", "zstandard", "bzip2", "xz")) {
      byte[] file = file(BlockCodec.of(codec), TEXT, texts());
      int fifth = (int) blockStart(file, 5);
      int sixth = (int) blockStart(file, 6);
      // After the count and the size, which has one or two bytes.
      Arrays.fill(file, fifth + (file[fifth + 1] < 0 ? 3 : 2), sixth - 16, (byte) 0xa5);

      try (var reader = open(file, Runnable::run, 3)) {
        for (int i = 0; i < 5; i++) {
          assertThat(reader.next()).isTrue();
        }
        assertThatThrownBy(reader::next)
            .as(codec)
            .isInstanceOf(CorruptFileException.class)
            .hasMessageStartingWith("memory@" + fifth + ": the block cannot be decompressed: ");
        reader.sync(fifth + 1);
        assertThat(reader.next()).isTrue();
        assertThat(text(reader)).isEqualTo(texts().get(6));
      }
    }
  }

  @Test
  void recordThatIsMalformedIsNamed() throws Exception {
    byte[] file = file(BlockCodec.of("null"), LONG, numbers(30));
    int block = (int) blockStart(file, 0);
    // The block has a count and a size of two bytes together; its second record becomes endless.
    Arrays.fill(file, block + 3, file.length - 16, (byte) 0xff);
    file[block + 2] = 2;

    try (var reader = open(file, Runnable::run, 1)) {
      assertThat(reader.next()).isTrue();
      assertThatThrownBy(reader::next)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("memory@" + block + ": record 1 of the block")
          .hasMessageContaining("long is longer than 10 bytes");
      assertThatThrownBy(reader::next).hasMessageContaining("record 1 of the block");
    }
    try (FileReader<Object> reader =
        open(file, Runnable::run, 1).objects(new GenericDatumReader<>())) {
      assertThat(reader.next()).isEqualTo(1L);
      assertThatThrownBy(reader::next)
          .isInstanceOf(AvroRuntimeException.class)
          .cause()
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("Invalid long encoding");
    }
  }

  @Test
  void bytesBehindTheRecordsOfABlockAreAFault() throws Exception {
    byte[] file = file(BlockCodec.of("null"), LONG, numbers(30));
    int block = (int) blockStart(file, 0);
    file[block] = (byte) (file[block] - 2);

    try (var reader = open(file, Runnable::run, 1)) {
      for (int i = 0; i < 29; i++) {
        assertThat(reader.next()).isTrue();
      }
      assertThatThrownBy(reader::next)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("memory@" + block + ": 1 byte follows the block's last record");
    }
  }

  @Test
  void blockThatClaimsTooMuchIsNeitherAllocatedNorDecompressed() throws Exception {
    byte[] huge = file(BlockCodec.of("deflate"), TEXT, List.of("0".repeat(1 << 20)));
    for (int parallelism : new int[] {1, 3}) {
      try (var reader =
          FastDataFileReader.builder()
              .maxBlockBytes(1 << 19)
              .parallelism(parallelism)
              .open(new SeekableByteArrayInput(huge), "memory")) {
        assertThatThrownBy(reader::next)
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining("more than 524288 bytes when decompressed (maxBlockBytes)")
            .hasMessageContaining("Raise maxBlockBytes");
      }
    }

    byte[] file = file(BlockCodec.of("null"), LONG, numbers(30));
    byte[] cut = Arrays.copyOf(file, (int) blockStart(file, 0) + 8);
    int count = cut.length - 8;
    // 1 record with a size of 2^31 - 64 bytes.
    System.arraycopy(
        new byte[] {2, (byte) 0x80, (byte) 0xff, (byte) 0xff, (byte) 0xff, 15}, 0, cut, count, 6);
    try (var reader = open(cut, Runnable::run, 1)) {
      assertThatThrownBy(reader::next).hasMessageContaining("the file ends within a block");
    }
  }

  @Test
  void whatIsNoAvroFileIsRefusedAndTheFileOfThePathClosed() throws Exception {
    Path path = directory.resolve("text.avro");
    for (String content : List.of("", "Obj", "no Avro file at all")) {
      Files.writeString(path, content);

      assertThatThrownBy(() -> FastDataFileReader.open(path))
          .isInstanceOf(InvalidAvroMagicException.class)
          .hasMessageStartingWith(path + "@0: this is not an Avro data file")
          .hasMessageEndingWith("Name another file, or restore this one.");
    }
    Files.writeString(path, "Obj\u0001");
    assertThatThrownBy(() -> FastDataFileReader.open(path))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(path + "@0: the header of an Avro data file cannot be read: ")
        .hasMessageEndingWith("Name another file, or restore this one.");
    var input = new ClosableInput(new byte[0]);
    assertThatThrownBy(() -> FastDataFileReader.builder().open(input, "memory"))
        .isInstanceOf(InvalidAvroMagicException.class);
    assertThat(input.closed).isFalse();
  }

  @Test
  void closingEndsAllAndClosesTheInput() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    try {
      var input = new ClosableInput(file(BlockCodec.of("zstandard"), TEXT, texts()));
      var reader = FastDataFileReader.builder().pool(pool).parallelism(8).open(input, "memory");
      assertThat(reader.next()).isTrue();
      reader.close();

      assertThat(input.closed).isTrue();
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void interruptedReadingGoesOnWithTheSameRecord() throws Exception {
    byte[] file = file(BlockCodec.of("deflate"), TEXT, texts());
    var threads = new ArrayList<Thread>();
    Executor slow =
        task -> {
          var thread = new Thread(task, "decompressor");
          threads.add(thread);
          thread.start();
        };

    try (var reader = open(file, slow, 4)) {
      var read = new ArrayList<String>();
      while (read.size() < 30) {
        Thread.currentThread().interrupt();
        try {
          assertThat(reader.next()).isTrue();
          read.add(text(reader));
        } catch (InterruptedIOException e) {
          // After the interrupt is cleared, the next call returns the expected record.
          assertThat(Thread.interrupted()).isTrue();
          assertThat(reader.next()).isTrue();
          read.add(text(reader));
        }
        Thread.interrupted();
      }
      assertThat(read).isEqualTo(texts());
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    var settings = FastDataFileReader.builder();

    assertThatThrownBy(() -> settings.parallelism(-1))
        .hasMessage("parallelism must be from 0 to 1024, not -1");
    assertThatThrownBy(() -> settings.maxBlockBytes(0))
        .hasMessage("maxBlockBytes must be from 1 to 2147483639, not 0");
  }

  @Test
  void placeBeforeTheFileIsRefused() throws Exception {
    try (var reader = open(file(BlockCodec.of("null"), LONG, numbers(3)), Runnable::run, 1)) {
      assertThatThrownBy(() -> reader.sync(-1)).hasMessage("a position must not be negative: -1");
    }
  }

  /** The position at which a block begins. */
  private static long blockStart(byte[] file, int index) throws IOException {
    try (var reader = open(file, Runnable::run, 1)) {
      for (int i = 0; i < index; i++) {
        reader.sync(reader.previousSync());
      }
      return reader.previousSync();
    }
  }
}
