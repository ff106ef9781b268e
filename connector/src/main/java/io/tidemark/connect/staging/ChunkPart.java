package io.tidemark.connect.staging;

import io.tidemark.avro.plan.DatumSink;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.file.ChunkRecords;
import java.util.Optional;

/**
 * The records of one chunk for one Hive partition.
 *
 * @param records offset, timestamp and schema id of each record; empty if files cannot end between
 *     two records of a chunk
 */
record ChunkPart(
    Destination destination,
    ChunkRecords segment,
    RecordSummary summary,
    Optional<RecordList> records) {

  record Writer(
      Destination destination,
      DatumSink segment,
      RecordSummary summary,
      Optional<RecordList> records) {

    /** Adds offset, timestamp and schema id of a record that was passed to the segment's writer. */
    void add(long offset, long timestamp, SchemaId schemaId) {
      summary.add(offset, timestamp, schemaId);
      if (records.isPresent()) {
        records.get().add(offset, timestamp, schemaId);
      }
    }

    ChunkPart finish() {
      return new ChunkPart(destination, ChunkRecords.of(segment), summary, records);
    }
  }
}
