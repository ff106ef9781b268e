package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * A generated class before the JVM has it.
 *
 * @param classFile its bytes
 * @param places how many places its walk notes in
 * @param constants what it emits by index
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KernelClass(byte[] classFile, int places, List<Constant> constants) {}
