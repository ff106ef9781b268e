package io.tidemark.avro.object.code;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A digest of all that a generator writes, as the key of a class on disk. Used by one thread, for
 * one class.
 *
 * <p>The generator always runs, because only the generator can create the constants of the class.
 * So its output can be the key, and no version, schema or setting can be missing from the key. A
 * class from disk saves the work of ASM's class writer, which is the largest part in a JVM that has
 * just started.
 *
 * <p>The digest has four sums of 64 bits, each with a multiplier of its own. The sums are not
 * cryptographic: in a JVM that has just started, a cryptographic digest takes as long as writing
 * the class.
 */
final class CodeDigest extends ClassVisitor {
  /** Odd numbers with well distributed bits, from the golden ratio, MurmurHash3 and SplitMix. */
  private static final long[] MULTIPLIERS = {
    0x9e3779b97f4a7c15L, 0xff51afd7ed558ccdL, 0xc4ceb9fe1a85ec53L, 0xbf58476d1ce4e5b9L
  };

  private long a = 1;
  private long b = 2;
  private long c = 3;
  private long d = 4;
  private final Map<String, Integer> texts = new HashMap<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final MethodVisitor code = new Code();

  CodeDigest() {
    super(Opcodes.ASM9);
  }

  /** Returns the digest as 64 hexadecimal digits. */
  String hex() {
    var hex = new StringBuilder();
    for (long sum : new long[] {a, b, c, d}) {
      for (int shift = 60; shift >= 0; shift -= 4) {
        hex.append(Character.forDigit((int) (sum >>> shift) & 0xf, 16));
      }
    }
    return hex.toString();
  }

  private void add(int number) {
    a = (a ^ number) * MULTIPLIERS[0];
    b = (Long.rotateLeft(b, 29) ^ number) * MULTIPLIERS[1];
    c = (Long.rotateLeft(c, 41) + number) * MULTIPLIERS[2];
    d = (Long.rotateLeft(d, 17) ^ number) * MULTIPLIERS[3];
  }

  /** Adds the characters of a text at its first use, and its number at each later use. */
  private void add(@Nullable String text) {
    if (text == null) {
      add(-1);
      return;
    }
    Integer known = texts.putIfAbsent(text, texts.size());
    if (known != null) {
      add(known);
      return;
    }
    add(-2);
    add(text.length());
    for (int i = 0; i < text.length(); i++) {
      add(text.charAt(i));
    }
  }

  private void add(Label label) {
    Integer known = labels.putIfAbsent(label, labels.size());
    add(known == null ? labels.size() - 1 : known);
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String parent,
      String @Nullable [] interfaces) {
    add(version);
    add(access);
    add(name);
    add(parent);
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    add(1);
    add(access);
    add(name);
    add(descriptor);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    add(2);
    add(access);
    add(name);
    add(descriptor);
    return code;
  }

  /** Receives the code of all methods, one after the other. */
  private final class Code extends MethodVisitor {
    Code() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitInsn(int opcode) {
      add(3);
      add(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      add(4);
      add(opcode);
      add(operand);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      add(5);
      add(opcode);
      add(variable);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      add(6);
      add(opcode);
      add(type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      add(7);
      add(opcode);
      add(owner);
      add(name);
      add(descriptor);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      add(8);
      add(opcode);
      add(owner);
      add(name);
      add(descriptor);
      add(isInterface ? 1 : 0);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      add(9);
      add(opcode);
      add(label);
    }

    @Override
    public void visitLabel(Label label) {
      add(10);
      add(label);
    }

    @Override
    public void visitLdcInsn(Object value) {
      add(11);
      add(value.getClass().getName());
      add(value.toString());
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
      add(12);
      add(variable);
      add(increment);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label none, Label... cases) {
      add(13);
      add(min);
      add(max);
      add(none);
      for (Label label : cases) {
        add(label);
      }
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
      add(14);
      add(start);
      add(end);
      add(handler);
      add(type);
    }

    @Override
    public void visitLookupSwitchInsn(Label none, int[] keys, Label[] cases) {
      throw new UnsupportedOperationException("no generator writes a lookupswitch");
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      throw new UnsupportedOperationException("no generator writes a multianewarray");
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      throw new UnsupportedOperationException("no generator writes an invokedynamic");
    }
  }
}
