package io.tidemark.avro.plan;

import io.tidemark.avro.plan.PlanStep.Call;
import io.tidemark.avro.plan.PlanStep.Capture;
import io.tidemark.avro.plan.PlanStep.CheckArray;
import io.tidemark.avro.plan.PlanStep.CheckBoolean;
import io.tidemark.avro.plan.PlanStep.CheckBytes;
import io.tidemark.avro.plan.PlanStep.CheckEnum;
import io.tidemark.avro.plan.PlanStep.CheckInt;
import io.tidemark.avro.plan.PlanStep.CheckLong;
import io.tidemark.avro.plan.PlanStep.CheckMap;
import io.tidemark.avro.plan.PlanStep.CheckRecord;
import io.tidemark.avro.plan.PlanStep.CheckUnion;
import io.tidemark.avro.plan.PlanStep.Define;
import io.tidemark.avro.plan.PlanStep.Rewrite;
import io.tidemark.avro.plan.PlanStep.Skip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree of steps laid out as instructions in one array, for a loop to walk through.
 *
 * <p>Records vanish, and neighbours of one kind become one instruction with a count: sixty strings
 * are a single {@code BYTES 60}. Which field an instruction's n-th value belongs to is kept aside
 * for the message of a fault.
 */
final class Program {
  /** {@code SKIP total n size…}: n values of fixed width. */
  static final int SKIP = 0;

  /** {@code BOOLEANS n}. */
  static final int BOOLEANS = 1;

  /** {@code INTS n}. */
  static final int INTS = 2;

  /** {@code LONGS n}. */
  static final int LONGS = 3;

  /** {@code BYTES n}: strings or bytes. */
  static final int BYTES = 4;

  /**
   * {@code NULLABLE_BYTES n null}: unions of null and string or bytes; {@code null} is the index
   * byte of null.
   */
  static final int NULLABLE_BYTES = 5;

  /**
   * {@code NULLABLE null end}: a union of null and what follows; at null, goes on at {@code end}.
   */
  static final int NULLABLE = 6;

  /** {@code ENUM symbols}. */
  static final int ENUM = 7;

  /** {@code UNION n target…}. */
  static final int UNION = 8;

  /** {@code JUMP target}. */
  static final int JUMP = 9;

  /** {@code ITEMS end}: blocks of what follows up to {@code NEXT}, of at least one byte each. */
  static final int ITEMS = 10;

  /** {@code NEXT}: the end of an item. */
  static final int NEXT = 11;

  /** {@code EMPTY_ITEMS}: blocks of items that take no bytes at all. */
  static final int EMPTY_ITEMS = 12;

  /** {@code CALL target}. */
  static final int CALL = 13;

  /** {@code RETURN}. */
  static final int RETURN = 14;

  /** {@code BEGIN_FIELD field}. */
  static final int BEGIN_FIELD = 15;

  /** {@code END_FIELD field}. */
  static final int END_FIELD = 16;

  /** {@code STOP}. */
  static final int STOP = 17;

  private final Map<Integer, List<String>> paths = new HashMap<>();
  private final Map<String, PlanStep> records;
  private final Map<String, Integer> entries = new HashMap<>();
  private final Map<Integer, String> calls = new HashMap<>();

  /** Which records, of those asked for, take no bytes. */
  private final Map<String, Boolean> empty = new HashMap<>();

  private int[] code = new int[64];
  private int size;

  /** Where the last instruction begins, if a value may still be joined to it; else -1. */
  private int open = -1;

  private Program(Map<String, PlanStep> records) {
    this.records = records;
  }

  /** Lays out a tree of steps that check. */
  static Program of(PlanStep root) {
    Map<String, PlanStep> records = root instanceof Define define ? define.records() : Map.of();
    var program = new Program(records);
    program.add(root instanceof Define define ? define.step() : root, "");
    program.emit(STOP, "");
    records.forEach(
        (name, record) -> {
          program.entries.put(name, program.label());
          program.add(record, "");
          program.emit(RETURN, "");
        });
    program.calls.forEach((at, name) -> program.code[at + 1] = program.entryOf(name));
    program.code = Arrays.copyOf(program.code, program.size);
    return program;
  }

  /** The instructions; the caller must not change them. */
  int[] code() {
    return code;
  }

  /** The path of an instruction's n-th value, from the root or from the called record. */
  String path(int at, int value) {
    List<String> values = paths.getOrDefault(at, List.of());
    return values.isEmpty() ? "" : values.get(Math.min(value, values.size() - 1));
  }

