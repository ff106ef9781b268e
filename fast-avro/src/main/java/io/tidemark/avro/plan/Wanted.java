package io.tidemark.avro.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A field of a plan that is to be found, seen from a place in the table's schema.
 *
 * @param field its index in the plan
 * @param below what is left of its path below that place; empty where it stands
 */
record Wanted(int field, String below) {

  static List<Wanted> of(List<String> fieldPaths) {
    var wanted = new ArrayList<Wanted>();
    for (int i = 0; i < fieldPaths.size(); i++) {
      wanted.add(new Wanted(i, fieldPaths.get(i)));
    }
    return wanted;
  }

  /** Those that lead into a field, seen from there. */
  static List<Wanted> in(List<Wanted> wanted, String name) {
    return wanted.stream().filter(w -> w.isIn(name)).map(w -> w.in(name)).toList();
  }

  /** Those that do not end here. */
  static List<Wanted> below(List<Wanted> wanted) {
    return wanted.stream().filter(w -> !w.isHere()).toList();
  }

  /** The step, with those that end here noted. */
  static PlanStep captured(List<Wanted> wanted, PlanStep step) {
    PlanStep captured = step;
    for (Wanted w : wanted) {
      if (w.isHere()) {
        captured = new PlanStep.Capture(w.field(), captured);
      }
    }
    return captured;
  }

  private boolean isHere() {
    return below.isEmpty();
  }

  private boolean isIn(String name) {
    return below.equals(name) || below.startsWith(name + '.');
  }

  private Wanted in(String name) {
    return new Wanted(field, below.equals(name) ? "" : below.substring(name.length() + 1));
  }
}
