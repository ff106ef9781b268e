package io.tidemark.cli.audit;

import io.tidemark.store.file.AvroFormat;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Counts the records of an Avro container file from the headers of its blocks. No block is read,
 * decompressed or decoded. The layout is in "Object Container Files" of Avro's specification:
 *
 * <pre>
 * "Obj" 1 | metadata: map of bytes | sync marker: 16 bytes
 * for each block: count: long | size in bytes: long | the bytes | sync marker
 * </pre>
 */
public final class AvroBlocks {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC_BYTES = 16;
  private static final int HEADER_MOST_BYTES = 64 << 20;
  private static final int BUFFER_BYTES = 4_096;

  private final InputStream in;

  private AvroBlocks(InputStream in) {
    this.in = in;
  }

  /** The log entry of a file; empty if the connector did not write the file. */
  public record Counted(Optional<UUID> entry, long records) {}

  /** Reports that the bytes are not a complete Avro container file. */
  public static final class DamagedFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private DamagedFileException(String message) {
      super(message);
    }
  }

  /** Counts the records of a file, which stays open. */
  public static Counted count(InputStream file) throws IOException, DamagedFileException {
    AvroBlocks reader = new AvroBlocks(new BufferedInputStream(file, BUFFER_BYTES));
    try {
      Optional<UUID> entry = reader.header();
      return new Counted(entry, reader.blocks(reader.bytes(SYNC_BYTES)));
    } catch (EOFException e) {
      throw new DamagedFileException("it ends within its header or a block");
    }
  }

  private Optional<UUID> header() throws IOException, DamagedFileException {
    if (!Arrays.equals(bytes(MAGIC.length), MAGIC)) {
      throw new DamagedFileException("it does not begin as an Avro container file");
    }
    Optional<UUID> entry = Optional.empty();
    for (long pairs = number(); pairs != 0; pairs = number()) {
      if (pairs < 0) {
        number(); // the size of this part of the map in bytes
      }
      for (long pair = Math.abs(pairs); pair > 0; pair--) {
        String key = new String(bytes(length()), StandardCharsets.UTF_8);
        byte[] value = bytes(length());
        if (key.equals(AvroFormat.ENTRY_KEY)) {
          entry = Optional.of(entry(value));
        }
      }
    }
    return entry;
  }

  private static UUID entry(byte[] value) throws DamagedFileException {
    try {
      return UUID.fromString(new String(value, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new DamagedFileException(AvroFormat.ENTRY_KEY + " in its header is not a UUID");
    }
  }

  private long blocks(byte[] sync) throws IOException, DamagedFileException {
    long records = 0;
    for (int first = in.read(); first >= 0; first = in.read()) {
      long count = number(first);
      long size = number();
      if (count < 0 || size < 0) {
        throw new DamagedFileException(
            "a block's header has the counts %d records and %d bytes".formatted(count, size));
      }
      in.skipNBytes(size);
      // A skip may go beyond the end. The next read then fails.
      if (!Arrays.equals(bytes(SYNC_BYTES), sync)) {
        throw new DamagedFileException(
            "a block of %d bytes does not end with the file's sync marker".formatted(size));
      }
      records += count;
    }
    return records;
  }

  private int length() throws IOException, DamagedFileException {
    long length = number();
    if (length < 0 || length > HEADER_MOST_BYTES) {
      throw new DamagedFileException("a text of its header has the length " + length);
    }
    return (int) length;
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private long number() throws IOException, DamagedFileException {
    int first = in.read();
    if (first < 0) {
      throw new EOFException();
    }
    return number(first);
  }

  /** Reads an Avro long: seven bits a byte, the lowest first, then zigzag. */
  private long number(int first) throws IOException, DamagedFileException {
    long encoded = first & 0x7f;
    int next = first;
    for (int shift = 7; (next & 0x80) != 0; shift += 7) {
      next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      if (shift > 63) {
        throw new DamagedFileException("a number of its header or of a block is too long");
      }
      encoded |= (long) (next & 0x7f) << shift;
    }
    return (encoded >>> 1) ^ -(encoded & 1);
  }
}
