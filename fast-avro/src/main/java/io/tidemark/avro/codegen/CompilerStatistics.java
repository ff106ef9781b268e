package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.util.Optional;

/**
 * Counts of plans, or of object readers and writers, since the start.
 *
 * @param compiled those whose class was generated, or loaded from disk
 * @param interpreted those without a class, because it could not be generated: the interpreter, or
 *     Avro's own code, runs instead
 * @param waiting those that wait for their class, and are interpreted until then
 * @param compileNanos total time of generating and loading classes, in ns
 * @param lastFallBack the schemas of the last of the interpreted ones, and why it has no class
 * @param disk counts of the classes on disk
 */
public record CompilerStatistics(
    long compiled,
    long interpreted,
    long waiting,
    long compileNanos,
    Optional<String> lastFallBack,
    DiskStatistics disk) {

  /** Creates the counts of a cache without a class directory. */
  public CompilerStatistics(
      long compiled,
      long interpreted,
      long waiting,
      long compileNanos,
      Optional<String> lastFallBack) {
    this(compiled, interpreted, waiting, compileNanos, lastFallBack, DiskStatistics.NONE);
  }

  /** Returns these counts with those of a class directory. */
  public CompilerStatistics with(DiskStatistics kept) {
    return new CompilerStatistics(compiled, interpreted, waiting, compileNanos, lastFallBack, kept);
  }
}
