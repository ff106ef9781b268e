package io.tidemark.connect.staging;

/** A batch needs too many files, and must end before an offset: this is not an error. */
public final class TooManyFilesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  TooManyFilesException(int most, Destination destination, long offset) {
    super(
        "the record at offset %d would need a further file in the table %s, above the limit of %d files; the batch ends before it"
            .formatted(offset, destination.table().name(), most));
    this.offset = offset;
  }

  public long offset() {
    return offset;
  }
}
