package io.tidemark.avro.file;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The blocks of a file in the making, in the order of its records.
 *
 * <p>Runs are appended in file order, whoever made them. The tails of neighbouring runs that fill
 * no block are joined until they do, or until a run with complete blocks follows; then they are
 * compressed on an executor. What is ready at the head can be {@linkplain #take() taken} and
 * written at any time.
 *
 * <p>Used by one thread at a time. The executor's threads only compress.
 */
public final class BlockSequence {
  private static final byte[] NO_TAIL = {};

  private final CompressorPool compressors;
  private final BufferPool buffers;
  private final int blockSizeBytes;
  private final Executor executor;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private byte[] tail = NO_TAIL;
  private int tailBytes;
  private long tailRecords;
  private long records;
  private long rawBytes;
  private long pendingBytes;
  private long takenBytes;
  private boolean finished;

  /**
   * A block that is ready or being compressed, and the bytes it is taken to keep in memory until it
   * is taken.
   */
  private record Pending(CompletableFuture<Block> block, long bytes) {}

  /**
   * Makes an empty file.
   *
   * @param blockSizeBytes how many bytes of joined records make a block, from 1
   * @param executor compresses joined records
   */
  public BlockSequence(CompressorPool compressors, int blockSizeBytes, Executor executor) {
    if (blockSizeBytes < 1) {
      throw new IllegalArgumentException(
          "blockSizeBytes must be at least 1, not " + blockSizeBytes);
    }
    this.compressors = compressors;
    buffers = compressors.buffers();
    this.blockSizeBytes = blockSizeBytes;
    this.executor = executor;
  }

  /** Appends the next run of the file. */
  public void append(BlockRun run) {
    requireUnfinished();
    if (!run.blocks().isEmpty()) {
      sealTail();
      run.blocks()
          .forEach(
              block -> enqueue(CompletableFuture.completedFuture(block), block.encodedBytes()));
    }
    records += run.records();
    rawBytes += run.rawBytes();
    appendTail(run.tail(), 0, run.tailBytes(), run.tailRecords());
    buffers.giveBack(run.tail());
  }

  /**
   * Appends some records of a run, which are compressed on the executor. With its last record the
   * run ends.
   *
   * @param from the first of them
   * @param to the one behind the last
   */
  public void append(RecordRun run, int from, int to) {
    requireUnfinished();
    int next = from;
    while (next < to) {
      int end = run.filling(next, to, blockSizeBytes - tailBytes);
      int begin = run.begin(next);
      int length = run.begin(end) - begin;
      records += end - next;
      rawBytes += length;
      appendTail(run.bytes(), begin, length, end - next);
      next = end;
    }
    if (to == run.records()) {
      run.release();
    }
  }

  /** How many records have been appended. */
  public long records() {
    return records;
  }

  /** How many bytes the appended records have before they are compressed. */
  public long rawBytes() {
    return rawBytes;
  }

  /** How many bytes of records and blocks have been appended and not yet taken. */
  public long bufferedBytes() {
    return pendingBytes + tailBytes;
  }

  /**
   * How many bytes all blocks take in a file, whether they have been taken or not. What is not
   * compressed yet counts as it is.
   */
  public long encodedBytes() {
    long bytes = takenBytes + tailBytes;
    for (Pending each : pending) {
      boolean ready = each.block().isDone() && !each.block().isCompletedExceptionally();
      bytes += ready ? each.block().join().encodedBytes() : each.bytes();
    }
    return bytes;
  }

  /**
   * Takes the longest ready prefix of the blocks that have not been taken: they come next in the
   * file.
   *
   * @throws java.util.concurrent.CompletionException if a block of the prefix could not be
   *     compressed
   */
  public List<Block> take() {
    var ready = new ArrayList<Block>();
    while (!pending.isEmpty() && pending.getFirst().block().isDone()) {
      Block block = pending.getFirst().block().join();
      ready.add(block);
      takenBytes += block.encodedBytes();
      pendingBytes -= pending.removeFirst().bytes();
    }
    return ready;
  }

  /**
   * Ends the file: nothing can be appended after it.
   *
   * @return completed when all that is left is ready to be {@linkplain #take() taken}, or with the
   *     {@link BlockFailedException} of a block that could not be compressed
   */
  public CompletableFuture<Void> finish() {
    requireUnfinished();
    sealTail();
    finished = true;
    return CompletableFuture.allOf(
        pending.stream().map(Pending::block).toArray(CompletableFuture<?>[]::new));
  }

  private void appendTail(byte[] bytes, int offset, int length, long count) {
    int needed = Math.addExact(tailBytes, length);
    if (needed > tail.length) {
      byte[] longer = buffers.borrow(Math.max(needed, Math.min(2 * tailBytes, blockSizeBytes)));
      System.arraycopy(tail, 0, longer, 0, tailBytes);
      buffers.giveBack(tail);
      tail = longer;
    }
    System.arraycopy(bytes, offset, tail, tailBytes, length);
    tailBytes = needed;
    tailRecords += count;
    if (tailBytes >= blockSizeBytes) {
      sealTail();
    }
  }

  private void sealTail() {
    if (tailRecords == 0) {
      return;
    }
    byte[] raw = tail;
    int bytes = tailBytes;
    long count = tailRecords;
    long first = records - count;
    tail = NO_TAIL;
    tailBytes = 0;
    tailRecords = 0;
    enqueue(
        CompletableFuture.supplyAsync(
            () -> {
              Block block = compressors.block(first, count, raw, 0, bytes);
              buffers.giveBack(raw);
              return block;
            },
            executor),
        bytes);
  }

  private void enqueue(CompletableFuture<Block> block, long bytes) {
    pending.addLast(new Pending(block, bytes));
    pendingBytes += bytes;
  }

  private void requireUnfinished() {
    if (finished) {
      throw new IllegalStateException("the file is finished");
    }
  }
}
