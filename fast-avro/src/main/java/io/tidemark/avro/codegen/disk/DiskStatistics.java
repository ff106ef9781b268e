package io.tidemark.avro.codegen.disk;

import java.util.Optional;

/**
 * What became of the classes on disk, since the start.
 *
 * @param loaded classes that were defined from their files
 * @param stored classes that were generated and written to files
 * @param ignored files that were damaged, or held another format, another key, or a class that the
 *     JVM refuses: their classes were generated
 * @param failed how often the directory could not be read, written to or cleaned up
 * @param lastFailure the last of these failures
 */
public record DiskStatistics(
    long loaded, long stored, long ignored, long failed, Optional<String> lastFailure) {

  /** Of those who have no directory. */
  public static final DiskStatistics NONE = new DiskStatistics(0, 0, 0, 0, Optional.empty());
}
