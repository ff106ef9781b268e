package io.tidemark.avro.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.util.ArrayList;
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
  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final List<Block> blocks = new ArrayList<>();
  private final TableDatums open;
  private long openRecords;
  private long records;
  private long closedBytes;
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
    open = compressors.borrowBuffer();
  }

  /**
   * Appends a record, of which a copy is made. It must be a datum of the file's schema: it is not
   * checked here.
   */
  public void append(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    requireUnfinished();
    int begin = open.size();
    open.beginRun(0);
    System.arraycopy(bytes, offset, open.reserve(length), begin, length);
    open.add(begin + length);
    takeIn();
  }

  /**
   * Appends records that a plan has been run over.
   *
   * @param from the first of the last run's datums to append
   * @param to the one behind the last
   */
  public void append(TableDatums records, int from, int to) {
    requireUnfinished();
    if (from == to) {
      return;
    }
    int first = records.offset(from);
    int length = records.end(to - 1) - first;
    int begin = open.size();
    open.beginRun(0);
    System.arraycopy(records.bytes(), first, open.reserve(length), begin, length);
    for (int datum = from; datum < to; datum++) {
      open.add(begin + records.end(datum) - first);
    }
    takeIn();
  }

  /**
   * Runs a plan over datums and appends what they become. They are copied once, to where they are
   * compressed from: all stand there together, so they should be no more than a processor's cache
   * holds.
   *
   * @param from the first of them to append
   * @param to the one behind the last
   * @throws MalformedDatumException if one of them is not a datum of the plan's writer schema;
   *     those before it are appended, as {@link #records()} tells
   */
  public void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException {
    requireUnfinished();
    try {
      runner.run(datums, from, to, open);
    } finally {
      takeIn();
    }
  }

  /** How many records have been appended. */
  public long records() {
    return records;
  }

  /** How many bytes the appended records have before they are compressed. */
  public long rawBytes() {
    return finished ? closedBytes : closedBytes + open.size();
  }

  /** Ends the run. Nothing can be appended after it. */
  public BlockRun finish() {
    requireUnfinished();
    if (openRecords > 0 && open.size() >= blockSizeBytes / 2) {
      closeBlock(0, open.size());
      open.removeFirst(open.size());
    }
    byte[] tail = compressors.buffers().borrow(open.size());
    System.arraycopy(open.bytes(), 0, tail, 0, open.size());
    var run = new BlockRun(blocks, tail, open.size(), openRecords);
    closedBytes += open.size();
    finished = true;
    compressors.giveBack(open);
    return run;
  }

  /** Counts the datums of the last run in, and closes each block that they fill. */
  private void takeIn() {
    int begin = 0;
    for (int i = 0; i < open.runSize(); i++) {
      openRecords++;
      records++;
      int end = open.end(i);
      if (end - begin >= blockSizeBytes) {
        closeBlock(begin, end);
        begin = end;
      }
    }
    open.removeFirst(begin);
  }

  private void closeBlock(int begin, int end) {
    int length = end - begin;
    blocks.add(compressors.compress(openRecords, open.bytes(), begin, length));
    openRecords = 0;
    closedBytes += length;
  }

  private void requireUnfinished() {
    if (finished) {
      throw new IllegalStateException("the run is finished: a chunk has a filler of its own");
    }
  }
}
