package io.tidemark.registry.confluent;

import java.util.Objects;

/**
 * A version of a subject that a schema uses without defining it.
 *
 * @param name the full name of the type that is used
 * @param version at least 1, or -1 for the newest
 */
public record SchemaReference(String name, String subject, int version) {

  public SchemaReference {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(subject, "subject");
  }

  @Override
  public String toString() {
    return "subject " + subject + " version " + version;
  }
}
