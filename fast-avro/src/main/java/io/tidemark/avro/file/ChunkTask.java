package io.tidemark.avro.file;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The compression of one chunk, done once: by a thread of the pool, or by the writer's own if no
 * other has begun it. Safe for use by these two threads.
 */
final class ChunkTask implements Runnable {
  private final CompressorPool compressors;
  private final BlockChunk chunk;
  private final long firstRecord;
  private final Queue<BlockChunk> spare;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private final CompletableFuture<List<Block>> blocks = new CompletableFuture<>();

  /**
   * Makes a task that nobody has begun.
   *
   * @param firstRecord the index of the chunk's first record in its file
   * @param spare gets the chunk back, cleared, as soon as it is compressed
   */
  ChunkTask(
      CompressorPool compressors, BlockChunk chunk, long firstRecord, Queue<BlockChunk> spare) {
    this.compressors = compressors;
    this.chunk = chunk;
    this.firstRecord = firstRecord;
    this.spare = spare;
  }

  /** Compresses the chunk, unless somebody has begun to. */
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

  /** Keeps everybody else from beginning it; false if somebody has begun it. */
  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  /** Whether its blocks are not there yet. */
  boolean isPending() {
    return !blocks.isDone();
  }

  /**
   * The chunk's blocks: compressed by this thread if nobody has begun, else waited for.
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
