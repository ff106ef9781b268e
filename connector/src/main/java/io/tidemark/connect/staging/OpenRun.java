package io.tidemark.connect.staging;

import io.tidemark.avro.file.BlockFiller;

/** What a chunk has brought to one file so far. */
record OpenRun(Destination destination, BlockFiller filler, RecordSummary summary) {

  FilledRun finish() {
    return new FilledRun(destination, filler.finish(), summary);
  }
}
