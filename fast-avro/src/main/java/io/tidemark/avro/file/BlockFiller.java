package io.tidemark.avro.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Fills blocks with the records of one chunk and compresses each full one at once, while it is hot
 * in the cache.
 *
 * <p>A block is full when it has reached the block size, which its last record may exceed. Records
 * that are left at the end become a block too if they fill half of one; fewer stay uncompressed,
 * for a {@link BlockSequence} to join them with the next run's. Used by one thread, for one run.
 */
public final class BlockFiller {
  private static final int FIRST_BUFFER_BYTES = 4096;

  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final List<Block> blocks = new ArrayList<>();
  private byte[] buffer;
  private int buffered;
  private long bufferedRecords;
  private long records;
  private long rawBytes;
  private boolean finished;

  /**
   * Makes an empty filler.
   *
   * @param blockSizeBytes how many bytes of uncompressed records make a block, from 1
   */
  public BlockFiller(CompressorPool compressors, int blockSizeBytes) {
    if (blockSizeBytes < 1) {
      throw new IllegalArgumentException(
          "blockSizeBytes must be at least 1, not " + blockSizeBytes);
    }
    this.compressors = compressors;
    this.blockSizeBytes = blockSizeBytes;
    buffer = new byte[Math.min(FIRST_BUFFER_BYTES, blockSizeBytes)];
  }

  /**
   * Appends a record, of which a copy is made. It must be a datum of the file's schema: it is not
   * checked here.
   */
  public void append(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (finished) {
      throw new IllegalStateException("the run is finished: a chunk has a filler of its own");
    }
    makeRoom(length);
    System.arraycopy(bytes, offset, buffer, buffered, length);
    buffered += length;
    bufferedRecords++;
    records++;
    rawBytes += length;
    if (buffered >= blockSizeBytes) {
      closeBlock();
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

  /** Ends the run. Nothing can be appended after it. */
  public BlockRun finish() {
    if (finished) {
      throw new IllegalStateException("the run is already finished");
    }
    if (buffered > 0 && buffered >= blockSizeBytes / 2) {
      closeBlock();
    }
    finished = true;
    return new BlockRun(blocks, Arrays.copyOf(buffer, buffered), bufferedRecords);
  }

  private void closeBlock() {
    blocks.add(new Block(bufferedRecords, buffered, compressors.compress(buffer, 0, buffered)));
    buffered = 0;
    bufferedRecords = 0;
  }

  private void makeRoom(int length) {
    // What is buffered is less than a block.
    int needed = Math.addExact(buffered, length);
    if (needed > buffer.length) {
      int doubled = (int) Math.min(2L * buffer.length, blockSizeBytes);
      buffer = Arrays.copyOf(buffer, Math.max(needed, doubled));
    }
  }
}
