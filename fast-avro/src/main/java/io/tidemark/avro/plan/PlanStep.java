package io.tidemark.avro.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One step of a {@link Plan}, a value: what is done with the next value of a datum.
 *
 * <p>Most steps check the value and step over it. A tree of them has the shape of the schema;
 * {@link Define} and {@link Call} tie its recursive and repeated records.
 */
public sealed interface PlanStep {

  /** Steps over values of a fixed width: null (0 bytes), float (4), double (8), fixed. */
  record Skip(int bytes) implements PlanStep {
    public Skip {
      if (bytes < 0) {
        throw new IllegalArgumentException("a value cannot have " + bytes + " bytes");
      }
    }
  }

  /** Checks a boolean. */
  record CheckBoolean() implements PlanStep {}

  /** Checks an int. */
  record CheckInt() implements PlanStep {}

  /** Checks a long. */
  record CheckLong() implements PlanStep {}

  /** Checks a string or bytes: a length, and so many bytes. */
  record CheckBytes() implements PlanStep {}

  /** Checks an enum, whose index must be that of a symbol. */
  record CheckEnum(int symbols) implements PlanStep {}

  /** Checks a union: the index of a branch, then the branch's value. */
  record CheckUnion(List<PlanStep> branches) implements PlanStep {
    public CheckUnion {
      branches = List.copyOf(branches);
    }
  }

  /** Checks an array: blocks of items. */
  record CheckArray(PlanStep items) implements PlanStep {}

  /** Checks a map: blocks of string keys, each with its value. */
  record CheckMap(PlanStep values) implements PlanStep {}

  /** Checks a record: its fields, one after the other. */
  record CheckRecord(List<Field> fields) implements PlanStep {
    public CheckRecord {
      fields = List.copyOf(fields);
    }
  }

  /** A field of a record, by the name that the table's schema gives it, and how it is checked. */
  record Field(String name, PlanStep step) {}

  /**
   * Does a step, and notes which bytes its value takes as those of the plan's field {@code field}.
   */
  record Capture(int field, PlanStep step) implements PlanStep {}

  /** Does a step in which records may be {@linkplain Call called} by name. */
  record Define(Map<String, PlanStep> records, PlanStep step) implements PlanStep {
    public Define {
      records = Collections.unmodifiableMap(new LinkedHashMap<>(records));
    }
  }

  /** Does the step of a record that is {@linkplain Define defined} further up. */
  record Call(String record) implements PlanStep {}

  /**
   * Rewrites a datum by Avro's resolving reader and its writer. Only the root of a plan can be one.
   *
   * @param source checks the datum in the writer's schema, before it is decoded
   * @param table finds the fields in the rewritten datum
   */
  record Rewrite(PlanStep source, PlanStep table) implements PlanStep {}
}
