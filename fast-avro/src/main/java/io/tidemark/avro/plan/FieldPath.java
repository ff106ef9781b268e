package io.tidemark.avro.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A place in a schema, for messages, such as {@code order.lines[].price}. The text is made only for
 * a message: the texts of all fields that are deep below long names could exhaust the heap.
 *
 * @param above the place that contains this one; null at the root
 * @param step what the text of this place adds
 */
record FieldPath(@Nullable FieldPath above, String step) {
  static final FieldPath ROOT = new FieldPath(null, "");

  FieldPath field(String name) {
    return new FieldPath(this, above == null ? name : '.' + name);
  }

  FieldPath items() {
    return new FieldPath(this, "[]");
  }

  FieldPath values() {
    return new FieldPath(this, "{}");
  }

  @Override
  public String toString() {
    Deque<String> steps = new ArrayDeque<>();
    for (FieldPath place = this; place != null; place = place.above) {
      steps.addFirst(place.step);
    }
    return String.join("", steps);
  }
}
