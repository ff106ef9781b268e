package io.tidemark.avro.file.place;

import java.io.IOException;
import java.io.OutputStream;

/** The destination of a file that is being written. Not thread-safe. */
public sealed interface FileTarget permits StreamTarget, NewFileTarget, ExistingFileTarget {

  /** Returns the stream for the file's bytes. */
  OutputStream stream();

  /**
   * Forces what was written to the disk, so that it survives a power loss.
   *
   * @throws UnsupportedOperationException if the target does not support it
   */
  void force() throws IOException;

  /** Completes the file and makes it visible. */
  void complete() throws IOException;

  /** Discards the file. */
  void abandon() throws IOException;
}
