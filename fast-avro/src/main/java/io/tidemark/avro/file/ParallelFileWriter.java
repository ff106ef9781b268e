package io.tidemark.avro.file;

import io.tidemark.avro.file.place.ExistingFileTarget;
import io.tidemark.avro.file.place.FileTarget;
import io.tidemark.avro.file.place.NewFileTarget;
import io.tidemark.avro.file.place.StreamTarget;
import io.tidemark.avro.file.read.FileHead;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes a container file from encoded records or objects. Several threads compress its blocks.
 *
 * <p>Not thread-safe. Many writers may share one pool of threads. Create a writer with {@link
 * #builder}.
 *
 * <pre>{@code
 * try (var writer = ParallelFileWriter.builder(schema).codec(BlockCodec.of("zstandard")).create(path)) {
 *   for (byte[] datum : datums) {
 *     writer.append(datum, 0, datum.length);
 *   }
 *   writer.finish();
 * }
 * }</pre>
 *
 * <p><b>Atomic files.</b> A file at a path is created by {@link #finish}: it is forced to the disk,
 * appears atomically, and never replaces another file. {@link #close} without {@code finish}, as
 * after an exception, discards the file. If a stream's writer is closed without {@code finish}, the
 * stream contains only whole blocks, but not all records. The caller must discard its content.
 *
 * <p><b>Order and bytes.</b> The file has the records in the order in which they were appended.
 * With a fixed {@code syncMarker}, the file's bytes depend only on the records and the settings,
 * not on the threads. The default sync marker is random.
 *
 * <p><b>Threads and memory.</b> Records are buffered in chunks of whole blocks. A chunk has half a
 * MiB, or one block if that is larger. The pool compresses at most {@code parallelism - 1} chunks
 * at the same time. The caller's thread compresses further chunks. If the pool has not begun a
 * chunk when it must be written, the caller's thread compresses it. So a busy pool never blocks a
 * writer. A writer has at most {@code parallelism} chunks of records and {@code 2 × parallelism +
 * 1} chunks of compressed blocks in memory. The caller's thread does all work until {@code
 * serialBelowBytes} have been appended. It always does all writing.
 *
 * <p><b>Errors.</b> If a block cannot be compressed, a later call throws a {@link
 * BlockFailedException} with the index of the block's first record. If the disk or the stream
 * fails, a call throws an {@link IOException}. After either exception, the writer can only be
 * closed.
 *
 * <p>This is one class, because appending, the order of blocks and their failures share one state.
 */
public final class ParallelFileWriter implements Closeable {
  private static final int CHUNK_BYTES = 512 << 10;

  private final ContainerFileHeader header;
  private final FileTarget target;
  private final int blockSizeBytes;
  // The file is long because it also has the Builder, whose settings only this class reads.
  private final boolean flushEveryBlock;
  private final Executor pool;
  private final int parallelism;
  private final long serialBelowBytes;
  private final CompressorPool compressors;
  private final Deque<ChunkTask> tasks = new ArrayDeque<>();
  private final Queue<BlockChunk> spare = new ConcurrentLinkedQueue<>();
  private final RecordEncoder encoder;
  private BlockChunk chunk;
  private long records;
  private long handedBytes;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    BROKEN,
    CLOSED
  }

  private ParallelFileWriter(Builder settings, ContainerFileHeader header, FileTarget target) {
    this.header = header;
    this.target = target;
    blockSizeBytes = settings.blockSizeBytes;
    flushEveryBlock = settings.flushEveryBlock;
    pool = settings.pool;
    parallelism = settings.parallelism;
    serialBelowBytes = settings.serialBelowBytes;
    compressors = new CompressorPool(header.codec());
    encoder = new RecordEncoder(settings.encoderBufferBytes);
    chunk = newChunk();
  }

  /** Returns the settings for a file of a schema, all with defaults. */
  public static Builder builder(Schema schema) {
    return new Builder(schema);
  }

  /**
   * Appends a copy of a record. The record must be a datum of the file's schema: this method does
   * not check it.
   *
   * @throws BlockFailedException if this or an earlier block cannot be compressed
   * @throws IllegalStateException if the writer is finished or closed, or an earlier call failed
   */
  public void append(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    requireOpen();
    if (!chunk.hasRoomFor(length)) {
      handOver();
    }
    chunk.add(bytes, offset, length);
    records++;
    if (chunk.isFull()) {
      handOver();
    }
  }

  /**
   * Appends an object, encoded by the caller's thread. The {@code DatumWriter} must use the file's
   * schema. If it throws any exception, nothing is appended, and further records can be appended.
   *
   * @throws BlockFailedException if this or an earlier block cannot be compressed
   * @throws IllegalStateException if the writer is finished or closed, or an earlier call failed
   */
  public <D> void append(D datum, DatumWriter<D> writer) throws IOException {
    requireOpen();
    encoder.encode(datum, writer);
    append(encoder.array(), 0, encoder.size());
  }

  /** Returns the number of records that this writer has appended. */
  public long records() {
    return records;
  }

  /**
   * Writes all appended records to the stream and flushes it. The records since the last block
   * become a block, full or not.
   */
  public void flush() throws IOException {
    requireOpen();
    writeAll();
    target.stream().flush();
    state = State.OPEN;
  }

  /**
   * Flushes, and forces the data to the disk, so that it survives a power loss. Before {@link
   * #finish}, the data of a new file is in the file with the temporary name.
   *
   * @throws UnsupportedOperationException if the stream is neither a {@link
   *     java.io.FileOutputStream} nor {@link org.apache.avro.file.Syncable}
   */
  public void fsync() throws IOException {
    flush();
    try {
      target.force();
    } catch (IOException e) {
      state = State.BROKEN;
      throw e;
    }
  }

  /**
   * Writes the remaining records and completes the file: the stream is closed, or the path's file
   * is forced to the disk and created under its final name. Nothing can be appended after this.
   *
   * @throws java.nio.file.FileAlreadyExistsException if a file exists at the path
   * @throws IOException if the file cannot be written, or if the path's file system has no hard
   *     links, which are needed to create the file atomically
   */
  public void finish() throws IOException {
    requireOpen();
    writeAll();
    target.complete();
    compressors.close();
    state = State.CLOSED;
  }

  /**
   * Closes the writer. Without {@link #finish}, this deletes a new file, and cuts off what was
   * appended to an existing file.
   */
  @Override
  public void close() throws IOException {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      tasks.forEach(ChunkTask::claim);
      compressors.close();
      target.abandon();
    }
  }

  private void handOver() throws IOException {
    // The state is BROKEN until all of this succeeds.
    state = State.BROKEN;
    chunk.endBlock();
    long first = records - chunk.records();
    long last = records - 1;
    handedBytes += chunk.bytes();
    var task = new ChunkTask(compressors, chunk, first, spare);
    if (handedBytes <= serialBelowBytes || pendingTasks() >= parallelism - 1) {
      task.run();
    } else {
      try {
        pool.execute(task);
      } catch (RejectedExecutionException e) {
        throw new BlockFailedException(header.codec(), first, last, e);
      }
    }
    tasks.addLast(task);
    while (!tasks.isEmpty() && (tasks.size() > 2 * parallelism || !tasks.getFirst().isPending())) {
      writeFirst();
    }
    BlockChunk cleared = spare.poll();
    chunk = cleared == null ? newChunk() : cleared;
    state = State.OPEN;
  }

  private long pendingTasks() {
    return tasks.stream().filter(ChunkTask::isPending).count();
  }

  /** Writes everything and leaves the state BROKEN. The caller sets the next state. */
  private void writeAll() throws IOException {
    if (chunk.records() > 0) {
      handOver();
    }
    state = State.BROKEN;
    while (!tasks.isEmpty()) {
      writeFirst();
    }
  }

  private void writeFirst() throws IOException {
    for (Block block : tasks.removeFirst().blocks()) {
      block.writeTo(target.stream(), header);
      block.release();
      if (flushEveryBlock) {
        target.stream().flush();
      }
    }
  }

  private BlockChunk newChunk() {
    return new BlockChunk(blockSizeBytes, CHUNK_BYTES);
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          state == State.CLOSED
              ? "the writer is closed"
              : "an earlier call failed, and the file is incomplete. Close this writer.");
    }
  }

  /** Settings of a writer, for any number of files. Not thread-safe. */
  public static final class Builder {
    private static final int MAX_BLOCK_SIZE_BYTES = 1 << 30;
    private static final int MAX_PARALLELISM = 1024;
    private static final int MIN_ENCODER_BUFFER_BYTES = 32;
    private static final int MAX_ENCODER_BUFFER_BYTES = 1 << 24;

    private final Schema schema;
    private final Map<String, byte[]> metadata = new LinkedHashMap<>();
    private @Nullable BlockCodec codec;
    private byte @Nullable [] syncMarker;
    private int blockSizeBytes = 64 << 10;
    private int encoderBufferBytes = 2048;
    private boolean flushEveryBlock;
    private Executor pool = ForkJoinPool.commonPool();
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private long serialBelowBytes = CHUNK_BYTES;

    private Builder(Schema schema) {
      this.schema = schema;
    }

    /** Sets the compression of blocks. Default: none. */
    public Builder codec(BlockCodec codec) {
      this.codec = codec;
      return this;
    }

    /** Adds bytes to the file's metadata. The key must not begin with {@code avro.}. */
    public Builder metadata(String key, byte[] value) {
      ContainerFileHeader.requireUnreserved(key);
      metadata.put(key, value.clone());
      return this;
    }

    /** Adds text to the file's metadata, in UTF-8. */
    public Builder metadata(String key, String value) {
      return metadata(key, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a number to the file's metadata, in decimal digits as Avro's library does. */
    public Builder metadata(String key, long value) {
      return metadata(key, Long.toString(value));
    }

    /** Sets the 16 bytes that end each block. Default: random bytes for each file. */
    public Builder syncMarker(byte[] marker) {
      syncMarker = marker.clone();
      return this;
    }

    /** Sets the size of uncompressed records that make a block: 1 to 2^30. Default: 65536. */
    public Builder blockSizeBytes(int bytes) {
      blockSizeBytes = (int) inRange("blockSizeBytes", bytes, 1, MAX_BLOCK_SIZE_BYTES);
      return this;
    }

    /**
     * Sets the size of the encoder's buffer for objects, in bytes: 32 to 2^24. Default: 2048. It
     * has no effect on records that are already encoded.
     */
    public Builder encoderBufferBytes(int bytes) {
      encoderBufferBytes =
          (int)
              inRange(
                  "encoderBufferBytes", bytes, MIN_ENCODER_BUFFER_BYTES, MAX_ENCODER_BUFFER_BYTES);
      return this;
    }

    /** Sets whether the stream is flushed after each block. Default: false. */
    public Builder flushEveryBlock(boolean flush) {
      flushEveryBlock = flush;
      return this;
    }

    /**
     * Sets the threads that compress. Default: the JVM's common pool. The writer does not shut the
     * executor down.
     */
    public Builder pool(Executor threads) {
      pool = threads;
      return this;
    }

    /**
     * Sets the maximum number of threads that compress the file's blocks at the same time: 1 to
     * 1024. The caller's thread is one of them, so with 1 the pool is not used. Default: {@link
     * Runtime#availableProcessors()}.
     */
    public Builder parallelism(int threads) {
      parallelism = (int) inRange("parallelism", threads, 1, MAX_PARALLELISM);
      return this;
    }

    /**
     * Sets how many uncompressed bytes must be appended before the pool is used; at least 0. Until
     * then, only the caller's thread compresses. Default: 524288.
     */
    public Builder serialBelowBytes(long bytes) {
      serialBelowBytes = inRange("serialBelowBytes", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /** Begins a file in a stream by writing its header. The writer closes the stream. */
    public ParallelFileWriter writeTo(OutputStream stream) throws IOException {
      return begin(header(), new StreamTarget(stream));
    }

    /**
     * Begins a new file at a path of a local file system with hard links. The file has a temporary
     * name in the same directory, until {@link ParallelFileWriter#finish}.
     *
     * @throws java.nio.file.FileAlreadyExistsException if a file exists at the path
     */
    public ParallelFileWriter create(Path path) throws IOException {
      return begin(header(), new NewFileTarget(path));
    }

    /**
     * Appends to a file of the local file system. The file keeps its metadata, sync marker and
     * codec: do not set them, except for another level of the same codec. {@link
     * ParallelFileWriter#close} without {@link ParallelFileWriter#finish} cuts off what was
     * appended. If the process ends before {@code finish} or {@code close}, the file can end with a
     * partial block. This method rejects a file with a partial block.
     *
     * @throws IllegalArgumentException if the schema or the codec of these settings differs from
     *     the file's, or if these settings have metadata or a sync marker
     * @throws io.tidemark.avro.file.read.CorruptFileException if the file is not a complete
     *     container file
     * @throws java.nio.file.NoSuchFileException if no file exists at the path
     */
    public ParallelFileWriter appendTo(Path path) throws IOException {
      if (!metadata.isEmpty() || syncMarker != null) {
        throw new IllegalArgumentException(
            path
                + ": metadata and sync marker of an existing file cannot be changed. Set neither.");
      }
      var target = new ExistingFileTarget(path);
      try {
        FileHead head = FileHead.read(target.input(), path.toString());
        head.requireWholeEnd(target.input(), path.toString());
        var header = ContainerFileHeader.ofExisting(head, schema, codec, path.toString());
        target.moveToEnd();
        return new ParallelFileWriter(this, header, target);
      } catch (IOException | RuntimeException e) {
        target.abandon();
        throw e;
      }
    }

    private ContainerFileHeader header() {
      byte[] sync = syncMarker == null ? ContainerFileHeader.newSync() : syncMarker;
      BlockCodec chosen = codec == null ? new BlockCodec.Uncompressed() : codec;
      return new ContainerFileHeader(schema, chosen, metadata, sync);
    }

    private ParallelFileWriter begin(ContainerFileHeader header, FileTarget target)
        throws IOException {
      var writer = new ParallelFileWriter(this, header, target);
      try {
        target.stream().write(header.encoded());
      } catch (IOException | RuntimeException e) {
        try (writer) {
          throw e;
        }
      }
      return writer;
    }

    private static long inRange(String name, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            name + " must be from " + least + " to " + most + ", not " + value);
      }
      return value;
    }
  }
}
