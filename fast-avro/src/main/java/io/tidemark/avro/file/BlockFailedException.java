package io.tidemark.avro.file;

/**
 * Thrown if a block could not be compressed. The message contains the indexes of the block's
 * records and the cause.
 *
 * <p>Possible causes: memory is exhausted, a codec's native library cannot be loaded, or a pool of
 * threads was shut down. A failed disk or network throws an {@link java.io.IOException} instead. A
 * retry does not help, so this exception is unchecked.
 */
public final class BlockFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long firstRecord;
  private final long lastRecord;

  BlockFailedException(BlockCodec codec, long firstRecord, long lastRecord, Throwable cause) {
    super(
        "records "
            + firstRecord
            + " to "
            + lastRecord
            + " could not be compressed with "
            + codec.name()
            + ": "
            + cause
            + ". The file is incomplete. Remove the cause, then write the file again.",
        cause);
    this.firstRecord = firstRecord;
    this.lastRecord = lastRecord;
  }

  /** Returns the index of the block's first record in the file, from 0. */
  public long firstRecord() {
    return firstRecord;
  }

  /** Returns the index of the block's last record in the file. */
  public long lastRecord() {
    return lastRecord;
  }
}
