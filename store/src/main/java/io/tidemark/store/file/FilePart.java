package io.tidemark.store.file;

/** An encoded part of a file, such as a block of an Avro file. */
public interface FilePart {

  /** The length in the file. */
  long bytes();
}
