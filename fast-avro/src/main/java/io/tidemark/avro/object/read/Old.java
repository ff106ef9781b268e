package io.tidemark.avro.object.read;

import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Writes code that pushes the object whose parts a value may reuse, or null. */
interface Old extends Consumer<MethodVisitor> {
  /** Pushes null: there is no object to reuse. */
  Old NONE = code -> code.visitInsn(Opcodes.ACONST_NULL);

  /** Pushes the first argument of the method that reads a value. */
  Old ARGUMENT = code -> code.visitVarInsn(Opcodes.ALOAD, 0);
}
