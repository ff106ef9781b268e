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
 * Writes a container file from encoded records, compressing its blocks in parallel.
 *
 * <p>Used by one thread at a time. Many writers may share one pool of threads. Its builder, which
 * is the only way to make one, is a third of the class.
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
 * <p><b>Whole or not there.</b> {@link #finish} makes the file; {@link #close} without it gives the
 * file up, so that an exception between the two never leaves a part that looks like a whole. A file
 * at a path is forced to the disk and appears at once, and never replaces another. What was written
 * to a stream cannot be taken back: it then ends behind some block, and is its owner's to throw
 * away.
 *
 * <p><b>Order and bytes.</b> Records stand in the order in which they were appended. The file's
 * bytes depend on the records and the settings of the file, not on the threads.
 *
 * <p><b>Threads and memory.</b> Records are gathered in chunks of whole blocks, of half a MiB or
 * one block. The pool compresses {@code parallelism - 1} chunks at a time; when it has those, the
 * caller's thread compresses the next one itself, and before it waits for one that no thread of the
 * pool has begun, it takes that one over. So a pool that is busy or of the caller's own threads
 * slows a writer down to one thread and no further, and a writer holds at most {@code parallelism}
 * chunks of records and {@code 2 × parallelism + 1} of compressed blocks. Until {@code
 * serialBelowBytes} have been appended everything is done by the caller's thread. All writing is.
 *
 * <p><b>Faults.</b> A block that cannot be compressed is told by the next call that meets it, as a
 * {@link BlockFailedException} with the index of its first record; a fault of the disk or stream is
 * an {@link IOException}. After either the file is broken and can only be closed.
 */
public final class ParallelFileWriter implements Closeable {
  private static final int CHUNK_BYTES = 512 << 10;

  private final ContainerFileHeader header;
  private final FileTarget target;
  private final int blockSizeBytes;
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

  /** Settings for a file of a schema, all with defaults. */
  public static Builder builder(Schema schema) {
    return new Builder(schema);
  }

  /**
   * Appends a record, of which a copy is made. It must be a datum of the file's schema: it is not
   * checked here.
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
   * Appends an object, encoded by the caller's thread. The writer of datums must be one of the
   * file's schema. An object that it refuses, by whatever exception, leaves the file as it was.
   */
  public <D> void append(D datum, DatumWriter<D> writer) throws IOException {
    requireOpen();
    encoder.encode(datum, writer);
    append(encoder.array(), 0, encoder.size());
  }

  /** How many records have been appended by this writer. */
  public long records() {
    return records;
  }

  /**
   * Writes all that has been appended to the stream and flushes it. The records since the last
   * block become a block, full or not.
   */
  public void flush() throws IOException {
    requireOpen();
    writeAll();
    target.stream().flush();
    state = State.OPEN;
  }

  /**
   * Flushes, and has what was written survive a power loss. A file at a path gets its name only by
   * {@link #finish}.
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
   * Writes what is left and makes the file: the stream is closed, or the path's file is forced to
   * the disk and gets its name. Nothing can be appended after it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if something stands at the path
   */
  public void finish() throws IOException {
    requireOpen();
    writeAll();
    target.complete();
    compressors.close();
    state = State.CLOSED;
  }

  /** Gives the file up unless it is finished. */
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
    // Broken, unless all of this comes to its end.
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

  /** Leaves the file broken, for the caller to open it again or to end it. */
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
          state == State.CLOSED ? "the file is closed" : "the file is broken by an earlier fault");
    }
  }

  /** How a file is written. Used by one thread, for any number of files. */
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

    /** How blocks are compressed; by default they are not. */
    public Builder codec(BlockCodec codec) {
      this.codec = codec;
      return this;
    }

    /** Puts bytes into the file's metadata. The key must not begin with {@code avro.}. */
    public Builder metadata(String key, byte[] value) {
      ContainerFileHeader.requireUnreserved(key);
      metadata.put(key, value.clone());
      return this;
    }

    /** Puts text into the file's metadata, in UTF-8. */
    public Builder metadata(String key, String value) {
      return metadata(key, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Puts a number into the file's metadata, in decimal digits as Avro's library does. */
    public Builder metadata(String key, long value) {
      return metadata(key, Long.toString(value));
    }

    /** The 16 bytes that end each block, by default random ones for each file. */
    public Builder syncMarker(byte[] marker) {
      syncMarker = marker.clone();
      return this;
    }

    /** How many bytes of uncompressed records make a block: 1 to 2^30, by default 65536. */
    public Builder blockSizeBytes(int bytes) {
      blockSizeBytes = (int) inRange("blockSizeBytes", bytes, 1, MAX_BLOCK_SIZE_BYTES);
      return this;
    }

    /**
     * How many bytes of an object are gathered before they are moved on: 32 to 2^24, by default
     * 2048. It is of no meaning for records that are encoded already.
     */
    public Builder encoderBufferBytes(int bytes) {
      encoderBufferBytes =
          (int)
              inRange(
                  "encoderBufferBytes", bytes, MIN_ENCODER_BUFFER_BYTES, MAX_ENCODER_BUFFER_BYTES);
      return this;
    }

    /** Whether the stream is flushed after each block, by default not. */
    public Builder flushEveryBlock(boolean flush) {
      flushEveryBlock = flush;
      return this;
    }

    /** The threads that compress, by default the JVM's common pool. The writer never ends them. */
    public Builder pool(Executor threads) {
      pool = threads;
      return this;
    }

    /**
     * How many threads at most compress the file's blocks at a time, the caller's among them: 1 to
     * 1024, by default the machine's cores. 1 leaves the pool alone.
     */
    public Builder parallelism(int threads) {
      parallelism = (int) inRange("parallelism", threads, 1, MAX_PARALLELISM);
      return this;
    }

    /**
     * Up to how many bytes of uncompressed records a file is left to the caller's thread: from 0,
     * by default 524288.
     */
    public Builder serialBelowBytes(long bytes) {
      serialBelowBytes = inRange("serialBelowBytes", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Begins a file in a stream by writing its header. The stream is the writer's: it is closed
     * with it.
     */
    public ParallelFileWriter writeTo(OutputStream stream) throws IOException {
      return begin(header(), new StreamTarget(stream));
    }

    /**
     * Begins a file that is to stand at a path of the local file system, under a temporary name in
     * the same directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if something stands at the path
     */
    public ParallelFileWriter create(Path path) throws IOException {
      return begin(header(), new NewFileTarget(path));
    }

    /**
     * Appends to a file of the local file system, whose metadata, sync marker and codec are kept.
     * {@link ParallelFileWriter#close} without {@link ParallelFileWriter#finish} cuts off what was
     * appended. A process that ends without either may leave a part of a block at the file's end;
     * such a file is not appended to again.
     *
     * @throws IllegalArgumentException if the file has another schema or codec than these settings,
     *     or they set metadata or a sync marker
     * @throws io.tidemark.avro.file.read.CorruptFileException if it is no whole container file
     * @throws java.nio.file.NoSuchFileException if nothing stands at the path
     */
    public ParallelFileWriter appendTo(Path path) throws IOException {
      if (!metadata.isEmpty() || syncMarker != null) {
        throw new IllegalArgumentException(
            path + ": the metadata and the sync marker of a file cannot be changed. Set neither.");
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
