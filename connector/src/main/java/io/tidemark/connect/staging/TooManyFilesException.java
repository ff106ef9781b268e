package io.tidemark.connect.staging;

/** A batch would have more files than is allowed: its Hive partitions are too fine. */
public final class TooManyFilesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooManyFilesException(int most, Destination destination) {
    super(
        "one batch touches more than "
            + most
            + " Hive partitions of the table "
            + destination.table().name()
            + " (the next is "
            + destination.partition()
            + "). Each is a file, and so many small files would burden HDFS and Hive. Raise batch.hive.partitions; "
            + "a table without files may have a coarser time, or fields with fewer values, instead.");
  }
}
