package io.tidemark.avro.file;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A block of a container file: how many records, how many bytes, the compressed records, and the
 * file's sync marker.
 *
 * <p>Does not change until it is {@linkplain #release() released}. Used by one thread at a time.
 */
public final class Block {
  private final long records;
  private final int rawBytes;
  private final int compressedBytes;
  private final BufferPool buffers;
  private byte @Nullable [] compressed;

  /** Takes over {@code compressed}, which {@code buffers} have lent, and may be longer. */
  Block(long records, int rawBytes, byte[] compressed, int compressedBytes, BufferPool buffers) {
    this.records = records;
    this.rawBytes = rawBytes;
    this.compressed = compressed;
    this.compressedBytes = compressedBytes;
    this.buffers = buffers;
  }

  /** How many records the block holds. */
  public long records() {
    return records;
  }

  /** How many bytes its records have before they are compressed. */
  public int rawBytes() {
    return rawBytes;
  }

  /** How many bytes it takes in a file, with its counts and the sync marker. */
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
   * Lets the next blocks be made in this one's memory: it cannot be written again. A block that is
   * not released is left to the garbage collector.
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
