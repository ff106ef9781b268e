package io.tidemark.registry.confluent;

import java.util.List;

/**
 * The result of a compatibility check: whether a subject would accept a schema.
 *
 * @param messages the registry's reasons; empty if it would accept the schema, or gives no reason
 */
public record Compatibility(boolean compatible, List<String> messages) {

  public Compatibility {
    messages = List.copyOf(messages);
  }
}
