package io.tidemark.connect.staging;

import io.tidemark.connect.format.SegmentWriter;

/** What a chunk has brought to one file so far. */
record OpenSegment(Destination destination, SegmentWriter writer, RecordSummary summary) {

  FilledSegment finish() {
    return new FilledSegment(destination, writer.finish(), summary);
  }
}
