package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.Constant;
import io.tidemark.avro.plan.step.Conversion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Appends the instructions of a {@link Program}. Used for one program. */
final class Assembler {
  private final Map<Integer, List<FieldPath>> paths = new HashMap<>();
  private final Map<Integer, String> words = new HashMap<>();
  private final List<Constant> constants = new ArrayList<>();
  private final List<Arrangement> arrangements = new ArrayList<>();
  private final List<Conversion> conversions = new ArrayList<>();
  private int[] code = new int[64];
  private int size;

  /** The index of the last instruction, if a value may still be joined to it; else -1. */
  private int open = -1;

  Program program() {
    return new Program(
        Arrays.copyOf(code, size), paths, constants, arrangements, conversions, words);
  }

  /** Adds an instruction to which no value is joined, and returns its index. */
  int add(int operation, FieldPath path, int... operands) {
    int at = label();
    append(operation);
    for (int operand : operands) {
      append(operand);
    }
    pathsOf(at).add(path);
    return at;
  }

  /** Adds a value to an instruction that counts such values with equal operands. */
  void addValue(int operation, FieldPath path, int... operands) {
    if (open >= 0 && code[open] == operation && sameOperands(operands)) {
      code[open + 1]++;
      pathsOf(open).add(path);
      return;
    }
    int at = add(operation, path, 1);
    for (int operand : operands) {
      append(operand);
    }
    open = at;
  }

  /** Adds a value of fixed width. */
  void addWidth(int bytes, FieldPath path) {
    if (open >= 0 && code[open] == Program.SKIP && code[open + 1] <= Integer.MAX_VALUE - bytes) {
      code[open + 1] += bytes;
      code[open + 2]++;
      append(bytes);
      pathsOf(open).add(path);
    } else {
      open = add(Program.SKIP, path, bytes, 1, bytes);
    }
  }

  /** Returns the index of the next instruction as a jump target: no value is joined across it. */
  int label() {
    open = -1;
    return size;
  }

  /** Adds a word to the last instruction, to be set later. */
  int reserve() {
    append(0);
    return size - 1;
  }

  void set(int index, int word) {
    code[index] = word;
  }

  int constant(Constant constant) {
    constants.add(constant);
    return constants.size() - 1;
  }

  int arrangement(Arrangement arrangement) {
    arrangements.add(arrangement);
    return arrangements.size() - 1;
  }

  int conversion(Conversion conversion) {
    conversions.add(conversion);
    return conversions.size() - 1;
  }

  void words(int at, String text) {
    words.put(at, text);
  }

  private boolean sameOperands(int... operands) {
    for (int i = 0; i < operands.length; i++) {
      if (code[open + 2 + i] != operands[i]) {
        return false;
      }
    }
    return true;
  }

  private void append(int word) {
    if (size == code.length) {
      code = Arrays.copyOf(code, 2 * size);
    }
    code[size++] = word;
  }

  private List<FieldPath> pathsOf(int at) {
    return paths.computeIfAbsent(at, key -> new ArrayList<>());
  }
}
