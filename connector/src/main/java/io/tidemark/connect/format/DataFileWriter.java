package io.tidemark.connect.format;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One file in the making. Segments are appended, and parts taken, by one thread at a time. The
 * head, the parts and the tail are written behind, by one thread at a time, in this order.
 */
public interface DataFileWriter {

  /** Appends a segment; its records follow those of the segments before. */
  void append(Segment segment);

  /**
   * Appends some records of a divisible segment. The files that it is divided between take all of
   * them, in order.
   *
   * @param from the first of them
   * @param to the one behind the last
   */
  void append(Segment segment, int from, int to);

  /**
   * The length of what was appended, in the file: of what is encoded already. The rest counts with
   * its length before compression.
   */
  long encodedBytes();

  /** The memory that {@link #take} would hand over. */
  long bufferedBytes();

  /** The parts that are complete and were not taken before. */
  List<FilePart> take();

  /** Completes the file; once done, {@link #take} gives the last parts. */
  CompletableFuture<Void> finish();

  /** Writes what stands before the first part, and returns its length in bytes. */
  long writeHead(OutputStream out) throws IOException;

  /** Writes a part that was taken, and frees its memory. */
  void write(FilePart part, OutputStream out) throws IOException;

  /** Writes what stands behind the last part, and returns its length in bytes. */
  long writeTail(OutputStream out) throws IOException;
}
