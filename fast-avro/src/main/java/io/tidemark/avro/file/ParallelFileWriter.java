package io.tidemark.avro.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Writes a container file whose blocks are filled and compressed in parallel.
 *
 * <p>Records stand in the file in the order in which they were appended. They are gathered in
 * chunks of a few blocks; at most {@code parallelism} chunks are with the executor at a time, and
 * {@code append} waits for the oldest when there are more, so that memory is bounded by {@code
 * (parallelism + 1) × 8} blocks. All writing is done by the caller's thread.
 *
 * <p>A fault of a worker or of the stream is thrown by the next call that meets it, as an {@link
 * IOException}. The file is then broken: nothing more is written, and {@code close} only closes the
 * stream.
 *
 * <p>Used by one thread at a time.
 */
public final class ParallelFileWriter implements Closeable {
  private static final int BLOCKS_PER_CHUNK = 8;

  private final OutputStream out;
  private final ContainerFileHeader header;
  private final int blockSizeBytes;
  private final Executor executor;
  private final int parallelism;
  private final CompressorPool compressors;
  private final BlockSequence sequence;
  private final Deque<CompletableFuture<BlockRun>> runs = new ArrayDeque<>();
  private Chunk chunk = new Chunk();
  private State state = State.OPEN;

  private enum State {
    OPEN,
    BROKEN,
    CLOSED
  }

  /**
   * Begins a file by writing its header.
   *
   * @param out where the file is written, closed with the writer
   * @param blockSizeBytes how many bytes of uncompressed records make a block, from 1 to 128 MiB
   * @param executor fills and compresses blocks
   * @param parallelism how many chunks may be with the executor at a time, from 1
   */
  public ParallelFileWriter(
      OutputStream out,
      ContainerFileHeader header,
      int blockSizeBytes,
      Executor executor,
      int parallelism)
      throws IOException {
    if (blockSizeBytes < 1 || blockSizeBytes > Integer.MAX_VALUE / 2 / BLOCKS_PER_CHUNK) {
      throw new IllegalArgumentException(
          "blockSizeBytes must be from 1 to 134217727, not " + blockSizeBytes);
    }
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
    }
    this.out = out;
    this.header = header;
    this.blockSizeBytes = blockSizeBytes;
    this.executor = executor;
    this.parallelism = parallelism;
    compressors = new CompressorPool(header.codec());
    sequence = new BlockSequence(compressors, blockSizeBytes, executor);
    out.write(header.encoded());
  }

  /**
   * Appends a record, of which a copy is made. It must be a datum of the file's schema: it is not
   * checked here.
   */
  public void append(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    requireOpen();
    chunk.add(bytes, offset, length);
    if (chunk.bytes >= BLOCKS_PER_CHUNK * blockSizeBytes || chunk.records == Chunk.MAX_RECORDS) {
      hand();
    }
  }

  /** Completes the file and closes its stream. */
  @Override
  public void close() throws IOException {
    if (state == State.CLOSED) {
      return;
    }
    boolean complete = state == State.OPEN;
    state = State.CLOSED;
    try (compressors;
        out) {
      if (complete) {
        complete();
      }
    }
  }

  private void complete() throws IOException {
    submit();
    while (!runs.isEmpty()) {
      join();
    }
    await(sequence.finish());
    write();
  }

  private void hand() throws IOException {
    // Broken, unless all of this comes to its end.
    state = State.BROKEN;
    while (runs.size() >= parallelism) {
      join();
    }
    submit();
    state = State.OPEN;
  }

  private void submit() {
    if (chunk.records > 0) {
      Chunk full = chunk;
      chunk = new Chunk();
      runs.addLast(
          CompletableFuture.supplyAsync(() -> full.fill(compressors, blockSizeBytes), executor));
    }
  }

  private void join() throws IOException {
    sequence.append(await(runs.removeFirst()));
    write();
  }

  private void write() throws IOException {
    for (Block block : sequence.take()) {
      block.writeTo(out, header);
    }
  }

  private static <T> T await(CompletableFuture<T> result) throws IOException {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw new IOException(
          "a block could not be compressed; the file is incomplete", e.getCause());
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          state == State.CLOSED ? "the file is closed" : "the file is broken by an earlier fault");
    }
  }

  /** Records one behind the other. */
  private static final class Chunk {
    private static final int MAX_RECORDS = 1 << 20;

    private byte[] data = new byte[4096];
    private int[] ends = new int[64];
    private int bytes;
    private int records;

    void add(byte[] source, int offset, int length) {
      int end = Math.addExact(bytes, length);
      if (end > data.length) {
        data =
            Arrays.copyOf(
                data, (int) Math.max(end, Math.min(2L * data.length, Integer.MAX_VALUE - 8)));
      }
      if (records == ends.length) {
        ends = Arrays.copyOf(ends, 2 * records);
      }
      System.arraycopy(source, offset, data, bytes, length);
      ends[records++] = end;
      bytes = end;
    }

    BlockRun fill(CompressorPool compressors, int blockSizeBytes) {
      var filler = new BlockFiller(compressors, blockSizeBytes);
      int begin = 0;
      for (int i = 0; i < records; i++) {
        filler.append(data, begin, ends[i] - begin);
        begin = ends[i];
      }
      return filler.finish();
    }
  }
}
