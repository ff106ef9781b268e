package io.tidemark.connect.format;

import io.tidemark.connect.table.Compression;
import io.tidemark.connect.table.schema.TableSchema;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Creates the data files of one task; the interface of file formats for writing. A worker writes
 * the records of a chunk that go to one file as a {@link Segment}. The segments of a file, in
 * order, become its parts. Implementations are safe for use by many threads.
 */
public interface DataFileFactory extends AutoCloseable {

  /** Returns the format of the files. */
  DataFormat format();

  /** Returns the codec of the files, as log entries name it. Example: {@code snappy} */
  String codec();

  /**
   * Returns the factory of files with their own compression. It is closed with this factory, and
   * {@link #codecNanos} of this factory includes its time.
   *
   * @param own the compression; empty for that of this factory
   */
  DataFileFactory with(Optional<Compression> own);

  /** Returns a new segment, for one worker. */
  SegmentWriter newSegment();

  /**
   * Returns a new segment, for one worker, that can be divided between several files: {@link
   * DataFileWriter#append(Segment, int, int)}. It costs one more copy of the records.
   */
  SegmentWriter newDivisibleSegment();

  /**
   * Returns a new file without records.
   *
   * @param schema the schema of its datums
   * @param entry the UUID of the log entry that will commit it, which is written to its metadata
   * @param workers compress the records that remain after the segments' full blocks
   */
  DataFileWriter newFile(TableSchema schema, UUID entry, Executor workers);

  /** Returns the time that was spent in the codec, in nanoseconds. */
  long codecNanos();

  /** Frees the factory's resources. No file may still be open for writing. */
  @Override
  void close();
}
