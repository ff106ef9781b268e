package io.tidemark.avro.file.read;

import io.tidemark.avro.binary.BinaryCursor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a part of a container file cannot be read. The message contains the file, the byte
 * offset, the problem, and what to do.
 *
 * <p>A block that is larger than {@code maxBlockBytes} throws this exception, too, although its
 * file need not be damaged. The message then names that setting.
 *
 * <p>Example: {@code quotes.avro@4096: the sync marker after the block is not that of the file. The
 * file was damaged or truncated. Restore the file, or call sync(4097) to skip the block.}
 */
public final class CorruptFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long position;

  private CorruptFileException(
      String file, long position, String problem, String cure, @Nullable Throwable cause) {
    super(
        file + "@" + position + ": " + problem + (cause == null ? "" : ": " + cause) + ". " + cure,
        cause);
    this.file = file;
    this.position = position;
  }

  /** Returns the exception for a header that is missing, damaged or not supported. */
  static CorruptFileException ofHead(String file, Throwable cause) {
    return new CorruptFileException(
        file,
        0,
        "the header of an Avro data file cannot be read",
        "The file is not an Avro data file, was damaged, or needs an unsupported codec."
            + " Name another file, or restore this one.",
        cause);
  }

  /** Returns the exception for a block that cannot be read. */
  static CorruptFileException ofBlock(
      String file, long position, String problem, @Nullable Throwable cause) {
    return new CorruptFileException(
        file,
        position,
        problem,
        "The file was damaged or truncated. Restore the file, or call sync("
            + (position + 1)
            + ") to skip the block.",
        cause);
  }

  /** Returns the exception for a block that is larger than the reader's limit. */
  static CorruptFileException ofLargeBlock(String file, long position, int maxBlockBytes) {
    return new CorruptFileException(
        file,
        position,
        "the block has more than " + maxBlockBytes + " bytes when decompressed (maxBlockBytes)",
        "The limit is too small for the file, or the file was damaged. Raise maxBlockBytes, or"
            + " call sync("
            + (position + 1)
            + ") to skip the block.",
        null);
  }

  /** Returns the exception for a block that states more records than the reader accepts. */
  static CorruptFileException ofEmptyRecords(
      String file, long position, long records, int bytes, long maxEmptyRecords) {
    return new CorruptFileException(
        file,
        position,
        "the block states "
            + records
            + " records in "
            + BinaryCursor.bytes(bytes)
            + ", and only "
            + maxEmptyRecords
            + " may be without bytes (maxEmptyRecords)",
        "The file was damaged, or the limit is too small for it. Restore the file, raise"
            + " maxEmptyRecords, or call sync("
            + (position + 1)
            + ") to skip the block.",
        null);
  }

  /** Returns the exception for a record that cannot be read. */
  static CorruptFileException ofRecord(String file, long position, long record, Throwable cause) {
    return new CorruptFileException(
        file,
        position,
        "record " + record + " of the block, counted from 0, cannot be read",
        "The file was damaged, or the reader's schema does not fit the file's. Restore the file,"
            + " give another schema, or call sync("
            + (position + 1)
            + ") to skip the block.",
        cause);
  }

  /** Returns the exception for a file that ends within a block. */
  static CorruptFileException ofEnd(String file, long position) {
    return new CorruptFileException(
        file,
        position,
        "the file does not end with its sync marker",
        "A writer was interrupted, or the file was truncated. Restore the file, or copy its"
            + " readable records to a new file.",
        null);
  }

  /** Returns the file, by the name that the reader was given. */
  public String file() {
    return file;
  }

  /**
   * Returns a byte offset: that of the damaged block, 0 for the header, or the file's length for a
   * truncated file.
   */
  public long position() {
    return position;
  }
}
