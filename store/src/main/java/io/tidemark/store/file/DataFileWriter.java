package io.tidemark.store.file;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Writes one file. One thread at a time appends records and takes parts. The head, the parts and
 * the end are written later, in this order, also by one thread at a time, which may be another
 * thread.
 */
public interface DataFileWriter {

  /** They follow those of the earlier chunks. */
  void append(ChunkRecords records);

  /**
   * Appends the records from index {@code from} up to, not including, {@code to} of divisible ones.
   * All of them must be appended to files, in order.
   */
  void append(ChunkRecords records, int from, int to);

  /**
   * Returns the length of the appended records in the file. Records that are not yet encoded are
   * included with their uncompressed length.
   */
  long encodedBytes();

  /** Returns the memory, in bytes, of the parts that {@link #take} would return. */
  long bufferedBytes();

  /** Returns the complete parts that were not returned before. */
  List<FilePart> take();

  /** Completes the file. After the future completes, {@link #take} returns the last parts. */
  CompletableFuture<Void> finish();

  /** Writes the bytes before the first part, and returns their number. */
  long writeHead(OutputStream out) throws IOException;

  /** Writes a part that {@link #take} returned, and frees its memory. */
  void write(FilePart part, OutputStream out) throws IOException;

  /** Writes the bytes after the last part, and returns their number. */
  long writeEnd(OutputStream out) throws IOException;
}
