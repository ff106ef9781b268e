package io.tidemark.avro.file.place;

import java.io.IOException;
import java.io.OutputStream;

/** Where a file is written, and how it comes to stand there. Used by one thread at a time. */
public sealed interface FileTarget permits StreamTarget, NewFileTarget, ExistingFileTarget {

  /** Takes the file's bytes. */
  OutputStream stream();

  /**
   * Makes what was written survive a power loss.
   *
   * @throws UnsupportedOperationException if the target has no such operation
   */
  void force() throws IOException;

  /** Ends the file: it is whole. */
  void complete() throws IOException;

  /** Gives the file up. */
  void abandon() throws IOException;
}
