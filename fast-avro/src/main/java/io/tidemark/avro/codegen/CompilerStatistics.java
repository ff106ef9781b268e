package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.util.Optional;

/**
 * Counts of plans ({@link CompiledPlans#statistics()}), or of object readers and writers, since the
 * start. Below, "plan" means any of these.
 *
 * @param compiled the number of plans whose class was generated or loaded from disk
 * @param interpreted the number of plans for which no class could be made, counted at each attempt.
 *     These plans are interpreted. Readers and writers without a class use Avro's own code
 * @param waiting the number of plans whose class was requested but is not ready. These plans are
 *     interpreted until their classes are ready
 * @param compileNanos total time of generating and loading classes, in ns
 * @param lastFallBack the schemas of the last plan that got no class, and the cause; empty if there
 *     is none
 * @param disk counts of the classes in the class directory
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
