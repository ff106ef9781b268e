package io.tidemark.store.file;

/** An encoded part of a file, such as a block of an Avro file. */
public interface FilePart {

  /** Returns the part's length in the file, in bytes. */
  long bytes();
}
