package io.tidemark.store.file;

import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.BlockRun;
import io.tidemark.avro.file.RecordRun;
import io.tidemark.avro.plan.DatumSink;

/** The records of one chunk for one file, for a {@link AvroFileWriter} of the same factory. */
public sealed interface ChunkRecords {
  /** Full blocks, and the remaining records. */
  record Blocks(BlockRun run) implements ChunkRecords {}

  /** Records that are not yet in blocks, because they are divided between files. */
  record Records(RecordRun run) implements ChunkRecords {}

  /** Returns the records of a sink, to which nothing can be appended afterwards. */
  static ChunkRecords of(DatumSink sink) {
    return sink instanceof BlockFiller filler
        ? new Blocks(filler.finish())
        : new Records((RecordRun) sink);
  }
}
