package io.tidemark.avro.object.read;

import io.tidemark.avro.object.code.ClassBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Resolver.Action;
import org.apache.avro.Resolver.Container;
import org.apache.avro.Resolver.ReaderUnion;
import org.apache.avro.Resolver.RecordAdjust;
import org.apache.avro.Resolver.WriterUnion;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates the code that reads the fields of wide records: one loop over a table, with a case for
 * each shape of field. All records of a class share the loop; each has a table of its own. A second
 * loop, for new records, has no code for old values.
 *
 * <p>Code for each field would be faster in theory. But the JIT compiler then needs seconds of CPU
 * for thousands of fields, its machine code exceeds the processor's cache for code, and its limits
 * of inlining are reached at other places in each JVM. The loop is small, is compiled after some
 * records, and has the same machine code in each JVM.
 */
final class FieldTable {
  /** The number of different consecutive fields of a schema from which tables are used. */
  private static final int WIDE = 64;

  /**
   * An entry is the number of a case, 2 bits with the number of the branch null, and the position
   * of a field.
   */
  private static final int POSITION_BITS = 20;

  private static final int CASE_SHIFT = POSITION_BITS + 2;

  /** So many cases are below the size from which the JIT compiler ignores a method. */
  private static final int MOST_CASES = 1 << 6;

  private static final String ARGUMENTS =
      "Lorg/apache/avro/generic/IndexedRecord;ZLorg/apache/avro/io/Decoder;III[I"
          + "[Ljava/lang/Object;";
  private static final String UNNAMED = "(" + ARGUMENTS + ")V";
  private static final String NAMED = "(" + ARGUMENTS + "[Ljava/lang/String;)V";

  private final ReaderClass made;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<FieldSteps.Entry> cases = new ArrayList<>();
  private @Nullable String ofOld;
  private @Nullable String ofNew;

  FieldTable(ReaderClass made) {
    this.made = made;
  }

  /** Returns whether the records of a schema have so many fields that tables are used. */
  static boolean isWide(Action root, Shapes shapes) {
    return count(root, shapes, Collections.newSetFromMap(new IdentityHashMap<>())) > WIDE;
  }

  /** Counts the fields of all records. Consecutive fields of one shape count once. */
  private static int count(Action action, Shapes shapes, Set<Action> counted) {
    int fields = 0;
    if (action instanceof RecordAdjust record && counted.add(record)) {
      @Nullable String last = null;
      for (Action field : record.fieldActions) {
        @Nullable String shape = shapes.of(field);
        fields += shape != null && shape.equals(last) ? 0 : 1;
        last = shape;
        fields += count(field, shapes, counted);
      }
    } else if (action instanceof Container container) {
      fields += count(container.elementAction, shapes, counted);
    } else if (action instanceof WriterUnion union) {
      for (Action branch : union.actions) {
        fields += count(branch, shapes, counted);
      }
    } else if (action instanceof ReaderUnion union) {
      fields += count(union.actualAction, shapes, counted);
    }
    return fields;
  }

  /** Returns the table of a record. A step that has no case has a negative entry. */
  int[] entries(List<FieldSteps.Step> steps) {
    return steps.stream().mapToInt(this::entry).toArray();
  }

  private int entry(FieldSteps.Step step) {
    FieldSteps.Entry entry = step.entry();
    if (entry == null || step.position() >= 1 << POSITION_BITS) {
      return -1;
    }
    Integer known = numbers.get(entry.shape());
    if (known == null) {
      if (cases.size() == MOST_CASES) {
        return -1;
      }
      known = cases.size();
      numbers.put(entry.shape(), known);
      cases.add(entry);
    }
    return known << CASE_SHIFT | entry.nullBranch() << POSITION_BITS | step.position();
  }

  /** Returns the arguments of a record's fields, or null if no field has one. */
  static @Nullable Object @Nullable [] arguments(List<FieldSteps.Step> steps) {
    var arguments = new @Nullable Object[steps.size()];
    boolean some = false;
    for (int i = 0; i < arguments.length; i++) {
      FieldSteps.Entry entry = steps.get(i).entry();
      arguments[i] = entry == null ? null : entry.argument();
      some |= arguments[i] != null;
    }
    return some ? arguments : null;
  }

  /**
   * Writes code that reads consecutive fields. The arguments of the loop's method begin with the
   * record, whether it is reused, and the decoder, which are on the stack. The old record, or null,
   * is in local variable 0.
   *
   * @param arguments the arguments of the record's fields, or null if no field has one
   * @param names the names of the record's fields, or null if errors do not name the field
   */
  void read(
      int[] entries,
      @Nullable Object @Nullable [] arguments,
      int from,
      int to,
      String @Nullable [] names,
      MethodVisitor code) {
    String descriptor = names == null ? UNNAMED : NAMED;
    code.visitInsn(Opcodes.ICONST_0);
    ClassBody.push(code, from);
    ClassBody.push(code, to);
    made.body().constant(code, entries, int[].class);
    made.body().constant(code, arguments, Object[].class);
    if (names != null) {
      made.body().constant(code, names, String[].class);
    }
    var isNew = new Label();
    var end = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitJumpInsn(Opcodes.IFNULL, isNew);
    ofOld = ofOld == null ? method("table", false, names != null) : ofOld;
    made.body().call(code, ofOld, descriptor);
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(isNew);
    ofNew = ofNew == null ? method("tableOfNew", true, names != null) : ofNew;
    made.body().call(code, ofNew, descriptor);
    code.visitLabel(end);
  }

