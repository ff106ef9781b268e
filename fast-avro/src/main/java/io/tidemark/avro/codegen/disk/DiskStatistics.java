package io.tidemark.avro.codegen.disk;

import java.util.Optional;

/**
 * Counts of the classes in the class directory, since the start.
 *
 * @param loaded classes that were loaded from their files
 * @param stored classes that were generated and written to files
 * @param ignored files that could not be used: damaged, of another format or another key, or with a
 *     class that the JVM rejects. Their classes were generated
 * @param failed the number of times that the directory could not be read, written to or cleaned up
 * @param lastFailure the last of these failures
 */
public record DiskStatistics(
    long loaded, long stored, long ignored, long failed, Optional<String> lastFailure) {

  /** The counts without a directory. */
  public static final DiskStatistics NONE = new DiskStatistics(0, 0, 0, 0, Optional.empty());
}
