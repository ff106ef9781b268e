package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the encoding of a value changes from a writer schema to its mapped schema. */
sealed interface Shift {
  Shift SAME = new Same();

  /** The bytes stay. */
  record Same() implements Shift {}

  /** The value is converted as a whole. */
  record Leaf(Conversion conversion) implements Shift {}

  /** A branch of the writer's union, and the branch or field that it becomes. */
  record Branch(int target, Shift shift) {}

  /** A union stays a union. */
  record Union(List<Branch> branches) implements Shift {
    public Union {
      branches = List.copyOf(branches);
    }
  }

  /**
   * A union becomes a record with a nullable field for each branch. Null stays null.
   *
   * @param nullable whether the result is a union of null and the record
   */
  record UnionRecord(boolean nullable, List<Branch> branches) implements Shift {
    static final int NULL = -1;

    public UnionRecord {
      branches = List.copyOf(branches);
    }
  }

  /** The items of an array, or the values of a map, change. */
  record Items(Shift shift) implements Shift {}

  /** A record changes. It may contain itself, so it is filled later and is equal only to itself. */
  final class Fields implements Shift {
    /** For each field of the writer its change; empty if the field is left out. */
    final List<Optional<Shift>> each = new ArrayList<>();
  }
}
