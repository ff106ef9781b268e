package io.tidemark.registry;

import java.util.Objects;

/**
 * Thrown if the registry has no usable Avro schema of the id: it does not have the id, or the
 * schema is not Avro or cannot be parsed. The record or the configuration causes this. If all
 * records fail, the configuration is wrong, such as the URL: do not skip the records. A retry gets
 * the same response until the schema is registered or the configuration is corrected.
 */
public final class SchemaNotFoundException extends RegistryException {
  private static final long serialVersionUID = 1L;

  private final SchemaId id;
  private final String location;
  private final boolean unusable;

  /**
   * @param message the location, the problem, its cause, and what the operator should do
   * @param code the registry's error code; 0 if the schema exists but is not usable as Avro, if the
   *     registry's API has no ids of this kind, or if no schema has the fingerprint
   * @param location the registry that responded, without secrets
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

  /** Returns the exception for a schema that exists but is not usable as Avro. */
  public static SchemaNotFoundException unusable(String message, SchemaId id, String location) {
    return new SchemaNotFoundException(message, 0, id, location, true);
  }

  /** Returns the exception for an id that the registry does not have. */
  public static SchemaNotFoundException unknown(SchemaId id, int code, String location) {
    return new SchemaNotFoundException(
        id
            + " is unknown to "
            + location
            + (id.equals(SchemaId.of(0))
                ? ". Apicurio's serializer writes ids of 8 bytes, unless it has"
                    + " apicurio.registry.as-confluent=true and apicurio.registry.use-id=contentId; or"
                : ". The producer used another registry, or")
            + " the bytes carry no schema id. Check"
            + " schema.registry.url, or skip such records.",
        code,
        id,
        location);
  }

  /** Returns the exception for an id that the registry rejects as malformed, unlike other ids. */
  public static SchemaNotFoundException malformed(SchemaId id, int code, String location) {
    return new SchemaNotFoundException(
        id
            + " is rejected as malformed by "
            + location
            + ", which accepts other ids (code "
            + code
            + "). The record was written for another registry, or its bytes have no schema id."
            + " Check schema.registry.url, or skip such records.",
        code,
        id,
        location);
  }

  /**
   * Returns the exception for an id of a kind that the registry's API does not support.
   *
   * @param supported the ids that it supports, for the message
   */
  public static SchemaNotFoundException otherKind(SchemaId id, String supported, String location) {
    return new SchemaNotFoundException(
        id
            + " cannot be looked up in "
            + location
            + ". The ids of this registry are "
            + supported
            + ". The record was written for another kind of registry, or its bytes have no schema id."
            + " Configure the format that its producer writes, or skip such records.",
        0,
        id,
        location);
  }

  @Override
  public SchemaNotFoundException again() {
    return new SchemaNotFoundException(
        String.valueOf(getMessage()), code(), id, location, unusable);
  }

  /** Returns whether the schema exists but is not usable as Avro. */
  public boolean isUnusable() {
    return unusable;
  }

  /** Returns the id that was looked up. */
  public SchemaId id() {
    return id;
  }

  /** Returns the registry that responded, without secrets. */
  public String location() {
    return location;
  }
}
