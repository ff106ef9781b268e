package io.tidemark.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;
import java.util.UUID;

/**
 * The steps to which an operator has agreed. Such a step could duplicate or skip records if the
 * operator is mistaken. The error about a step contains the step's UUID. The UUID is the same for
 * the same situation of the same log, and differs for any other.
 */
public record OperatorConsent(Set<UUID> steps) {
  /** No consent. */
  public static final OperatorConsent NONE = new OperatorConsent(Set.of());

  public OperatorConsent {
    steps = Set.copyOf(steps);
  }

  /** Returns whether the operator has agreed to a step. */
  public boolean agreesTo(UUID step) {
    return steps.contains(step);
  }

  /**
   * Returns the UUID of a step.
   *
   * @param situation parts that identify the situation, such as the kind of the step, the log, and
   *     the contradicting ids
   */
  public static UUID step(Object... situation) {
    StringBuilder text = new StringBuilder();
    for (Object part : situation) {
      text.append(part).append('\n');
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(UTF_8));
  }
}
