package io.tidemark.avro.file;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A block of a container file: how many records, how many bytes, the compressed records, and the
 * file's sync marker.
 *
 * <p>Immutable.
 */
public final class Block {
  private final long records;
  private final int rawBytes;
  private final byte[] compressed;

  /** Takes over {@code compressed}. */
  Block(long records, int rawBytes, byte[] compressed) {
    this.records = records;
    this.rawBytes = rawBytes;
    this.compressed = compressed;
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
        + Varint.size(compressed.length)
        + compressed.length
        + ContainerFileHeader.SYNC_BYTES;
  }

  /** Appends the block to a file that begins with the given header. */
  public void writeTo(OutputStream file, ContainerFileHeader header) throws IOException {
    var counts = new byte[2 * Varint.MAX_BYTES];
    int end = Varint.write(records, counts, 0);
    end = Varint.write(compressed.length, counts, end);
    file.write(counts, 0, end);
    file.write(compressed);
    file.write(header.sync());
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