  /** Returns the name of a loop's method. All cases are known when all records are written. */
  private String method(String kind, boolean newRecord, boolean named) {
    return made.body().last(kind, named ? NAMED : UNNAMED, code -> write(named, newRecord, code));
  }

  /**
   * Writes the loop's method. Local variables: 0 the record, 1 whether it is reused, 2 the decoder,
   * 3 the position of the field, 4 the index in the table, 5 its end, 6 the table, 7 the arguments,
   * 8 the names, 9 the entry, 10 the number of the branch null, 11 the index of a branch.
   */
  private void write(boolean named, boolean newRecord, MethodVisitor code) {
    if (named) {
      RecordCode.naming(
          code, () -> loop(newRecord, code), () -> code.visitVarInsn(Opcodes.ALOAD, 8));
    } else {
      loop(newRecord, code);
      code.visitInsn(Opcodes.RETURN);
    }
  }

  private void loop(boolean newRecord, MethodVisitor code) {
    var next = new Label();
    var advance = new Label();
    var end = new Label();
    code.visitLabel(next);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitVarInsn(Opcodes.ILOAD, 5);
    code.visitJumpInsn(Opcodes.IF_ICMPGE, end);
    code.visitVarInsn(Opcodes.ALOAD, 6);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitInsn(Opcodes.IALOAD);
    code.visitVarInsn(Opcodes.ISTORE, 9);
    code.visitVarInsn(Opcodes.ILOAD, 9);
    ClassBody.push(code, (1 << POSITION_BITS) - 1);
    code.visitInsn(Opcodes.IAND);
    code.visitVarInsn(Opcodes.ISTORE, 3);
    nulls(newRecord, advance, code);
    code.visitVarInsn(Opcodes.ILOAD, 9);
    ClassBody.push(code, CASE_SHIFT);
    code.visitInsn(Opcodes.ISHR);
    var labels = new Label[cases.size()];
    Arrays.setAll(labels, i -> new Label());
    ClassBody.choose(code, labels, advance);
    for (int i = 0; i < labels.length; i++) {
      code.visitLabel(labels[i]);
      FieldSteps.Entry entry = cases.get(i);
      made.table().in(7, 4, newRecord, () -> entry.write().accept(code));
      code.visitJumpInsn(Opcodes.GOTO, advance);
    }
    code.visitLabel(advance);
    code.visitIincInsn(4, 1);
    code.visitJumpInsn(Opcodes.GOTO, next);
    code.visitLabel(end);
  }

  /** Writes code that reads the index of a union with null, and sets the field if it is null. */
  private void nulls(boolean newRecord, Label advance, MethodVisitor code) {
    var notNull = new Label();
    var value = new Label();
    // Avro's fast reader reuses nothing in a union.
    boolean noReuse = !newRecord && made.fast();
    if (noReuse) {
      code.visitInsn(Opcodes.ICONST_1);
      code.visitVarInsn(Opcodes.ISTORE, 1);
    }
    code.visitVarInsn(Opcodes.ILOAD, 9);
    ClassBody.push(code, POSITION_BITS);
    code.visitInsn(Opcodes.ISHR);
    code.visitInsn(Opcodes.ICONST_3);
    code.visitInsn(Opcodes.IAND);
    code.visitVarInsn(Opcodes.ISTORE, 10);
    code.visitVarInsn(Opcodes.ILOAD, 10);
    code.visitJumpInsn(Opcodes.IFEQ, value);
    if (noReuse) {
      code.visitInsn(Opcodes.ICONST_0);
      code.visitVarInsn(Opcodes.ISTORE, 1);
    }
    ScalarCode.take(code, 2, "readIndex", "()I");
    code.visitVarInsn(Opcodes.ISTORE, 11);
    code.visitVarInsn(Opcodes.ILOAD, 11);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.IADD);
    code.visitVarInsn(Opcodes.ILOAD, 10);
    code.visitJumpInsn(Opcodes.IF_ICMPNE, notNull);
    ScalarCode.take(code, 2, "readNull", "()V");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitInsn(Opcodes.ACONST_NULL);
    ClassBody.callVirtual(code, IndexedRecord.class, "put", "(ILjava/lang/Object;)V");
    code.visitJumpInsn(Opcodes.GOTO, advance);
    code.visitLabel(notNull);
    // The two branches have the indexes 0 and 1.
    code.visitVarInsn(Opcodes.ILOAD, 11);
    code.visitVarInsn(Opcodes.ILOAD, 10);
    code.visitInsn(Opcodes.IADD);
    code.visitInsn(Opcodes.ICONST_2);
    code.visitJumpInsn(Opcodes.IF_ICMPEQ, value);
    code.visitInsn(Opcodes.ICONST_2);
    ClassBody.callStatic(code, ReadOps.class, "noBranch", "(I)Lorg/apache/avro/AvroTypeException;");
    code.visitInsn(Opcodes.ATHROW);
    code.visitLabel(value);
  }
}
