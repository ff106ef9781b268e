package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.util.List;

/**
 * The result of a {@link BlockFiller} for one chunk: complete blocks, and after them a tail,
 * records that did not fill a block.
 *
 * <p>Pass it to {@link BlockSequence#append(BlockRun)} once. It does not change until then.
 */
public final class BlockRun {
  private final List<Block> blocks;
  private final TableDatums tail;
  private final long tailRecords;
  private boolean appended;

  /** Keeps {@code tail}, the records after the blocks. */
  BlockRun(List<Block> blocks, TableDatums tail, long tailRecords) {
    this.blocks = List.copyOf(blocks);
    this.tail = tail;
    this.tailRecords = tailRecords;
  }

  /** Returns the number of records. */
  public long records() {
    long sum = tailRecords;
    for (Block block : blocks) {
      sum += block.records();
    }
    return sum;
  }

  /** Returns the size of the records before compression, in bytes. */
  public long rawBytes() {
    long sum = tail.size();
    for (Block block : blocks) {
      sum += block.rawBytes();
    }
    return sum;
  }

  /** Returns the size of the memory that the run uses, in bytes. */
  public long bufferedBytes() {
    long sum = tail.bytes().length;
    for (Block block : blocks) {
      sum += block.encodedBytes();
    }
    return sum;
  }

  List<Block> blocks() {
    return blocks;
  }

  /** Returns the uncompressed records after the blocks. */
  TableDatums tail() {
    return tail;
  }

  /** Marks the result as appended. Its memory is then reused. */
  void append() {
    if (appended) {
      throw new IllegalStateException("this BlockRun has been appended to a file already");
    }
    appended = true;
  }

  long tailRecords() {
    return tailRecords;
  }
}
