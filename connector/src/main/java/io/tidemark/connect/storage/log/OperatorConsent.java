package io.tidemark.connect.storage.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What an operator has agreed to: steps that would double or leave out records where the operator
 * is wrong about them. Each is named by the UUID that the error about it prints, which is the same
 * for the same situation of the same log and for no other.
 */
public record OperatorConsent(Set<UUID> steps) {
  /** To nothing. */
  public static final OperatorConsent NONE = new OperatorConsent(Set.of());

  public OperatorConsent {
    steps = Set.copyOf(steps);
  }

  /** Whether the operator has agreed to a step. */
  public boolean to(UUID step) {
    return steps.contains(step);
  }

  /** The setting's value that agrees to further steps beside these, such as {@code UUID,UUID}. */
  public String and(Collection<UUID> more) {
    Set<UUID> all = new TreeSet<>(steps);
    all.addAll(more);
    return all.stream().map(UUID::toString).collect(Collectors.joining(","));
  }

  /**
   * The UUID of a step.
   *
   * @param situation what there is, such as the kind of the step, the log, and the ids that do not
   *     fit together
   */
  public static UUID step(Object... situation) {
    StringBuilder text = new StringBuilder();
    for (Object part : situation) {
      text.append(part).append('\n');
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(UTF_8));
  }
}
