package io.tidemark.connect.staging;

import io.tidemark.connect.format.Segment;

/** What one chunk brings to one file, with the summary of its records. */
record FilledSegment(Destination destination, Segment segment, RecordSummary summary) {}
