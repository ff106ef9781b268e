package io.tidemark.store.file;

import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Compression;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Creates the data files of one task: the port of file formats for writing. A staging thread writes
 * the records of a chunk that belong to one file as a {@link Segment}. The segments of a file, in
 * order, become the parts of the file. Implementations are thread-safe.
 */
public interface DataFileFactory extends AutoCloseable {

  /** Returns the format of the files. */
  DataFormat format();

  /** Returns the name of the codec of the files, as in log entries. Example: {@code snappy} */
  String codec();

  /**
   * Returns a factory of files with another compression. The returned factory is closed with this
   * factory, and {@link #codecNanos} of this factory includes its time.
   *
   * @param own the compression; empty for that of this factory
   */
  DataFileFactory with(Optional<Compression> own);

  /** Returns a new segment. It is not thread-safe. */
  SegmentWriter newSegment();

  /**
   * Returns a new segment that can be divided between several files; see {@link
   * DataFileWriter#append(Segment, int, int)}. Such a segment costs one more copy of the records.
   * It is not thread-safe.
   */
  SegmentWriter newDivisibleSegment();

  /**
   * Returns a new file without records.
   *
   * @param schema the schema of the file's datums
   * @param entry the UUID of the log entry that will commit the file; it is written to the file's
   *     metadata
   * @param workers threads that compress the records that remain after the segments' full blocks
   */
  DataFileWriter newFile(TableSchema schema, UUID entry, Executor workers);

  /** Returns the time that was spent in the codec, in nanoseconds. */
  long codecNanos();

  /** Frees the factory's resources. No file may still be open for writing. */
  @Override
  void close();
}
