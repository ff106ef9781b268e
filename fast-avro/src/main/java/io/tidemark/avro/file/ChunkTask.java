package io.tidemark.avro.file;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The compression of one chunk. It runs once: in a thread of the pool, or in the writer's own
 * thread if no other has begun it. Safe for use by these two threads.
 */
final class ChunkTask implements Runnable {
  private final CompressorPool compressors;
  private final BlockChunk chunk;
  private final long firstRecord;
  private final Queue<BlockChunk> spare;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final CompletableFuture<List<Block>> blocks = new CompletableFuture<>();

  /**
   * Creates a task that no thread has begun.
   *
   * @param firstRecord the index of the chunk's first record in its file
   * @param spare receives the chunk, cleared, as soon as it is compressed
   */
  ChunkTask(
      CompressorPool compressors, BlockChunk chunk, long firstRecord, Queue<BlockChunk> spare) {
    this.compressors = compressors;
    this.chunk = chunk;
    this.firstRecord = firstRecord;
    this.spare = spare;
  }

  /** Compresses the chunk, unless another thread has begun to. */
  @Override
  public void run() {
    if (claim()) {
      try {
        List<Block> compressed = chunk.compress(compressors, firstRecord);
        chunk.clear();
        spare.add(chunk);
        blocks.complete(compressed);
      } catch (RuntimeException | Error e) {
        blocks.completeExceptionally(e);
      }
    }
  }

  /** Claims the task for the calling thread; returns false if a thread has claimed it. */
  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /** Returns whether the blocks are not ready yet. */
  boolean isPending() {
    return !blocks.isDone();
  }

  /**
   * Returns the chunk's blocks. This thread compresses them if no thread has begun; otherwise it
   * waits.
   *
   * @throws BlockFailedException if one of them could not be compressed
   */
  List<Block> blocks() {
    run();
    try {
      return blocks.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof BlockFailedException failed) {
        throw failed;
      }
      throw e;
    }
  }
}
