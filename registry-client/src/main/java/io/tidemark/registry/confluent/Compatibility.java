package io.tidemark.registry.confluent;

import java.util.List;

/**
 * Whether a subject would take a schema.
 *
 * @param messages why not, in the registry's words; empty when it would, or does not say
 */
public record Compatibility(boolean compatible, List<String> messages) {

  public Compatibility {
    messages = List.copyOf(messages);
  }
}
