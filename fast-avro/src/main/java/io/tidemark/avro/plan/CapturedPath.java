package io.tidemark.avro.plan;

import io.tidemark.avro.plan.step.PlanStep;
import java.util.ArrayList;
import java.util.List;

/**
 * The path to a captured field of a plan, relative to a place in the reader schema.
 *
 * @param field the field's index in the plan
 * @param below the part of the path below that place, empty at the field itself
 */
record CapturedPath(int field, String below) {

  static List<CapturedPath> of(List<String> fieldPaths) {
    var paths = new ArrayList<CapturedPath>();
    for (int i = 0; i < fieldPaths.size(); i++) {
      paths.add(new CapturedPath(i, fieldPaths.get(i)));
    }
    return paths;
  }

  /** Returns the paths that lead into a field, relative to it. */
  static List<CapturedPath> in(List<CapturedPath> paths, String name) {
    return paths.stream().filter(path -> path.isIn(name)).map(path -> path.in(name)).toList();
  }

  /** Returns the paths that do not end here. */
  static List<CapturedPath> below(List<CapturedPath> paths) {
    return paths.stream().filter(path -> !path.isHere()).toList();
  }

  /** Returns a step that does the same and also captures each field whose path ends here. */
  static PlanStep capture(List<CapturedPath> paths, PlanStep step) {
    PlanStep capturing = step;
    for (CapturedPath path : paths) {
      if (path.isHere()) {
        capturing = new PlanStep.Capture(path.field(), capturing);
      }
    }
    return capturing;
  }

  private boolean isHere() {
    return below.isEmpty();
  }

  private boolean isIn(String name) {
    return below.equals(name) || below.startsWith(name + '.');
  }

  private CapturedPath in(String name) {
    return new CapturedPath(field, below.equals(name) ? "" : below.substring(name.length() + 1));
  }
}
