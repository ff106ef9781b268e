package io.tidemark.connect.format;

/** What one chunk brings to one file, for the {@link DataFileWriter} of the same factory. */
public interface Segment {}
