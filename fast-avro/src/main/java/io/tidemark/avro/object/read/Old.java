package io.tidemark.avro.object.read;

import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Pushes the object whose parts a value may reuse, or null. */
interface Old extends Consumer<MethodVisitor> {
  /** There is none. */
  Old NONE = code -> code.visitInsn(Opcodes.ACONST_NULL);

  /** The first argument of a value's method. */
  Old ARGUMENT = code -> code.visitVarInsn(Opcodes.ALOAD, 0);
}
