package io.tidemark.avro.file;

import java.util.List;

/**
 * What one worker made of one chunk for one file: complete blocks, and the records behind them that
 * did not fill one.
 *
 * <p>Immutable; made by a {@link BlockFiller}, taken by a {@link BlockSequence}.
 */
public final class BlockRun {
  private final List<Block> blocks;
  private final byte[] tail;
  private final long tailRecords;

  /** Takes over {@code tail}. */
  BlockRun(List<Block> blocks, byte[] tail, long tailRecords) {
    this.blocks = List.copyOf(blocks);
    this.tail = tail;
    this.tailRecords = tailRecords;
  }

  /** How many records the run holds. */
  public long records() {
    return tailRecords + blocks.stream().mapToLong(Block::records).sum();
  }

  /** How many bytes its records have before they are compressed. */
  public long rawBytes() {
    return tail.length + blocks.stream().mapToLong(Block::rawBytes).sum();
  }

  /** How many bytes it keeps in memory. */
  public long bufferedBytes() {
    return tail.length + blocks.stream().mapToLong(Block::encodedBytes).sum();
  }

  List<Block> blocks() {
    return blocks;
  }

  /** The uncompressed records behind the blocks; the caller must not change them. */
  byte[] tail() {
    return tail;
  }

  long tailRecords() {
    return tailRecords;
  }
}
