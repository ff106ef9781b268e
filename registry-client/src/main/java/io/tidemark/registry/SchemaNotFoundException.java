package io.tidemark.registry;

import java.util.Objects;

/**
 * The registry answered, and has no Avro schema of the id: it does not know the id, or knows it as
 * something that no Avro reader can use. The record's fault: asking again gives the same answer
 * until somebody registers the schema or corrects the configuration.
 */
public final class SchemaNotFoundException extends Exception {
  private static final long serialVersionUID = 1L;

  private final SchemaId id;
  private final String location;

  /**
   * @param message place, problem, cause and cure, for the operator
   * @param location the registry that answered, without secrets
   */
  public SchemaNotFoundException(String message, SchemaId id, String location) {
    super(message);
    this.id = Objects.requireNonNull(id, "id");
    this.location = Objects.requireNonNull(location, "location");
  }

  /** An id that the registry does not know. */
  public static SchemaNotFoundException unknown(SchemaId id, String location) {
    return new SchemaNotFoundException(
        "schema id "
            + id
            + " is unknown to "
            + location
            + ". The producer used another registry, or the bytes carry no schema id. Check"
            + " schema.registry.url, or send such records to a dead letter topic.",
        id,
        location);
  }

  /** The same answer for another caller, with that caller's stack trace. */
  public SchemaNotFoundException again() {
    return new SchemaNotFoundException(String.valueOf(getMessage()), id, location);
  }

  /** The id that was asked for. */
  public SchemaId id() {
    return id;
  }

  /** The registry that answered, without secrets. */
  public String location() {
    return location;
  }
}
