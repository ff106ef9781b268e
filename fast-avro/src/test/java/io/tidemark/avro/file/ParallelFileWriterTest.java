package io.tidemark.avro.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParallelFileWriterTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  // A chunk has half a MiB.
  private static final int CHUNK_BYTES = 512 << 10;

  @TempDir Path directory;

  /** A stream that fails after this number of bytes. */
  private static final class BreakingStream extends OutputStream {
    private int left;
    private boolean closed;

    BreakingStream(int left) {
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      if (left-- == 0) {
        throw new IOException("disk full");
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /**
   * A codec that copies blocks, and fails with an OutOfMemoryError at a block that begins with a 1.
   */
  private record FailingCodec() implements BlockCodec {

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor() {
        @Override
        public ByteBuffer compress(byte[] raw, int offset, int length) {
          if (raw[offset] == 1) {
            throw new OutOfMemoryError("no memory is left");
          }
          return ByteBuffer.wrap(raw, offset, length);
        }

        @Override
        public void close() {}
      };
    }
  }

  /** A codec that copies blocks and counts the threads that do so at a time. */
  private record CountingCodec(AtomicInteger now, AtomicInteger most) implements BlockCodec {
    CountingCodec() {
      this(new AtomicInteger(), new AtomicInteger());
    }

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public BlockCompressor newCompressor() {
      return new BlockCompressor() {
        @Override
        public ByteBuffer compress(byte[] raw, int offset, int length) {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          now.decrementAndGet();
          return ByteBuffer.wrap(raw, offset, length);
        }

        @Override
        public void close() {}
      };
    }
  }

  /** A pool that rejects all work. */
  private static void refuse(Runnable task) {
    throw new RejectedExecutionException("shut down");
  }

  private static ParallelFileWriter.Builder builder() {
    return ParallelFileWriter.builder(LONG).syncMarker(new byte[16]).blockSizeBytes(1000);
  }

  private static void append(ParallelFileWriter writer, long from, long to) throws IOException {
    var datum = new byte[Varint.MAX_BYTES];
    for (long i = from; i < to; i++) {
      writer.append(datum, 0, Varint.write(i, datum, 0));
    }
  }

  private static List<Long> read(byte[] file) throws IOException {
    var records = new ArrayList<Long>();
    try (var reader =
        new DataFileReader<>(new SeekableByteArrayInput(file), new GenericDatumReader<Long>())) {
      reader.forEach(records::add);
    }
    return records;
  }

  private static List<Long> numbers(long to) {
    return Stream.iterate(0L, i -> i < to, i -> i + 1).toList();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void smallFileIsLeftToTheCallersThread() throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer = builder().pool(ParallelFileWriterTest::refuse).parallelism(8).writeTo(file)) {
      append(writer, 0, 10_000);
      writer.finish();
      assertThat(writer.records()).isEqualTo(10_000);
    }

    assertThat(read(file.toByteArray())).isEqualTo(numbers(10_000));
  }

  @Test
  void parallelismOfOneLeavesThePoolAlone() throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer =
        builder()
            .pool(ParallelFileWriterTest::refuse)
            .parallelism(1)
            .serialBelowBytes(0)
            .writeTo(file)) {
      append(writer, 0, 500_000);
      writer.finish();
    }

    assertThat(read(file.toByteArray())).hasSize(500_000);
  }

  @Test
  void poolThatNeverBeginsOnlySlowsDown() throws IOException {
    Queue<Runnable> submitted = new ArrayDeque<>();
    var file = new ByteArrayOutputStream();
    try (var writer =
        builder().pool(submitted::add).parallelism(3).serialBelowBytes(0).writeTo(file)) {
      append(writer, 0, 2_000_000);
      writer.finish();
    }
    submitted.forEach(Runnable::run);

    assertThat(submitted).isNotEmpty();
    assertThat(read(file.toByteArray())).isEqualTo(numbers(2_000_000));
  }

  @Test
  void noMoreThreadsCompressThanAllowed() throws Exception {
    var pool = Executors.newFixedThreadPool(8);
    var codec = new CountingCodec();
    try (var writer =
        builder()
            .codec(codec)
            .pool(pool)
            .parallelism(3)
            .serialBelowBytes(0)
            .writeTo(OutputStream.nullOutputStream())) {
      for (int i = 0; i < 100_000; i++) {
        writer.append(new byte[1000], 0, 1000);
      }
      writer.finish();
    } finally {
      pool.shutdown();
    }

    assertThat(codec.most).hasValueBetween(1, 3);
    assertThat(pool.awaitTermination(10, SECONDS)).isTrue();
  }

  @Test
  void blockSizeIsKeptAcrossChunks() throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer = builder().blockSizeBytes(3000).writeTo(file)) {
      for (int i = 0; i < 2 * CHUNK_BYTES / 1000; i++) {
        writer.append(new byte[1000], 0, 1000);
      }
      writer.finish();
    }

    var blockCounts = new ArrayList<Long>();
    try (var reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(file.toByteArray()), new GenericDatumReader<>())) {
      while (reader.hasNext()) {
        blockCounts.add(reader.getBlockCount());
        reader.nextBlock();
      }
    }
    assertThat(blockCounts.subList(0, blockCounts.size() - 1)).containsOnly(3L);
  }

  @Test
  void faultOfABlockInThePoolTellsItsRecords() throws Exception {
    var pool = Executors.newFixedThreadPool(2);
    try (var writer =
        builder()
            .codec(new FailingCodec())
            .pool(pool)
            .parallelism(3)
            .serialBelowBytes(0)
            .writeTo(OutputStream.nullOutputStream())) {
      for (int i = 0; i < 300_000; i++) {
        writer.append(new byte[10], 0, 10);
      }
      writer.append(new byte[] {1}, 0, 1);
      var failure =
          catchThrowableOfType(BlockFailedException.class, () -> appendForever(writer, 10));

      assertThat(failure.firstRecord()).isEqualTo(300_000);
      assertThat(failure.lastRecord()).isEqualTo(300_100);
      assertThat(failure)
          .hasMessage(
              "records 300000 to 300100 could not be compressed with failing:"
                  + " java.lang.OutOfMemoryError: no memory is left. The file is incomplete. Remove"
                  + " the cause, then write the file again.")
          .hasCauseInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> writer.append(new byte[1], 0, 1))
          .hasMessage("an earlier call failed, and the file is incomplete. Close this writer.");
      assertThatThrownBy(writer::finish)
          .hasMessage("an earlier call failed, and the file is incomplete. Close this writer.");
    } finally {
      pool.shutdown();
    }
    assertThat(pool.awaitTermination(10, SECONDS)).isTrue();
  }

  @Test
  void faultOfABlockInTheCallersThreadTellsItsRecords() throws IOException {
    try (var writer =
        builder().codec(new FailingCodec()).writeTo(OutputStream.nullOutputStream())) {
      append(writer, 0, 10);
      writer.flush();
      writer.append(new byte[] {1}, 0, 1);

      assertThatThrownBy(writer::flush).hasMessageStartingWith("records 10 to 10 could not be");
    }
  }

  @Test
  void poolThatRefusesTellsTheRecords() throws IOException {
    try (var writer =
        builder()
            .pool(ParallelFileWriterTest::refuse)
            .parallelism(2)
            .serialBelowBytes(0)
            .writeTo(OutputStream.nullOutputStream())) {
      var failure =
          catchThrowableOfType(BlockFailedException.class, () -> appendForever(writer, 1000));

      assertThat(failure.firstRecord()).isZero();
      assertThat(failure).hasCauseInstanceOf(RejectedExecutionException.class);
    }
  }

  @Test
  void faultOfTheStreamBreaksTheFile() throws IOException {
    var stream = new BreakingStream(5_000);
    try (var writer = builder().writeTo(stream)) {
      assertThatThrownBy(() -> appendForever(writer, 10)).hasMessage("disk full");
      assertThatThrownBy(() -> writer.append(new byte[1], 0, 1))
          .hasMessage("an earlier call failed, and the file is incomplete. Close this writer.");
    }

    assertThat(stream.closed).isTrue();
  }

  @Test
  void streamThatRefusesTheHeaderIsClosed() {
    var stream = new BreakingStream(3);

    assertThatThrownBy(() -> builder().writeTo(stream)).hasMessage("disk full");
    assertThat(stream.closed).isTrue();
  }

  @Test
  void flushPutsEverythingIntoTheStream() throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer = builder().writeTo(file)) {
      append(writer, 0, 10);
      writer.flush();
      assertThat(read(file.toByteArray())).isEqualTo(numbers(10));

      append(writer, 10, 20);
      writer.flush();
      assertThat(read(file.toByteArray())).isEqualTo(numbers(20));
    }
  }

  @Test
  void streamIsFlushedAfterEveryBlockIfAskedTo() throws IOException {
    var flushes = new AtomicInteger();
    var stream =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            flushes.incrementAndGet();
          }
        };
    try (var writer = builder().flushEveryBlock(true).writeTo(stream)) {
      for (int i = 0; i < 25; i++) {
        writer.append(new byte[100], 0, 100);
      }
      writer.finish();
    }

    assertThat(flushes).hasValue(3);
  }

  @Test
  void fsyncReachesWhatCanBeForced() throws IOException {
    Path path = directory.resolve("stream.avro");
    try (var writer = builder().writeTo(new FileOutputStream(path.toFile()))) {
      append(writer, 0, 10);
      writer.fsync();
      assertThat(read(Files.readAllBytes(path))).isEqualTo(numbers(10));
    }
    try (var writer = builder().writeTo(new ByteArrayOutputStream())) {
      assertThatThrownBy(writer::fsync)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith("java.io.ByteArrayOutputStream cannot be forced to a disk.");
      append(writer, 0, 10);
    }
  }

  @Test
  void fileAtAPathAppearsWhenItIsFinished() throws IOException {
    Path path = directory.resolve("numbers.avro");
    try (var writer = builder().create(path)) {
      append(writer, 0, 200_000);
      writer.fsync();
      assertThat(path).doesNotExist();
      assertThat(files())
          .singleElement()
          .satisfies(
              temporary ->
                  assertThat(temporary.getFileName().toString())
                      .matches("\\.numbers\\.avro\\.[0-9a-f-]{36}\\.tmp"));

      writer.finish();
    }

    assertThat(files()).containsExactly(path);
    assertThat(read(Files.readAllBytes(path))).hasSize(200_000);
  }

  @Test
  void fileThatIsNotFinishedLeavesNothing() throws IOException {
    try (var writer = builder().create(directory.resolve("numbers.avro"))) {
      append(writer, 0, 200_000);
    }

    assertThat(files()).isEmpty();
  }

  @Test
  void fileAtAPathReplacesNoOther() throws IOException {
    Path path = directory.resolve("numbers.avro");
    try (var writer = builder().create(path)) {
      append(writer, 0, 10);
      Files.writeString(path, "another");

      assertThatThrownBy(writer::finish).isInstanceOf(FileAlreadyExistsException.class);
    }

    assertThat(path).hasContent("another");
    assertThat(files()).containsExactly(path);
    assertThatThrownBy(() -> builder().create(path)).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void settingsOfAFileAreCheckedBeforeItIsBegun() throws IOException {
    assertThatThrownBy(() -> builder().syncMarker(new byte[15]).create(directory.resolve("a.avro")))
        .hasMessage("a sync marker has 16 bytes, not 15");
    assertThatThrownBy(() -> builder().metadata("avro.codec", "lzo"))
        .hasMessage(
            "metadata key \"avro.codec\" begins with \"avro.\": such keys are reserved for Avro");
    assertThatThrownBy(() -> builder().blockSizeBytes(0))
        .hasMessage("blockSizeBytes must be from 1 to 1073741824, not 0");
    assertThatThrownBy(() -> builder().parallelism(0))
        .hasMessage("parallelism must be from 1 to 1024, not 0");
    assertThat(files()).isEmpty();
  }

  @Test
  void metadataIsBytesTextOrANumber() throws IOException {
    var file = new ByteArrayOutputStream();
    try (var writer =
        builder()
            .metadata("bytes", new byte[] {-1, 0})
            .metadata("text", "übrig")
            .metadata("number", Long.MIN_VALUE)
            .writeTo(file)) {
      writer.finish();
    }

    try (var reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(file.toByteArray()), new GenericDatumReader<>())) {
      assertThat(reader.getMeta("bytes")).containsExactly(-1, 0);
      assertThat(reader.getMetaString("text")).isEqualTo("übrig");
      assertThat(reader.getMetaLong("number")).isEqualTo(Long.MIN_VALUE);
    }
  }

  @Test
  void closedFileTakesNothing() throws IOException {
    var writer = builder().writeTo(OutputStream.nullOutputStream());
    writer.finish();
    writer.close();

    assertThatThrownBy(() -> writer.append(new byte[1], 0, 1)).hasMessage("the writer is closed");
  }

  private static void appendForever(ParallelFileWriter writer, int bytes) throws IOException {
    while (true) {
      writer.append(new byte[bytes], 0, bytes);
    }
  }
}
