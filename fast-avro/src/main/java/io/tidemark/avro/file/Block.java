package io.tidemark.avro.file;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A compressed block of a container file: its number of records, its size, the compressed records,
 * and the file's sync marker.
 *
 * <p>A block does not change until it is {@linkplain #release() released}. Not thread-safe.
 */
public final class Block {
  private final long records;
  private final int rawBytes;
  private final int compressedBytes;
  private final BufferPool buffers;
  private byte @Nullable [] compressed;

  /** Keeps {@code compressed}, borrowed from {@code buffers}; it may be longer than the block. */
  Block(long records, int rawBytes, byte[] compressed, int compressedBytes, BufferPool buffers) {
    this.records = records;
    this.rawBytes = rawBytes;
    this.compressed = compressed;
    this.compressedBytes = compressedBytes;
    this.buffers = buffers;
  }

  /** Returns the number of records. */
  public long records() {
    return records;
  }

  /** Returns the size of the records before compression, in bytes. */
  public int rawBytes() {
    return rawBytes;
  }

  /**
   * Returns the size of the block in a file, in bytes, including the record count, the size and the
   * sync marker.
   */
  public int encodedBytes() {
    return Varint.size(records)
        + Varint.size(compressedBytes)
        + compressedBytes
        + ContainerFileHeader.SYNC_BYTES;
  }

  /** Appends the block to a file that begins with the given header. */
  public void writeTo(OutputStream file, ContainerFileHeader header) throws IOException {
    byte[] bytes = compressed;
    if (bytes == null) {
      throw new IllegalStateException(this + " has been released");
    }
    var counts = new byte[2 * Varint.MAX_BYTES];
    int end = Varint.write(records, counts, 0);
    end = Varint.write(compressedBytes, counts, end);
    file.write(counts, 0, end);
    file.write(bytes, 0, compressedBytes);
    file.write(header.sync());
  }

  /**
   * Returns the block's buffer to the pool, for other blocks. The block cannot be written after
   * this. Calling this method is optional: without it, the buffer is garbage collected.
   */
  public void release() {
    byte[] bytes = compressed;
    compressed = null;
    if (bytes != null) {
      buffers.giveBack(bytes);
    }
  }

  @Override
  public String toString() {
    return "Block["
        + records
        + " records, "
        + rawBytes
        + " bytes raw, "
        + encodedBytes()
        + " encoded]";
  }
}
