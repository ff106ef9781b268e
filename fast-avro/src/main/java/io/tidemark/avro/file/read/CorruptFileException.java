package io.tidemark.avro.file.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A part of a container file that cannot be read: which file, at which byte, what is wrong, and
 * what to do.
 *
 * <p>Example: {@code quotes.avro@4096: the sync marker behind the block is not that of the file.
 * The file was damaged or cut off. Restore it; or leave the block out by sync(4097).}
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

  /** A head that is none, or holds what this version cannot read. */
  static CorruptFileException ofHead(String file, Throwable cause) {
    return new CorruptFileException(
        file,
        0,
        "the head of an Avro data file cannot be read",
        "The file is no Avro data file, was damaged, or needs a codec that is not known here."
            + " Name another file, or restore this one.",
        cause);
  }

  /** A block that cannot be read. */
  static CorruptFileException ofBlock(
      String file, long position, String problem, @Nullable Throwable cause) {
    return new CorruptFileException(
        file,
        position,
        problem,
        "The file was damaged or cut off. Restore it; or leave the block out by sync("
            + (position + 1)
            + ").",
        cause);
  }

  /** A record that cannot be read. */
  static CorruptFileException ofRecord(String file, long position, long record, Throwable cause) {
    return new CorruptFileException(
        file,
        position,
        "record " + record + " of the block, counted from 0, cannot be read",
        "The file was damaged, or the reader's schema does not fit the file's. Restore the file or"
            + " give another schema; or leave the block out by sync("
            + (position + 1)
            + ").",
        cause);
  }

  /** An end that stands within a block. */
  static CorruptFileException ofEnd(String file, long position) {
    return new CorruptFileException(
        file,
        position,
        "the file does not end with its sync marker",
        "A writer was interrupted, or the file was cut off. Restore it; or read what is whole, and"
            + " write that to a file of its own.",
        null);
  }

  /** The file, as it was named to the reader. */
  public String file() {
    return file;
  }

  /** Where the block begins that cannot be read; 0 for the file's head; or the file's end. */
  public long position() {
    return position;
  }
}
