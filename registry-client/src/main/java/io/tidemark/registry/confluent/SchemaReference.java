package io.tidemark.registry.confluent;

import java.util.Objects;

/**
 * A reference of a schema to a type in another subject.
 *
 * @param name the full name of the type
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
