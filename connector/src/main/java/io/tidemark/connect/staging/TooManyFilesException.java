package io.tidemark.connect.staging;

/**
 * A batch would have more files than it may: it has to end before an offset. Nothing is wrong; the
 * records from there on are for the next batch.
 */
public final class TooManyFilesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /** {@code offset} is the first whose record would need one file more. */
  TooManyFilesException(int most, Destination destination, long offset) {
    super(
        "the batch needs more than "
            + most
            + " files from offset "
            + offset
            + " on, for the table "
            + destination.table().name()
            + ", and ends there");
    this.offset = offset;
  }

  /** The first offset that is not for the batch; there are records before it. */
  public long offset() {
    return offset;
  }
}
