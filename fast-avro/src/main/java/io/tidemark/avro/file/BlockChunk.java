package io.tidemark.avro.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Consecutive records, divided into blocks, that are compressed together.
 *
 * <p>One thread fills a chunk, then one thread compresses it. It is then cleared and filled again,
 * in the same buffer. A block is complete when it reaches the block size. Its last record may
 * exceed that size.
 */
final class BlockChunk {
  private static final int FIRST_BUFFER_BYTES = 4096;
  private static final int LARGEST_BUFFER_BYTES = Integer.MAX_VALUE - 8;

  private final int blockSizeBytes;
  private final int chunkBytes;
  private byte[] data = new byte[FIRST_BUFFER_BYTES];
  private int bytes;
  private long records;
  private int[] blockEnds = new int[16];
  private long[] blockRecords = new long[16];
  private int blocks;
  private int openBegin;
  private long openRecords;

  /**
   * Creates an empty chunk.
   *
   * @param chunkBytes the size of complete blocks at which the chunk is full, in bytes
   */
  BlockChunk(int blockSizeBytes, int chunkBytes) {
    this.blockSizeBytes = blockSizeBytes;
    this.chunkBytes = chunkBytes;
  }

  long records() {
    return records;
  }

  int bytes() {
    return bytes;
  }

  /** Returns whether a record of this length fits; any record fits into an empty chunk. */
  boolean hasRoomFor(int length) {
    return length <= LARGEST_BUFFER_BYTES - bytes;
  }

  /** Returns whether the chunk has only complete blocks and has reached its size. */
  boolean isFull() {
    return openRecords == 0 && bytes >= chunkBytes;
  }

  void add(byte[] source, int offset, int length) {
    int end = bytes + length;
    if (end > data.length) {
      data = Arrays.copyOf(data, (int) Math.max(end, Math.min(2L * data.length, roomWanted())));
    }
    System.arraycopy(source, offset, data, bytes, length);
    bytes = end;
    records++;
    openRecords++;
    if (bytes - openBegin >= blockSizeBytes) {
      endBlock();
    }
  }

  /** Makes a block of the records after the last block, if there are any. */
  void endBlock() {
    if (openRecords == 0) {
      return;
    }
    if (blocks == blockEnds.length) {
      blockEnds = Arrays.copyOf(blockEnds, 2 * blocks);
      blockRecords = Arrays.copyOf(blockRecords, 2 * blocks);
    }
    blockEnds[blocks] = bytes;
    blockRecords[blocks++] = openRecords;
    openBegin = bytes;
    openRecords = 0;
  }

  void clear() {
    bytes = 0;
    records = 0;
    blocks = 0;
    openBegin = 0;
    openRecords = 0;
  }

  /**
   * Compresses the chunk's blocks. All of them must have been ended.
   *
   * @param firstRecord the index of the chunk's first record in its file
   */
  List<Block> compress(CompressorPool compressors, long firstRecord) {
    var compressed = new ArrayList<Block>(blocks);
    int begin = 0;
    long first = firstRecord;
    for (int i = 0; i < blocks; i++) {
      int length = blockEnds[i] - begin;
      compressed.add(compressors.block(first, blockRecords[i], data, begin, length));
      begin = blockEnds[i];
      first += blockRecords[i];
    }
    return compressed;
  }

  /** Returns the size of a full chunk plus what its last record may add if records are short. */
  private long roomWanted() {
    return Math.min((long) chunkBytes + blockSizeBytes, LARGEST_BUFFER_BYTES);
  }
}
