package io.tidemark.avro.file.read;

import io.tidemark.avro.binary.BinaryCursor;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.binary.SliceDecoder;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.apache.avro.Schema;
import org.apache.avro.file.FileReader;
import org.apache.avro.file.SeekableFileInput;
import org.apache.avro.file.SeekableInput;
import org.apache.avro.io.DatumReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a container file: its records as objects, or as <i>slices</i>, ranges of an array with a
 * decompressed block. Several threads decompress blocks in advance. Records are returned in order.
 *
 * <p>Not thread-safe. Many readers may share one pool of threads.
 *
 * <pre>{@code
 * try (var file = FastDataFileReader.open(path)) {
 *   while (file.next()) {
 *     use(file.bytes(), file.offset(), file.length());
 *   }
 * }
 * }</pre>
 *
 * <p><b>Slices.</b> {@link #next} finds the end of a record, and validates it as {@link
 * PlanInterpreter} does. The slice is valid until the next call of any method other than {@link
 * #bytes}, {@link #offset} and {@link #length}. Do not modify it.
 *
 * <p><b>Objects.</b> {@link #objects} returns Avro's interface {@link FileReader}. Objects are not
 * validated first: the {@link DatumReader} checks what it reads. Calls of {@link #next} and of the
 * {@code FileReader} may be mixed: each record is returned once, as a slice or as an object.
 *
 * <p><b>Splits.</b> {@link #sync}, {@link #pastSync} and {@link #previousSync} work as those of
 * Avro's {@code DataFileReader}, so several readers may share a file by ranges of bytes.
 *
 * <p><b>Threads and memory.</b> The pool decompresses up to {@code parallelism} blocks in advance.
 * The caller's thread does all reading. If the pool has not begun the next block, the caller's
 * thread decompresses it. For each of {@code parallelism + 1} blocks, a reader has two buffers: one
 * for the compressed and one for the decompressed block. It reads no further block in advance while
 * 8 MiB of compressed blocks are buffered.
 *
 * <p><b>Errors.</b> If a block or record is damaged, a {@link CorruptFileException} is thrown when
 * the reader reaches it, after all earlier records. Each further call of {@link #next} or of the
 * {@code FileReader} throws it again, until {@link #sync} moves to another block. If the disk or
 * stream fails, another {@link IOException} is thrown.
 *
 * <p>The file is long because it also has the Builder, whose settings only this class reads.
 */
public final class FastDataFileReader implements Closeable {
  private final String name;
  private final FileHead head;
  private final RawBlocks input;
  private final BlocksAhead blocks;
  private final long maxEmptyRecords;
  private final SliceDecoder decoder = new SliceDecoder(new byte[0], 0, 0);
  private final TableDatum slice = new TableDatum();
  private @Nullable PlanInterpreter walker;
  private @Nullable BlockSlot block;
  private byte[] bytes = new byte[0];
  private int position;
  private int end;
  private long left;
  private long blockStart;
  private @Nullable IOException fault;

  private FastDataFileReader(Builder settings, SeekableInput file, String name) throws IOException {
    this.name = name;
    head = FileHead.read(file, name);
    boolean parallel = settings.parallelism > 1 && !head.codec().equals("null");
    int maxBlockBytes = settings.blockLimit(parallel ? settings.parallelism : 1);
    input = new RawBlocks(name, new BufferedInput(file), head, maxBlockBytes);
    blocks =
        new BlocksAhead(
            name,
            head.codec(),
            input,
            parallel ? settings.parallelism : 1,
            maxBlockBytes,
            parallel ? settings.pool : null);
    maxEmptyRecords = settings.maxEmptyRecords;
    blockStart = head.end();
  }

  /** Opens a file of the local file system with the default settings. */
  public static FastDataFileReader open(Path path) throws IOException {
    return builder().open(path);
  }

  /** Returns the settings for reading, all with defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the schema of the file's records. */
  public Schema schema() {
    return head.schema();
  }

  /** Returns the name of the codec of the file's blocks. */
  public String codec() {
    return head.codec();
  }

  /** Returns the keys of the file's metadata, in the file's order, including those of Avro. */
  public List<String> metadataKeys() {
    return head.metadataKeys();
  }

  /** Returns a value of the file's metadata. */
  public Optional<byte[]> metadata(String key) {
    return head.metadata(key);
  }

  /**
   * Moves to the next record.
   *
   * @return false if there is no further record
   * @throws CorruptFileException if the record cannot be read
   */
  public boolean next() throws IOException {
    if (!hasNext()) {
      return false;
    }
    try {
      walker().runFirst(bytes, position, end - position, slice);
    } catch (MalformedDatumException e) {
      throw broken(e);
    }
    taken(slice.offset() + slice.length());
    return true;
  }

  /** Returns the array with the record. */
  public byte[] bytes() {
    return slice.bytes();
  }

  /** Returns the index of the record's first byte. */
  public int offset() {
    return slice.offset();
  }

  /** Returns the size of the record in bytes. */
  public int length() {
    return slice.length();
  }

  /**
   * Returns the records as objects, starting with the next record.
   *
   * @param reader any reader of objects, such as a {@code FastDatumReader}; its {@code setSchema}
   *     is called with the file's schema
   * @return an Avro {@code FileReader}; closing it closes this reader
   */
  public <D> FileReader<D> objects(DatumReader<D> reader) {
    reader.setSchema(head.schema());
    return new FileObjects<>(this, reader);
  }

  /**
   * Finds the first sync marker that begins at or after a position, and moves to the block after
   * it. To read a range of a file, call this method with the start of the range. Then call {@link
   * #pastSync} with the end of the range before each record, and stop when it returns true.
   *
   * @param newPosition a byte offset, from 0
   */
  public void sync(long newPosition) throws IOException {
    if (newPosition < 0) {
      throw new IllegalArgumentException("a position must not be negative: " + newPosition);
    }
    leaveBlock();
    blockStart = blocks.sync(newPosition);
  }

  /**
   * Moves to the start of a block.
   *
   * @param newPosition a position that {@link #previousSync} returned. Use {@link #sync} for any
   *     other position
   */
  public void seek(long newPosition) {
    leaveBlock();
    blocks.seek(newPosition);
    blockStart = newPosition;
  }

  /**
   * Returns true if the next record is after the range that ends at this position (see {@link
   * #sync}), or if there is no further record.
   */
  public boolean pastSync(long ofPosition) throws IOException {
    return blockStart >= ofPosition + head.sync().length || blockStart >= input.length();
  }

  /**
   * Returns the position of the current block, or of the next block if the current one has no
   * further record.
   */
  public long previousSync() {
    return blockStart;
  }

  /** Returns whether there is another record, which may be damaged. */
  boolean hasNext() throws IOException {
    if (fault != null) {
      throw fault;
    }
    while (left == 0) {
      if (block != null) {
        requireEnd(block);
        blockStart = block.end();
        leaveBlock();
      }
      BlockSlot following = blocks.next();
      if (following == null) {
        return false;
      }
      enter(following);
    }
    return true;
  }

  private void enter(BlockSlot following) throws IOException {
    ByteBuffer raw = following.raw();
    block = following;
    blockStart = following.begin();
    bytes = raw.array();
    position = raw.arrayOffset() + raw.position();
    end = raw.arrayOffset() + raw.limit();
    long records = following.records();
    if (records - (end - position) > maxEmptyRecords) {
      var corrupt =
          CorruptFileException.ofEmptyRecords(
              name, following.begin(), records, end - position, maxEmptyRecords);
      fault = corrupt;
      throw corrupt;
    }
    left = records;
  }

  private void requireEnd(BlockSlot finished) throws CorruptFileException {
    int surplus = end - position;
    if (surplus != 0) {
      var corrupt =
          CorruptFileException.ofBlock(
              name,
              finished.begin(),
              BinaryCursor.bytes(surplus)
                  + (surplus == 1 ? " follows" : " follow")
                  + " the block's last record",
              null);
      fault = corrupt;
      throw corrupt;
    }
  }

  /** Reads the next record, which {@link #hasNext} has found, as an object. */
  <D> D read(DatumReader<D> reader, @Nullable D reuse) throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException(name + " has no further record");
    }
    decoder.reset(bytes, position, end - position);
    D object;
    try {
      object = reader.read(reuse, decoder);
    } catch (IOException | RuntimeException e) {
      throw broken(e);
    }
    taken(decoder.position());
    return object;
  }

  private void taken(int next) {
    position = next;
    left--;
    if (left == 0 && block != null) {
      blockStart = block.end();
    }
  }

  private CorruptFileException broken(Exception cause) {
    long record = block == null ? 0 : block.records() - left;
    var corrupt = CorruptFileException.ofRecord(name, blockStart, record, cause);
    fault = corrupt;
    return corrupt;
  }

  private void leaveBlock() {
    if (block != null) {
      blocks.giveBack(block);
      block = null;
    }
    left = 0;
    fault = null;
  }

  private PlanInterpreter walker() {
    PlanInterpreter known = walker;
    if (known == null) {
      known = new PlanInterpreter(Planner.plan(head.schema(), head.schema(), List.of()));
      walker = known;
    }
    return known;
  }

  @Override
  public void close() throws IOException {
    leaveBlock();
    blocks.close();
  }

  /** Settings of a reader, for any number of files. Not thread-safe. */
  public static final class Builder {
    private static final int MAX_PARALLELISM = 1024;
    private static final int HEAP_SHARE = 4;
    private static final int LEAST_BLOCK_BYTES = 2 << 20;
    private static final int MOST_BLOCK_BYTES = 1 << 30;

    private Executor pool = ForkJoinPool.commonPool();
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int maxBlockBytes;
    private long maxEmptyRecords = 1 << 20;

    private Builder() {}

    /**
     * Sets the threads that decompress. Default: the JVM's common pool. The reader does not shut
     * the executor down.
     */
    public Builder pool(Executor threads) {
      pool = threads;
      return this;
    }

    /**
     * Sets the maximum number of blocks that are decompressed in advance: 0 to 1024. Default:
     * {@link Runtime#availableProcessors()}. 0 and 1 mean the same: the pool is not used, and the
     * caller's thread decompresses each block when it is needed.
     */
    public Builder parallelism(int blocks) {
      parallelism = inRange("parallelism", blocks, 0, MAX_PARALLELISM);
      return this;
    }

    /**
     * Sets the maximum size of a decompressed block, in bytes: 1 to 2^31 - 9. Default: a quarter of
     * the JVM's heap, divided by {@code parallelism + 1}, but from 2 MiB to 2^30. This limit
     * protects against small blocks that decompress to a huge size.
     */
    public Builder maxBlockBytes(int bytes) {
      maxBlockBytes = inRange("maxBlockBytes", bytes, 1, Integer.MAX_VALUE - 8);
      return this;
    }

    private int blockLimit(int blocks) {
      long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE / (blocks + 1L);
      return maxBlockBytes > 0
          ? maxBlockBytes
          : (int) Math.max(LEAST_BLOCK_BYTES, Math.min(MOST_BLOCK_BYTES, share));
    }

    /**
     * Sets by how much the number of a block's records may exceed the number of its bytes: from 0.
     * Default: 1,048,576. Only records without bytes, such as nulls, can be more than the bytes, so
     * a few bytes could state any number of them.
     */
    public Builder maxEmptyRecords(long records) {
      if (records < 0) {
        throw new IllegalArgumentException("maxEmptyRecords must not be negative: " + records);
      }
      maxEmptyRecords = records;
      return this;
    }

    /** Opens a file of the local file system. */
    public FastDataFileReader open(Path path) throws IOException {
      var file = new SeekableFileInput(path.toFile());
      try {
        return open(file, path.toString());
      } catch (IOException | RuntimeException e) {
        try (file) {
          throw e;
        }
      }
    }

    /**
     * Opens a file in any store, through Avro's interface.
     *
     * @param file is closed with the reader, but not if this method throws
     * @param name the file's name in errors
     */
    public FastDataFileReader open(SeekableInput file, String name) throws IOException {
      return new FastDataFileReader(this, file, name);
    }

    private static int inRange(String name, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            name + " must be from " + least + " to " + most + ", not " + value);
      }
      return value;
    }
  }
}
