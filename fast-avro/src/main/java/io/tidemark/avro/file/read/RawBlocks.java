package io.tidemark.avro.file.read;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.InvalidNumberEncodingException;
import org.apache.avro.file.DataFileConstants;

/** The compressed blocks of a file, in order. Not thread-safe. */
final class RawBlocks implements Closeable {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  /** No codec makes a block larger than by this part of it, and by this many bytes. */
  private static final long EXPANSION = 4;

  private static final long MOST_OVERHEAD = 1 << 16;

  private final String name;
  private final BufferedInput input;
  private final int maxBlockBytes;
  private final long maxStoredBytes;
  private final byte[] sync;
  private final long headEnd;
  private final byte[] found;

  /**
   * Begins at a file's first block.
   *
   * @param maxBlockBytes the maximum size of a decompressed block
   */
  RawBlocks(String name, BufferedInput input, FileHead head, int maxBlockBytes) {
    this.name = name;
    this.input = input;
    this.maxBlockBytes = maxBlockBytes;
    maxStoredBytes =
        head.codec().equals(DataFileConstants.NULL_CODEC)
            ? maxBlockBytes
            : maxBlockBytes + maxBlockBytes / EXPANSION + MOST_OVERHEAD;
    sync = head.sync();
    headEnd = head.end();
    found = new byte[sync.length];
    input.seek(headEnd);
  }

  long length() throws IOException {
    return input.length();
  }

  /**
   * Reads the next block.
   *
   * @return false at the end of the file
   * @throws CorruptFileException if the file continues, but not with a complete block
   */
  boolean read(BlockSlot slot) throws IOException {
    long begin = input.position();
    if (begin >= input.length()) {
      return false;
    }
    try {
      long records = input.readLong();
      long bytes = input.readLong();
      if (records < 0 || bytes < 0 || bytes > MAX_BYTES) {
        throw corrupt(
            begin,
            "the block's count or size field is wrong: "
                + records
                + " records, "
                + bytes
                + " bytes");
      }
      if (bytes > input.length() - input.position()) {
        throw cutOff(begin);
      }
      if (bytes > maxStoredBytes) {
        throw CorruptFileException.ofLargeBlock(name, begin, maxBlockBytes);
      }
      byte[] target = slot.begin(begin, records, (int) bytes);
      input.readFully(target, (int) bytes);
      input.readFully(found, found.length);
      if (!Arrays.equals(found, sync)) {
        throw corrupt(begin, "the sync marker after the block is not that of the file");
      }
      slot.end(input.position());
      return true;
    } catch (EOFException e) {
      throw cutOff(begin);
    } catch (InvalidNumberEncodingException e) {
      throw CorruptFileException.ofBlock(
          name, begin, "the block's count or size field is wrong", e);
    }
  }

  private CorruptFileException cutOff(long begin) {
    return corrupt(begin, "the file ends within a block");
  }

  private CorruptFileException corrupt(long begin, String problem) {
    return CorruptFileException.ofBlock(name, begin, problem, null);
  }

  /** Moves to the start of a block. */
  void seek(long position) {
    input.seek(position);
  }

  /**
   * Moves to the block after the next sync marker that begins at or after a position, or to the end
   * of the file, and returns the new position.
   */
  long sync(long position) throws IOException {
    // Some writers repeat the marker in the header's metadata, where no block begins.
    if (position <= headEnd - sync.length) {
      seek(headEnd);
      return headEnd;
    }
    input.seek(position);
    long read = 0;
    for (int next = input.read(); next >= 0; next = input.read()) {
      found[(int) (read++ % found.length)] = (byte) next;
      if (read >= found.length && isSync((int) (read % found.length))) {
        return input.position();
      }
    }
    return input.length();
  }

  /**
   * Returns whether the bytes that were read last are the sync marker; {@code at} is the index of
   * the oldest.
   */
  private boolean isSync(int at) {
    for (int i = 0; i < sync.length; i++) {
      if (found[(at + i) % found.length] != sync[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
