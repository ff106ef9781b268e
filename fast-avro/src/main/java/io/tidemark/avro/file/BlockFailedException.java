package io.tidemark.avro.file;

/**
 * A block could not be compressed: which records it holds, and why.
 *
 * <p>It is unchecked because it is no fault of the file's disk or network, and trying again does
 * not cure it: memory is exhausted, a codec's native library cannot be loaded, or a pool of threads
 * was shut down.
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
            + ". The file is incomplete: write it again when the cause is mended.",
        cause);
    this.firstRecord = firstRecord;
    this.lastRecord = lastRecord;
  }

  /** The index in the file of the block's first record, from 0. */
  public long firstRecord() {
    return firstRecord;
  }

  /** The index in the file of its last record. */
  public long lastRecord() {
    return lastRecord;
  }
}
