package io.tidemark.connect.staging;

import io.tidemark.connect.format.SegmentWriter;
import io.tidemark.registry.SchemaId;
import java.util.Optional;

/**
 * The records of a chunk for one Hive partition so far.
 *
 * @param records each of the records; empty if files cannot end between them
 */
record OpenSegment(
    Destination destination,
    SegmentWriter writer,
    RecordSummary summary,
    Optional<RecordList> records) {

  /** Adds offset, timestamp and schema id of a record that the writer has. */
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
