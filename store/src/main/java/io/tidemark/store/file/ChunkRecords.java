package io.tidemark.store.file;

/** The records of one chunk for one file, for a {@link AvroFileWriter} of the same factory. */
public interface ChunkRecords {}
