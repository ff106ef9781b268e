package io.tidemark.avro.plan.step;

import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One step of a {@code Plan}: the action for the next value of a datum. Immutable.
 *
 * <p>A step <i>takes</i> bytes of the writer's datum, where the step before it stopped. It
 * <i>emits</i> bytes to the end of the result. A tree of steps has the shape of the schemas. {@link
 * Define} and {@link Call} represent recursive and repeated records.
 *
 * <p>A copying step checks a value and emits the same bytes that it takes. Copying steps are:
 * {@link Skip}; the {@code Check…} steps, which contain only copying steps; and {@link Capture} and
 * {@link Call} of copying steps. All others convert. A plan without a converting step copies a
 * datum as a whole. In other plans, neighbouring copying steps are one run of bytes.
 */
public sealed interface PlanStep {

  /** Skips values of a fixed width: null (0 bytes), float (4), double (8), fixed. */
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

  /** Checks a string or bytes: a length, and that many bytes. */
  record CheckBytes() implements PlanStep {}

  /** Checks a decimal of bytes, which must have at most this many digits. */
  record CheckDecimal(int digits) implements PlanStep {}

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

  /**
   * A field of the writer's record, and the step for its value.
   *
   * @param name the name in the reader schema, or the writer's name if the reader lacks the field
   */
  record Field(String name, PlanStep step) {}

  /**
   * Runs a step, and stores the position of its bytes in the result as the plan's field {@code
   * field} (a <i>captured field</i>). If a record is moved, the positions of its captured fields
   * move, too.
   */
  record Capture(int field, PlanStep step) implements PlanStep {}

  /** Runs a step in which records may be {@linkplain Call called} by name. */
  record Define(Map<String, PlanStep> records, PlanStep step) implements PlanStep {
    public Define {
      records = Collections.unmodifiableMap(new LinkedHashMap<>(records));
    }
  }

  /** Runs the step of a record that is {@linkplain Define defined} further up. */
  record Call(String record) implements PlanStep {}

  /** Takes what a copying step takes, and emits nothing: a field that the reader lacks. */
  record Drop(PlanStep step) implements PlanStep {}

  /** Takes nothing, and emits constant bytes: a default. */
  record Write(List<Byte> bytes) implements PlanStep {
    public Write {
      bytes = List.copyOf(bytes);
    }
  }

  /** Takes what a copying step takes, and emits what a conversion makes of it. */
  record Convert(PlanStep source, Conversion conversion) implements PlanStep {}

  /**
   * Takes the index of a branch of the writer's union, emits nothing for it, then runs the branch's
   * step. That step is a {@link WriteIndex} if the reader has a union too, and an {@link
   * Unresolvable} if the reader has no such type.
   */
  record RewriteUnion(List<PlanStep> branches) implements PlanStep {
    public RewriteUnion {
      branches = List.copyOf(branches);
    }
  }

  /**
   * Chooses a step by the index of a union that comes later in the datum. It looks at the values up
   * to there, which only copying steps may take, and at the index. Then it runs the step of that
   * branch, from where it began. Only allowed as the step of a whole datum, or of a branch of
   * another such step.
   *
   * @param skipped the values before the union
   * @param branches a step for each branch; {@link Unresolvable} is allowed
   */
  record Ahead(List<Field> skipped, List<PlanStep> branches) implements PlanStep {
    public Ahead {
      skipped = List.copyOf(skipped);
      branches = List.copyOf(branches);
    }
  }

  /**
   * Takes nothing and emits the index of a branch of the reader's union, in as few bytes as
   * possible. Then it runs a step.
   */
  record WriteIndex(int branch, PlanStep step) implements PlanStep {}

  /**
   * Rejects the datum with an {@code UnresolvableDatumException}: it uses a branch that the reader
   * lacks. Only allowed as a branch of a {@link RewriteUnion} or {@link Ahead}.
   */
  record Unresolvable(String problem) implements PlanStep {}

  /**
   * Converts an array, block by block: emits the count of a block, then runs the step of each item.
   *
   * <p>A positive count, and the zero after the last block, are emitted as they were taken. A
   * negative count is followed by the size of the block. The count is emitted as a positive number,
   * in as few bytes as possible. The size is dropped, because it would be wrong after the
   * conversion.
   *
   * <p>Items that take no bytes, or emit none, are counted: a datum may contain 1,048,576 of them.
   */
  record RewriteArray(PlanStep items) implements PlanStep {}

  /**
   * Converts a map, block by block like an array: copies each key, then runs the step of its value.
   * Entries keep their order, and duplicate keys are kept.
   */
  record RewriteMap(PlanStep values) implements PlanStep {}

  /**
   * Converts a record: runs the steps of the writer's fields in the writer's order, and emits the
   * reader's fields in the reader's order.
   *
   * <p>The bytes of each field are moved to the reader's position. Fields that are neighbours in
   * both schemas are not moved separately.
   *
   * @param source the writer's fields; a field that no part moves is a {@link Drop}
   * @param table the parts of the reader's record; each field of the source is moved at most once
   */
  record RewriteRecord(List<Field> source, List<Part> table) implements PlanStep {
    public RewriteRecord {
      source = List.copyOf(source);
      table = List.copyOf(table);
      var unmoved = new BitSet();
      unmoved.set(0, source.size());
      for (Part part : table) {
        if (part instanceof Moved moved) {
          if (!unmoved.get(moved.source())) {
            throw new IllegalArgumentException(
                "field "
                    + moved.source()
                    + " of "
                    + source.size()
                    + " is moved twice, or does not exist");
          }
          unmoved.clear(moved.source());
        }
      }
      for (int i = unmoved.nextSetBit(0); i >= 0; i = unmoved.nextSetBit(i + 1)) {
        if (!(source.get(i).step() instanceof Drop)) {
          throw new IllegalArgumentException(
              "field \"" + source.get(i).name() + "\" is neither moved nor dropped");
        }
      }
    }
  }

  /** A part of a record in the reader schema. */
  sealed interface Part {}

  /** The bytes that the step of the writer's field with this index emitted. */
  record Moved(int source) implements Part {}

  /**
   * A field that the writer lacks. Its step takes no bytes, and consists of {@link Write}, {@link
   * WriteIndex}, {@link Capture} and records of such parts.
   */
  record Added(String name, PlanStep step) implements Part {}
}
