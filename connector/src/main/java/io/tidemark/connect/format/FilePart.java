package io.tidemark.connect.format;

/** A part of a file that is encoded, such as a block of an Avro file. */
public interface FilePart {

  /** Its length in the file. */
  long bytes();
}
