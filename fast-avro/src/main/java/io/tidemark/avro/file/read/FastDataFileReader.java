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
 * Reads a container file: its records as slices of decompressed blocks, or as objects. Blocks are
 * decompressed in parallel, ahead of the reader, and given in order.
 *
 * <p>Used by one thread at a time. Many readers may share one pool of threads.
 *
 * <pre>{@code
 * try (var file = FastDataFileReader.open(path)) {
 *   while (file.next()) {
 *     use(file.bytes(), file.offset(), file.length());
 *   }
 * }
 * }</pre>
 *
 * <p><b>Slices.</b> {@link #next} finds where a record ends, and so checks it as {@link
 * PlanInterpreter} does. The slice is valid until the next call of any method but the three that
 * tell it; nobody may change it.
 *
 * <p><b>Objects.</b> {@link #objects} gives Avro's own interface of a file that is read. Slices and
 * objects are taken from the same place: a record that was taken as one is not given as the other.
 *
 * <p><b>Splits.</b> {@link #sync}, {@link #pastSync} and {@link #previousSync} do what those of
 * Avro's {@code DataFileReader} do, so that several readers may share a file by ranges of bytes.
 *
 * <p><b>Threads and memory.</b> The pool decompresses up to {@code parallelism} blocks ahead. The
 * caller's thread does all reading; before it waits for a block that no thread of the pool has
 * begun, it decompresses that one itself. A reader keeps the memory of {@code parallelism + 1}
 * blocks, compressed and not; with 8 MiB of compressed blocks ahead it reads no further.
 *
 * <p><b>Faults.</b> What cannot be read is a {@link CorruptFileException}, when its turn comes: all
 * records before it are given first. The reader then stands there; {@link #sync} moves it on. A
 * fault of the disk or stream is another {@link IOException}.
 */
public final class FastDataFileReader implements Closeable {
  private final String name;
  private final FileHead head;
  private final RawBlocks input;
  private final BlocksAhead blocks;
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
    input = new RawBlocks(name, new BufferedInput(file), head);
    boolean parallel = settings.parallelism > 1 && !head.codec().equals("null");
    blocks =
        new BlocksAhead(
            name,
            head.codec(),
            input,
            parallel ? settings.parallelism : 1,
            settings.maxBlockBytes,
            parallel ? settings.pool : null);
    blockStart = head.end();
  }

  /** Opens a file of the local file system with the default settings. */
  public static FastDataFileReader open(Path path) throws IOException {
    return builder().open(path);
  }

  /** Settings for reading, all with defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The schema of the file's records. */
  public Schema schema() {
    return head.schema();
  }

  /** The name of the codec of the file's blocks. */
  public String codec() {
    return head.codec();
  }

  /** The keys of the file's metadata, in the file's order; those of Avro itself among them. */
  public List<String> metadataKeys() {
    return head.metadataKeys();
  }

  /** A value of the file's metadata. */
  public Optional<byte[]> metadata(String key) {
    return head.metadata(key);
  }

  /**
   * Moves to the next record.
   *
   * @return false if there is none
   * @throws CorruptFileException if it cannot be read
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

  /** The array that holds the record. */
  public byte[] bytes() {
    return slice.bytes();
  }

  /** The index of the record's first byte. */
  public int offset() {
    return slice.offset();
  }

  /** How many bytes the record has. */
  public int length() {
    return slice.length();
  }

  /**
   * The records as objects, from the next one on.
   *
   * @param reader is told the file's schema; a {@code FastDatumReader} reads the quickest
   * @return closes this reader when it is closed
   */
  public <D> FileReader<D> objects(DatumReader<D> reader) {
    reader.setSchema(head.schema());
    return new FileObjects<>(this, reader);
  }

  /**
   * Moves behind the next sync marker that begins at a position or later. To read a range of a
   * file, call this with its first byte, and {@link #pastSync} with its end before each record.
   *
   * @param newPosition from 0
   */
  public void sync(long newPosition) throws IOException {
    if (newPosition < 0) {
      throw new IllegalArgumentException("a file has no position " + newPosition);
    }
    leaveBlock();
    blockStart = blocks.sync(newPosition);
  }

  /**
   * Moves to a known beginning of a block, as {@link #previousSync} told it. {@link #sync} takes
   * any position.
   */
  public void seek(long newPosition) {
    leaveBlock();
    blocks.seek(newPosition);
    blockStart = newPosition;
  }

  /**
   * Whether the next record belongs to the range of a file that begins at a position: whether its
   * block begins behind a sync marker that begins there or later.
   */
  public boolean pastSync(long ofPosition) throws IOException {
    return blockStart >= ofPosition + head.sync().length || blockStart >= input.length();
  }

  /** Where the block of the next record begins, or at the end of a block the next one. */
  public long previousSync() {
    return blockStart;
  }

  /** Whether there is another record; it need not be one that can be read. */
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
    left = following.records();
  }

  private void requireEnd(BlockSlot finished) throws CorruptFileException {
    if (position != end) {
      var corrupt =
          CorruptFileException.ofBlock(
              name,
              finished.begin(),
              BinaryCursor.bytes(end - position) + " too many stand behind the block's records",
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

  /** How a file is read. Used by one thread, for any number of files. */
  public static final class Builder {
    private static final int MAX_PARALLELISM = 1024;

    private Executor pool = ForkJoinPool.commonPool();
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int maxBlockBytes = 1 << 30;

    private Builder() {}

    /**
     * The threads that decompress, by default the JVM's common pool. The reader never ends them.
     */
    public Builder pool(Executor threads) {
      pool = threads;
      return this;
    }

    /**
     * How many blocks at most are decompressed ahead: 0 to 1024, by default the machine's cores. 0
     * and 1 leave the pool alone: the caller's thread decompresses each block when its turn comes.
     */
    public Builder parallelism(int blocks) {
      parallelism = inRange("parallelism", blocks, 0, MAX_PARALLELISM);
      return this;
    }

    /**
     * How many bytes a decompressed block may have: 1 to 2^31 - 9, by default 2^30. A few bytes can
     * be made to become very many.
     */
    public Builder maxBlockBytes(int bytes) {
      maxBlockBytes = inRange("maxBlockBytes", bytes, 1, Integer.MAX_VALUE - 8);
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
     * Opens a file in any store, by Avro's interface.
     *
     * @param file is closed with the reader, but not if this method throws
     * @param name what the file is called in errors
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
