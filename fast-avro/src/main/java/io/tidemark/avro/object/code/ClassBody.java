package io.tidemark.avro.object.code;

import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A class while it is generated: its methods, and the objects that are its constants. Used by one
 * thread.
 *
 * <p>A constant is an object of this JVM, such as a schema. The class gets its constants as class
 * data, so the JIT compiler can treat them as constants.
 */
public final class ClassBody {
  /**
   * The number of constants that one method sets: the code of a method has at most 65,535 bytes.
   */
  private static final int CONSTANTS_OF_A_METHOD = 3_000;

  private final String self;
  private final ClassVisitor out;
  private final List<Object> constants = new ArrayList<>();
  private final List<String> constantTypes = new ArrayList<>();

  /** The index of each constant by its type: an object can be a constant of several types. */
  private final IdentityHashMap<Object, Map<String, Integer>> indexes = new IdentityHashMap<>();

  private final Deque<Runnable> unwritten = new ArrayDeque<>();
  private final Deque<Runnable> last = new ArrayDeque<>();
  private int names;

  /**
   * Begins a class with a constructor.
   *
   * @param name the simple name of the class
   * @param parent its abstract superclass, in whose package the class is
   * @param out receives the class
   */
  public ClassBody(String name, Class<?> parent, ClassVisitor out) {
    this.out = out;
    self = name(parent.getPackageName() + "." + name);
    out.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, self, null, name(parent), null);
    MethodVisitor code = out.visitMethod(0, "<init>", "()V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, name(parent), "<init>", "()V", false);
    code.visitInsn(Opcodes.RETURN);
    end(code);
  }

  private static String name(Class<?> type) {
    return Type.getInternalName(type);
  }

  private static String name(String binaryName) {
    return binaryName.replace('.', '/');
  }

  /** Writes a method now. */
  public void method(int access, String name, String descriptor, Consumer<MethodVisitor> body) {
    MethodVisitor code = out.visitMethod(access, name, descriptor, null, null);
    code.visitCode();
    body.accept(code);
    end(code);
  }

  /** Returns the name of a static method that is written later. */
  public String later(String kind, String descriptor, Consumer<MethodVisitor> body) {
    String name = kind + names++;
    unwritten.add(() -> method(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, name, descriptor, body));
    return name;
  }

  /**
   * Returns the name of a static method that is written after all methods that {@link #later} adds.
   */
  public String last(String kind, String descriptor, Consumer<MethodVisitor> body) {
    String name = kind + names++;
    last.add(() -> method(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, name, descriptor, body));
    return name;
  }

  /** Writes a call of a static method of the class. */
  public void call(MethodVisitor code, String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, self, method, descriptor, false);
  }

  /** Writes code that pushes a constant. */
  public void constant(MethodVisitor code, @Nullable Object value, Class<?> type) {
    if (value == null) {
      code.visitInsn(Opcodes.ACONST_NULL);
      return;
    }
    int index = indexOf(value, type);
    code.visitFieldInsn(Opcodes.GETSTATIC, self, "C" + index, constantTypes.get(index));
  }

  private int indexOf(Object value, Class<?> type) {
    String descriptor = Type.getDescriptor(type);
    return indexes
        .computeIfAbsent(value, absent -> new HashMap<>())
        .computeIfAbsent(
            descriptor,
            absent -> {
              constants.add(value);
              constantTypes.add(descriptor);
              return constants.size() - 1;
            });
  }

  /**
   * Writes the fields of the constants. The code reads fields because a constant of class data
   * stays unresolved until its code runs, for example in an exception handler. The JIT compiler
   * does not compile methods with unresolved constants.
   */
  private void writeConstants() {
    for (int i = 0; i < constants.size(); i++) {
      // Only the class initializer may set final fields.
      int constant = i < CONSTANTS_OF_A_METHOD ? Opcodes.ACC_FINAL : 0;
      out.visitField(
          Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | constant,
          "C" + i,
          constantTypes.get(i),
          null,
          null);
    }
    int methods = 0;
    for (int i = CONSTANTS_OF_A_METHOD; i < constants.size(); i += CONSTANTS_OF_A_METHOD) {
      int from = i;
      method(
          Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC,
          "constants" + methods++,
          "(Ljava/util/List;)V",
          code -> {
            setConstants(from, code);
            code.visitInsn(Opcodes.RETURN);
          });
    }
    writeInitializer(methods);
  }

  private void writeInitializer(int methods) {
    method(
        Opcodes.ACC_STATIC,
        "<clinit>",
        "()V",
        code -> {
          callStatic(
              code, MethodHandles.class, "lookup", "()Ljava/lang/invoke/MethodHandles$Lookup;");
          code.visitLdcInsn("_");
          code.visitLdcInsn(Type.getType(List.class));
          callStatic(
              code,
              MethodHandles.class,
              "classData",
              "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)"
                  + "Ljava/lang/Object;");
          cast(code, List.class);
          code.visitVarInsn(Opcodes.ASTORE, 0);
          setConstants(0, code);
          for (int i = 0; i < methods; i++) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            call(code, "constants" + i, "(Ljava/util/List;)V");
          }
          code.visitInsn(Opcodes.RETURN);
        });
  }

  /** Writes code that sets some constants from the list in local variable 0. */
  private void setConstants(int from, MethodVisitor code) {
    int end = Math.min(from + CONSTANTS_OF_A_METHOD, constants.size());
    for (int i = from; i < end; i++) {
      code.visitVarInsn(Opcodes.ALOAD, 0);
      push(code, i);
      callVirtual(code, List.class, "get", "(I)Ljava/lang/Object;");
      String type = constantTypes.get(i);
      code.visitTypeInsn(Opcodes.CHECKCAST, Type.getType(type).getInternalName());
      code.visitFieldInsn(Opcodes.PUTSTATIC, self, "C" + i, type);
    }
  }

  /** Writes the remaining methods, and returns the constants, which are the class data. */
  List<Object> finish() {
    while (!unwritten.isEmpty() || !last.isEmpty()) {
      (unwritten.isEmpty() ? last : unwritten).removeFirst().run();
    }
    writeConstants();
    out.visitEnd();
    return List.copyOf(constants);
  }

  private static void end(MethodVisitor code) {
    // The class writer computes both maximums.
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** Writes code that pushes a number. */
  public static void push(MethodVisitor code, int value) {
    if (value >= -1 && value <= 5) {
      code.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value == (byte) value) {
      code.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value == (short) value) {
      code.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      code.visitLdcInsn(value);
    }
  }

  /** Writes a call of a static method. */
  public static void callStatic(
      MethodVisitor code, Class<?> owner, String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, name(owner), method, descriptor, false);
  }

  /** Writes a call of a method of a class or an interface. */
  public static void callVirtual(
      MethodVisitor code, Class<?> owner, String method, String descriptor) {
    if (owner.isInterface()) {
      code.visitMethodInsn(Opcodes.INVOKEINTERFACE, name(owner), method, descriptor, true);
    } else {
      code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, name(owner), method, descriptor, false);
    }
  }

  /** Writes code that casts the object on the stack. */
  public static void cast(MethodVisitor code, Class<?> type) {
    code.visitTypeInsn(Opcodes.CHECKCAST, name(type));
  }

  /**
   * Writes a jump to the label whose index is on the stack, or to {@code none} if there is no such
   * label.
   */
  public static void choose(MethodVisitor code, Label[] labels, Label none) {
    code.visitTableSwitchInsn(0, labels.length - 1, none, labels);
  }
}
