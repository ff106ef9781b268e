package io.tidemark.store.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The steps to which an operator has agreed. Such a step could duplicate or skip records if the
 * operator is mistaken. The error about a step contains the step's UUID. The UUID is the same for
 * the same situation of the same log, and differs for any other.
 */
public record OperatorConsent(Set<UUID> steps) {
  public static final OperatorConsent NONE = new OperatorConsent(Set.of());

  public OperatorConsent {
    steps = Set.copyOf(steps);
  }

  public boolean agreesTo(UUID step) {
    return steps.contains(step);
  }

  /** Returns the UUID of a step in a situation: kind of step, log, contradicting ids, and so on. */
  public static UUID step(Object... situation) {
    String text = Stream.of(situation).map(part -> part + "\n").collect(Collectors.joining());
    return UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
  }
}
