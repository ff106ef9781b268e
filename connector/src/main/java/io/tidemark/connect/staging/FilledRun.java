package io.tidemark.connect.staging;

import io.tidemark.avro.file.BlockRun;

/** What one chunk brings to one file: blocks, and what is to be told of its records. */
record FilledRun(Destination destination, BlockRun blocks, RecordSummary summary) {}
