package io.tidemark.avro.file;

import java.util.List;

/**
 * What one worker made of one chunk for one file: complete blocks, and the records behind them that
 * did not fill one.
 *
 * <p>Made by a {@link BlockFiller}, taken by one {@link BlockSequence}. Does not change until then.
 */
public final class BlockRun {
  private final List<Block> blocks;
  private final byte[] tail;
  private final int tailBytes;
  private final long tailRecords;

  /** Takes over {@code tail}, which may be longer. */
  BlockRun(List<Block> blocks, byte[] tail, int tailBytes, long tailRecords) {
    this.blocks = List.copyOf(blocks);
    this.tail = tail;
    this.tailBytes = tailBytes;
    this.tailRecords = tailRecords;
  }

  /** How many records the run holds. */
  public long records() {
    return tailRecords + blocks.stream().mapToLong(Block::records).sum();
  }

  /** How many bytes its records have before they are compressed. */
  public long rawBytes() {
    return tailBytes + blocks.stream().mapToLong(Block::rawBytes).sum();
  }

  /** How many bytes it keeps in memory. */
  public long bufferedBytes() {
    return tailBytes + blocks.stream().mapToLong(Block::encodedBytes).sum();
  }

  List<Block> blocks() {
    return blocks;
  }

  /** Begins with the uncompressed records behind the blocks. */
  byte[] tail() {
    return tail;
  }

  int tailBytes() {
    return tailBytes;
  }

  long tailRecords() {
    return tailRecords;
  }
}
