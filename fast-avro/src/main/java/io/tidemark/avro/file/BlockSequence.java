package io.tidemark.avro.file;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The blocks of a file that is being written, in the order of its records.
 *
 * <p>Results of chunks ({@link BlockRun}) are appended in file order. The tails of consecutive
 * results are joined into one block. This block ends when it is full, or when the next result has
 * complete blocks. The joined records are then compressed on an executor. Call {@link #take()} at
 * any time for the blocks that are ready to be written next.
 *
 * <p>Not thread-safe. The executor's threads only compress.
 */
public final class BlockSequence {
  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final Executor executor;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final OpenTail tail;
  private long records;
  private long rawBytes;
  private long pendingBytes;
  private long takenBytes;
  private boolean finished;

  /** A block that is ready or being compressed, and an estimate of its memory until it is taken. */
  private record Pending(CompletableFuture<Block> block, long bytes) {}

  /**
   * Creates an empty sequence.
   *
   * @param blockSizeBytes the size of joined records that make a block, from 1
   * @param executor the threads that compress joined records
   */
  public BlockSequence(CompressorPool compressors, int blockSizeBytes, Executor executor) {
    if (blockSizeBytes < 1) {
      throw new IllegalArgumentException(
          "blockSizeBytes must be at least 1, not " + blockSizeBytes);
    }
    this.compressors = compressors;
    tail = new OpenTail(compressors.buffers());
    this.blockSizeBytes = blockSizeBytes;
    this.executor = executor;
  }

  /** Appends the next run of the file. */
  public void append(BlockRun run) {
    requireUnfinished();
    run.append();
    if (!run.blocks().isEmpty()) {
      sealTail();
      run.blocks()
          .forEach(
              block -> enqueue(CompletableFuture.completedFuture(block), block.encodedBytes()));
    }
    records += run.records();
    rawBytes += run.rawBytes();
    appendTail(run.tail().bytes(), 0, run.tail().size(), run.tailRecords());
    compressors.giveBack(run.tail());
  }

  /**
   * Appends some records of a run. The executor compresses the records. Appending the run's last
   * record releases the run's memory.
   *
   * @param from the index of the first record to append
   * @param to the end index, exclusive
   */
  public void append(RecordRun run, int from, int to) {
    requireUnfinished();
    int next = from;
    while (next < to) {
      int end = run.filling(next, to, blockSizeBytes - tail.bytes());
      int begin = run.begin(next);
      int length = run.begin(end) - begin;
      records += end - next;
      rawBytes += length;
      if (tail.records() == 0 && length >= blockSizeBytes) {
        enqueue(
            OpenTail.Sealed.copyOf(compressors.buffers(), run.bytes(), begin, length, end - next));
      } else {
        appendTail(run.bytes(), begin, length, end - next);
      }
      next = end;
    }
    if (to == run.records()) {
      run.release();
    }
  }

  /** Returns the number of appended records. */
  public long records() {
    return records;
  }

  /** Returns the size of the appended records before compression, in bytes. */
  public long rawBytes() {
    return rawBytes;
  }

  /** Returns the size of appended records and blocks that are not yet taken, in bytes. */
  public long bufferedBytes() {
    return pendingBytes + tail.bytes();
  }

  /**
   * Returns the size of all blocks in the file, in bytes, including those that {@link #take()} has
   * returned. Records that are not yet compressed count with their uncompressed size.
   */
  public long encodedBytes() {
    long bytes = takenBytes + tail.bytes();
    for (Pending each : pending) {
      boolean ready = each.block().isDone() && !each.block().isCompletedExceptionally();
      bytes += ready ? each.block().join().encodedBytes() : each.bytes();
    }
    return bytes;
  }

  /**
   * Removes and returns the blocks that are ready to be written next, in file order.
   *
   * @throws java.util.concurrent.CompletionException if one of these blocks could not be compressed
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
   * Ends the file: nothing can be appended after this.
   *
   * @return a future that completes when all remaining blocks are ready for {@link #take()}, or
   *     fails with the {@link BlockFailedException} of a block that could not be compressed
   */
  public CompletableFuture<Void> finish() {
    requireUnfinished();
    sealTail();
    finished = true;
    return CompletableFuture.allOf(
        pending.stream().map(Pending::block).toArray(CompletableFuture<?>[]::new));
  }

  private void appendTail(byte[] bytes, int offset, int length, long count) {
    tail.append(bytes, offset, length, count);
    if (tail.bytes() >= blockSizeBytes) {
      sealTail();
    }
  }

  private void sealTail() {
    if (tail.records() == 0) {
      return;
    }
    enqueue(tail.seal());
  }

  /** Lets the executor compress the last records. */
  private void enqueue(OpenTail.Sealed sealed) {
    long first = records - sealed.records();
    enqueue(
        CompletableFuture.supplyAsync(() -> sealed.compress(compressors, first), executor),
        sealed.bytes());
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
