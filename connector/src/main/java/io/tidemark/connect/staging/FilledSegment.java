package io.tidemark.connect.staging;

import io.tidemark.store.file.ChunkRecords;
import java.util.Optional;

/**
 * The records of one chunk for one Hive partition, with their summary.
 *
 * @param records offset, timestamp and schema id of each record; empty if files cannot end between
 *     two records of a chunk
 */
record FilledSegment(
    Destination destination,
    ChunkRecords segment,
    RecordSummary summary,
    Optional<RecordList> records) {}
