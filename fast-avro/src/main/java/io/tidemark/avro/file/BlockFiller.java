package io.tidemark.avro.file;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.DatumSink;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Fills blocks with the records of one chunk. It compresses a full block immediately, while the
 * block's records are in the processor's cache.
 *
 * <p>A block ends with the record that reaches the block size, so it can be larger by less than a
 * record. When the filler is finished, the remaining records become a block too if they fill at
 * least half of one. Otherwise they remain uncompressed, and {@link BlockSequence} joins them with
 * those of the next {@link BlockRun}. Not thread-safe; for one run.
 */
public final class BlockFiller implements DatumSink {
  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final List<Block> blocks = new ArrayList<>();
  private final TableDatums open;
  private long openRecords;
  private long records;
  private long closedBytes;
  private boolean finished;

  /**
   * Creates an empty filler.
   *
   * @param blockSizeBytes the size of uncompressed records that make a block, from 1
   */
  public BlockFiller(CompressorPool compressors, int blockSizeBytes) {
    if (blockSizeBytes < 1) {
      throw new IllegalArgumentException(
          "blockSizeBytes must be at least 1, not " + blockSizeBytes);
    }
    this.compressors = compressors;
    this.blockSizeBytes = blockSizeBytes;
    open = compressors.borrowDatums();
  }

  /**
   * Appends a copy of a record. The record must be a datum of the file's schema: this method does
   * not check it.
   *
   * @throws RuntimeException the codec's exception, unchanged, if a full block cannot be
   *     compressed. It is not wrapped in a {@link BlockFailedException}. An {@code Error} of the
   *     codec is thrown unchanged, too
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
   * {@inheritDoc}
   *
   * @throws RuntimeException the codec's own exception if a full block cannot be compressed
   */
  @Override
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
   * {@inheritDoc} The results are compressed from the buffer into which they are copied. For speed,
   * append at most as many bytes in one call as fit into the processor's cache.
   *
   * @throws RuntimeException the codec's own exception if a full block cannot be compressed
   */
  @Override
  public void append(BatchRunner runner, SourceDatums datums, int from, int to)
      throws MalformedDatumException {
    requireUnfinished();
    try {
      runner.run(datums, from, to, open);
    } finally {
      takeIn();
    }
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long rawBytes() {
    return finished ? closedBytes : closedBytes + open.size();
  }

  /**
   * Ends the chunk and returns its result. Nothing can be appended after this.
   *
   * @throws RuntimeException the codec's own exception if the last block cannot be compressed
   */
  public BlockRun finish() {
    requireUnfinished();
    if (openRecords > 0 && open.size() >= blockSizeBytes / 2) {
      closeBlock(0, open.size());
      open.removeFirst(open.size());
    }
    closedBytes += open.size();
    finished = true;
    return new BlockRun(blocks, compressors.buffers().compacted(open), openRecords);
  }

  /** Counts the datums that the last call appended, and ends each block that they fill. */
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
      throw new IllegalStateException(
          "finish() has been called. Create a new BlockFiller for the next chunk.");
    }
  }
}
