package io.tidemark.connect.staging;

import io.tidemark.connect.format.SegmentWriter;
import io.tidemark.registry.SchemaId;
import java.util.Optional;

/**
 * What a chunk has brought to one Hive partition so far.
 *
 * @param records each of the records, where files may end between them
 */
record OpenSegment(
    Destination destination,
    SegmentWriter writer,
    RecordSummary summary,
    Optional<RecordList> records) {

  /** Takes in what is told of a record that the writer has. */
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
