package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.step.Constant;
import java.util.List;

/**
 * A generated class before it is defined in the JVM.
 *
 * @param classFile the class file's bytes
 * @param places the number of positions that its walk notes
 * @param constants the constants that it emits, by index
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KernelClass(byte[] classFile, int places, List<Constant> constants) {}
