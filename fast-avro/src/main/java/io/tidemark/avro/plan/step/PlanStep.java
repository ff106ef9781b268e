package io.tidemark.avro.plan.step;

import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One step of a {@code Plan}, a value: what is done with the next value of a datum.
 *
 * <p>A step <i>takes</i> bytes of the writer's datum, from where the step before it stopped, and
 * <i>emits</i> bytes to the table's datum, behind those that were emitted before. A tree of steps
 * has the shape of the schemas; {@link Define} and {@link Call} tie its recursive and repeated
 * records.
 *
 * <p>A copying step checks a value and emits the very bytes that it takes: {@link Skip}, the {@code
 * Check…} steps, which hold only copying steps, and {@link Capture} and {@link Call} of copying
 * steps. All others rewrite. A plan without a step that rewrites copies a datum as a whole; in one
 * that rewrites, neighbours that copy are one run of bytes.
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

  /**
   * A field that the writer's record holds, and what is done with its value.
   *
   * @param name the name that the table's schema gives it, or the writer's if the table lacks it
   */
  record Field(String name, PlanStep step) {}

  /**
   * Does a step, and notes which bytes it emits, by their place in the table's datum, as those of
   * the plan's field {@code field}. A record that is moved takes its captured fields along.
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

  /** Takes what a copying step takes, and emits nothing: a field that the table lacks. */
  record Drop(PlanStep step) implements PlanStep {}

  /** Takes nothing, and emits bytes that were known when planned: a default. */
  record Write(List<Byte> bytes) implements PlanStep {
    public Write {
      bytes = List.copyOf(bytes);
    }
  }

  /** Takes a number, and emits it as one of a wider type. */
  record Promote(Promotion promotion) implements PlanStep {}

  /**
   * The promotions that change bytes, never the number: one that the wider type does not hold
   * exactly is refused ({@link ExactNumber}). An int is a long as it stands, and a string is bytes.
   */
  enum Promotion {
    /** A varint of at most 5 bytes to 4 bytes, little-endian. */
    INT_TO_FLOAT,
    /** A varint of at most 5 bytes to 8 bytes, little-endian. */
    INT_TO_DOUBLE,
    /** A varint of at most 10 bytes to 4 bytes, little-endian. */
    LONG_TO_FLOAT,
    /** A varint of at most 10 bytes to 8 bytes, little-endian. */
    LONG_TO_DOUBLE,
    /** 4 bytes to 8 bytes, both little-endian. */
    FLOAT_TO_DOUBLE
  }

  /**
   * Takes the index of an enum's symbol, and emits the index that the table has for it, in as few
   * bytes as can be.
   */
  record RewriteEnum(List<Symbol> symbols) implements PlanStep {
    public RewriteEnum {
      symbols = List.copyOf(symbols);
    }
  }

  /**
   * A symbol of the writer's enum.
   *
   * @param tableIndex the index of the table's symbol that it becomes, or {@link #NONE}: then a
   *     datum that holds it is refused
   */
  record Symbol(String name, int tableIndex) {
    /** The index of a symbol that the table lacks. */
    public static final int NONE = -1;
  }

  /**
   * Takes the index of a branch of the writer's union, emits nothing for it, then does the branch's
   * step: a {@link WriteIndex} where the table has a union too, an {@link Unresolvable} where it
   * has no such type.
   */
  record RewriteUnion(List<PlanStep> branches) implements PlanStep {
    public RewriteUnion {
      branches = List.copyOf(branches);
    }
  }

  /**
   * Takes nothing and emits the index of a branch of the table's union, in as few bytes as can be,
   * then does a step.
   */
  record WriteIndex(int branch, PlanStep step) implements PlanStep {}

  /**
   * Refuses the datum with an {@code UnresolvableDatumException}: it has taken a branch that the
   * table cannot hold. Stands only where a branch of a {@link RewriteUnion} does.
   */
  record Unresolvable(String problem) implements PlanStep {}

  /**
   * Rewrites an array, block by block: emits the count of a block, then does the step of each item.
   *
   * <p>A positive count, and the zero behind the last block, are emitted as they were taken. A
   * negative one, which the size of the block follows, is emitted as the positive count in as few
   * bytes as can be, and the size is left out: it would no longer be true.
   *
   * <p>Items that take no bytes, or emit none, are counted: a datum may hold 1,048,576 of them.
   */
  record RewriteArray(PlanStep items) implements PlanStep {}

  /**
   * Rewrites a map, block by block like an array: copies each key, then does the step of its value.
   * Entries keep their order, and equal keys stay.
   */
  record RewriteMap(PlanStep values) implements PlanStep {}

  /**
   * Rewrites a record: does the steps of the writer's fields in the writer's order, and emits the
   * table's fields in the table's order.
   *
   * <p>What the step of a field emitted is moved to where the table has it; fields that stand side
   * by side on both sides need no move of their own.
   *
   * @param source the writer's fields; one that no part moves is a {@link Drop}
   * @param table the parts that the record is made of; each field of the source is moved once at
   *     most
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
                    + " is moved twice, or not there");
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

  /** A part of a record in the table's schema. */
  sealed interface Part {}

  /** What the step of the writer's field with this index emitted. */
  record Moved(int source) implements Part {}

  /**
   * A field that the writer lacks: what a step that takes nothing emits, made of {@link Write},
   * {@link WriteIndex}, {@link Capture} and records of such parts.
   */
  record Added(String name, PlanStep step) implements Part {}
}
