package io.tidemark.store.file;

import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Compression;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Creates the data files of one task. A staging thread writes the {@link ChunkRecords} of each
 * file. Those of successive chunks become the parts of the file. Implementations are thread-safe.
 */
public interface DataFileFactory extends AutoCloseable {

  DataFormat format();

  /** Returns the codec's name, as in log entries. Example: {@code snappy} */
  String codec();

  /**
   * Returns a factory of files with another compression; empty for that of this factory. It is
   * closed with this factory, whose {@link #codecNanos} include its time.
   */
  DataFileFactory with(Optional<Compression> own);

  ChunkRecordsWriter newRecords();

  /**
   * For records that are divided between several files; see {@link
   * DataFileWriter#append(ChunkRecords, int, int)}. This costs one more copy of the records.
   */
  ChunkRecordsWriter newDivisibleRecords();

  /**
   * {@code entry} is the UUID of the log entry that will commit the file, in the file's metadata.
   * {@code workers} compress the records that remain after the chunks' full blocks.
   */
  DataFileWriter newFile(TableSchema schema, UUID entry, Executor workers);

  long codecNanos();

  /** No file may still be open for writing. */
  @Override
  void close();
}
