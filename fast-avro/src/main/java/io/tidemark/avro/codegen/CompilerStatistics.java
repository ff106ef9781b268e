package io.tidemark.avro.codegen;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.util.Optional;

/**
 * What became of the plans that were to be compiled, since the start.
 *
 * @param compiled plans whose class was made, or loaded from disk
 * @param interpreted plans that the interpreter runs for good: no class could be made
 * @param waiting plans that the interpreter runs until their class is made
 * @param compileNanos how long the making and the loading of classes took, in all
 * @param lastFallBack the schemas of the last of the interpreted plans, and why it has no class
 * @param disk what became of the classes on disk, if there is a directory for them
 */
public record CompilerStatistics(
    long compiled,
    long interpreted,
    long waiting,
    long compileNanos,
    Optional<String> lastFallBack,
    DiskStatistics disk) {

  /** Of those who keep no classes on disk. */
  public CompilerStatistics(
      long compiled,
      long interpreted,
      long waiting,
      long compileNanos,
      Optional<String> lastFallBack) {
    this(compiled, interpreted, waiting, compileNanos, lastFallBack, DiskStatistics.NONE);
  }

  /** The same, of one who keeps classes on disk. */
  public CompilerStatistics with(DiskStatistics kept) {
    return new CompilerStatistics(compiled, interpreted, waiting, compileNanos, lastFallBack, kept);
  }
}
