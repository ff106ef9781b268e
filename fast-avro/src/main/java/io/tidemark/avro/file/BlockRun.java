package io.tidemark.avro.file;

import java.util.List;

/**
 * The result of a {@link BlockFiller}: the records of one chunk for one file. A run has complete
 * blocks, and after them a tail: records that did not fill a block.
 *
 * <p>Pass a run to {@link BlockSequence#append(BlockRun)} once. It does not change until then.
 */
public final class BlockRun {
  private final List<Block> blocks;
  private final byte[] tail;
  private final int tailBytes;
  private final long tailRecords;

  /** Keeps {@code tail}, which may be longer than the tail's bytes. */
  BlockRun(List<Block> blocks, byte[] tail, int tailBytes, long tailRecords) {
    this.blocks = List.copyOf(blocks);
    this.tail = tail;
    this.tailBytes = tailBytes;
    this.tailRecords = tailRecords;
  }

  /** Returns the number of records. */
  public long records() {
    return tailRecords + blocks.stream().mapToLong(Block::records).sum();
  }

  /** Returns the size of the records before compression, in bytes. */
  public long rawBytes() {
    return tailBytes + blocks.stream().mapToLong(Block::rawBytes).sum();
  }

  /** Returns the size of the memory that the run uses, in bytes. */
  public long bufferedBytes() {
    return tailBytes + blocks.stream().mapToLong(Block::encodedBytes).sum();
  }

  List<Block> blocks() {
    return blocks;
  }

  /** Returns an array that begins with the uncompressed records after the blocks. */
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
