package io.tidemark.connect.format;

import io.tidemark.connect.table.Compression;
import io.tidemark.connect.table.schema.TableSchema;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Makes the data files of one task: a port. The records of a chunk that go to one file become a
 * {@link Segment}; the segments of one file, in order, become its parts. Implementations are safe
 * for use by many threads.
 */
public interface DataFileFactory extends AutoCloseable {

  /** The format of the files. */
  DataFormat format();

  /** The codec of the files, as log entries name it. Example: {@code snappy} */
  String codec();

  /**
   * The factory of files that are compressed in their own way. It is closed with this one, and its
   * time in the codec is in that of this one.
   *
   * @param own empty for the way of this factory
   */
  DataFileFactory with(Optional<Compression> own);

  /** A segment to be filled, by one worker. */
  SegmentWriter newSegment();

  /**
   * A segment to be filled, by one worker, that several files are made of: {@link
   * DataFileWriter#append(Segment, int, int)}. It costs one more copy of the records.
   */
  SegmentWriter newDivisibleSegment();

  /**
   * A file without a record.
   *
   * @param schema the schema of its datums
   * @param entry the UUID of the log entry that is to commit it, which its metadata carries
   * @param workers compress what segments leave over
   */
  DataFileWriter newFile(TableSchema schema, UUID entry, Executor workers);

  /** The time that was spent in the codec, in nanoseconds. */
  long codecNanos();

  /** Frees what the factory keeps; no file may be in the making any more. */
  @Override
  void close();
}
