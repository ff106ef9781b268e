package io.tidemark.store.file;

/** The records of one chunk for one file, for a {@link DataFileWriter} of the same factory. */
public interface ChunkRecords {}
