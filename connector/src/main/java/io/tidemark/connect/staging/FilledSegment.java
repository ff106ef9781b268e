package io.tidemark.connect.staging;

import io.tidemark.connect.format.Segment;
import java.util.Optional;

/**
 * The records of one chunk for one Hive partition, with their summary.
 *
 * @param records each of the records; empty if files cannot end between them
 */
record FilledSegment(
    Destination destination,
    Segment segment,
    RecordSummary summary,
    Optional<RecordList> records) {}
