package io.tidemark.connect.staging;

import io.tidemark.connect.format.Segment;
import java.util.Optional;

/**
 * What one chunk brings to one Hive partition, with the summary of its records.
 *
 * @param records each of the records, where files may end between them
 */
record FilledSegment(
    Destination destination,
    Segment segment,
    RecordSummary summary,
    Optional<RecordList> records) {}
