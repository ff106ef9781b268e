package io.tidemark.avro.codegen;

import java.util.Optional;

/**
 * What became of the plans that were to be compiled, since the start.
 *
 * @param compiled plans whose class was made
 * @param interpreted plans that the interpreter runs for good: no class could be made
 * @param waiting plans that the interpreter runs until their class is made
 * @param compileNanos how long the making of classes took, in all
 * @param lastFallBack the schemas of the last of the interpreted plans, and why it has no class
 */
public record CompilerStatistics(
    long compiled,
    long interpreted,
    long waiting,
    long compileNanos,
    Optional<String> lastFallBack) {}