  private void add(PlanStep step, String path) {
    if (step instanceof Skip skip) {
      addSkip(skip.bytes(), path);
    } else if (step instanceof CheckBoolean) {
      addValue(BOOLEANS, path);
    } else if (step instanceof CheckInt) {
      addValue(INTS, path);
    } else if (step instanceof CheckLong) {
      addValue(LONGS, path);
    } else if (step instanceof CheckBytes) {
      addValue(BYTES, path);
    } else if (step instanceof CheckEnum choice) {
      emit(ENUM, path, choice.symbols());
    } else if (step instanceof CheckRecord record) {
      record
          .fields()
          .forEach(f -> add(f.step(), path.isEmpty() ? f.name() : path + '.' + f.name()));
    } else if (step instanceof CheckUnion union) {
      addUnion(union.branches(), path);
    } else if (step instanceof CheckArray array) {
      addItems(array.items(), path, false);
    } else if (step instanceof CheckMap map) {
      addItems(map.values(), path, true);
    } else if (step instanceof Capture capture) {
      emit(BEGIN_FIELD, path, capture.field());
      add(capture.step(), path);
      emit(END_FIELD, path, capture.field());
    } else if (step instanceof Call call) {
      // Empty records may hold each other in ever more ways: none of them is walked through.
      if (!takesNothing(call)) {
        calls.put(emit(CALL, path, 0), call.record());
      }
    } else if (step instanceof Define || step instanceof Rewrite) {
      throw new IllegalArgumentException(
          step.getClass().getSimpleName() + " can only stand at the root of a plan");
    } else {
      throw new IllegalArgumentException(
          step.getClass().getSimpleName() + " is no step of a plan that copies");
    }
  }

  private void addSkip(int bytes, String path) {
    if (bytes == 0) {
      return;
    }
    if (open >= 0 && code[open] == SKIP && code[open + 1] <= Integer.MAX_VALUE - bytes) {
      code[open + 1] += bytes;
      code[open + 2]++;
      append(bytes);
      pathsOf(open).add(path);
    } else {
      open = emit(SKIP, path, bytes, 1, bytes);
    }
  }

  private void addValue(int operation, String path) {
    if (open >= 0 && code[open] == operation) {
      code[open + 1]++;
      pathsOf(open).add(path);
    } else {
      open = emit(operation, path, 1);
    }
  }

  private void addUnion(List<PlanStep> branches, String path) {
    var nothing = new Skip(0);
    if (branches.size() == 2 && branches.contains(nothing)) {
      int nullIndex = branches.indexOf(nothing);
      addNullable(2 * nullIndex, branches.get(1 - nullIndex), path);
      return;
    }
    int union = emit(UNION, path, branches.size());
    branches.forEach(branch -> append(0));
    var exits = new ArrayList<Integer>();
    for (int i = 0; i < branches.size(); i++) {
      code[union + 2 + i] = label();
      add(branches.get(i), path);
      exits.add(emit(JUMP, path, 0));
    }
    int end = label();
    exits.forEach(exit -> code[exit + 1] = end);
  }

  private void addNullable(int nullByte, PlanStep value, String path) {
    if (value instanceof CheckBytes) {
      if (open >= 0 && code[open] == NULLABLE_BYTES && code[open + 2] == nullByte) {
        code[open + 1]++;
        pathsOf(open).add(path);
      } else {
        open = emit(NULLABLE_BYTES, path, 1, nullByte);
      }
      return;
    }
    int nullable = emit(NULLABLE, path, nullByte, 0);
    add(value, path);
    code[nullable + 2] = label();
  }

  private void addItems(PlanStep item, String path, boolean keyed) {
    if (!keyed && takesNothing(item)) {
      emit(EMPTY_ITEMS, path);
      return;
    }
    int items = emit(ITEMS, path, 0);
    if (keyed) {
      addValue(BYTES, path + "{}");
    }
    add(item, path + (keyed ? "{}" : "[]"));
    emit(NEXT, path);
    code[items + 1] = label();
  }

  /**
   * Whether every value takes no bytes. A record that holds itself has no finite value: for it,
   * false.
   */
  private boolean takesNothing(PlanStep step) {
    if (step instanceof Skip skip) {
      return skip.bytes() == 0;
    }
    if (step instanceof CheckRecord record) {
      return record.fields().stream().allMatch(field -> takesNothing(field.step()));
    }
    return step instanceof Call call && takesNothing(call.record());
  }

  private boolean takesNothing(String record) {
    Boolean known = empty.get(record);
    if (known != null) {
      return known;
    }
    PlanStep step = records.get(record);
    empty.put(record, false);
    boolean result = step != null && takesNothing(step);
    empty.put(record, result);
    return result;
  }

  private int entryOf(String record) {
    Integer entry = entries.get(record);
    if (entry == null) {
      throw new IllegalArgumentException(
          "the plan calls " + record + " but defines only " + records.keySet());
    }
    return entry;
  }

  /** The index of the next instruction, to which a jump may lead: nothing is joined across it. */
  private int label() {
    open = -1;
    return size;
  }

  private int emit(int operation, String path, int... operands) {
    int at = label();
    append(operation);
    for (int operand : operands) {
      append(operand);
    }
    pathsOf(at).add(path);
    return at;
  }

  private void append(int word) {
    if (size == code.length) {
      code = Arrays.copyOf(code, 2 * size);
    }
    code[size++] = word;
  }

  private List<String> pathsOf(int at) {
    return paths.computeIfAbsent(at, key -> new ArrayList<>());
  }
}
