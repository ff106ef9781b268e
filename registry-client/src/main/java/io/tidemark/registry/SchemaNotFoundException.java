package io.tidemark.registry;

import java.util.Objects;

/**
 * The registry answered, and has no Avro schema of the id: it does not know the id, or knows it as
 * something that no Avro reader can use. The record's fault: asking again gives the same answer
 * until somebody registers the schema or corrects the configuration.
 */
public final class SchemaNotFoundException extends RegistryException {
  private static final long serialVersionUID = 1L;

  private final SchemaId id;
  private final String location;
  private final boolean unusable;

  /**
   * @param message place, problem, cause and cure, for the operator
   * @param code the registry's own error code, 0 when it has the schema and nobody can use it
   * @param location the registry that answered, without secrets
   */
  public SchemaNotFoundException(String message, int code, SchemaId id, String location) {
    this(message, code, id, location, false);
  }

  private SchemaNotFoundException(
      String message, int code, SchemaId id, String location, boolean unusable) {
    super(message, code, null);
    this.id = Objects.requireNonNull(id, "id");
    this.location = Objects.requireNonNull(location, "location");
    this.unusable = unusable;
  }

  /** An id that the registry knows as something that no Avro reader can use. */
  public static SchemaNotFoundException unusable(String message, SchemaId id, String location) {
    return new SchemaNotFoundException(message, 0, id, location, true);
  }

  /** An id that the registry does not know. */
  public static SchemaNotFoundException unknown(SchemaId id, int code, String location) {
    return new SchemaNotFoundException(
        id
            + " is unknown to "
            + location
            + ". The producer used another registry, or the bytes carry no schema id. Check"
            + " schema.registry.url, or send such records to a dead letter topic.",
        code,
        id,
        location);
  }

  /** An id of a kind that the registry does not keep. */
  public static SchemaNotFoundException otherKind(SchemaId id, String kept, String location) {
    return new SchemaNotFoundException(
        id
            + " cannot be looked up in "
            + location
            + ", which knows schemas by "
            + kept
            + ". The record was written for another kind of registry. Configure the format that its"
            + " producer writes, or send such records to a dead letter topic.",
        0,
        id,
        location);
  }

  @Override
  public SchemaNotFoundException again() {
    return new SchemaNotFoundException(
        String.valueOf(getMessage()), code(), id, location, unusable);
  }

  /** Whether the registry knows the id, as something that no Avro reader can use. */
  public boolean isUnusable() {
    return unusable;
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
