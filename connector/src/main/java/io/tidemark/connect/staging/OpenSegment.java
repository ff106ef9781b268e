package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import io.tidemark.store.file.ChunkRecordsWriter;
import java.util.Optional;

/**
 * The records of a chunk for one Hive partition so far.
 *
 * @param records offset, timestamp and schema id of each record; empty if files cannot end between
 *     two records of a chunk
 */
record OpenSegment(
    Destination destination,
    ChunkRecordsWriter writer,
    RecordSummary summary,
    Optional<RecordList> records) {

  /** Adds offset, timestamp and schema id of a record that was passed to the writer. */
  void add(long offset, long timestamp, SchemaId schemaId) {
    summary.add(offset, timestamp, schemaId);
    if (records.isPresent()) {
      records.get().add(offset, timestamp, schemaId);
    }
  }

  FilledSegment finish() {
    return new FilledSegment(destination, writer.finish(), summary, records);
  }
}
