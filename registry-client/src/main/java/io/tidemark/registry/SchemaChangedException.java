package io.tidemark.registry;

import java.util.Objects;

/**
 * Thrown if the schema of an id in the registry has changed: the registry was wiped, restored or
 * replaced, and assigned its ids again. A record with the id does not show with which of the two
 * schemas it was written. The condition remains until the registry has the former schema again, or
 * an operator accepts the new schema.
 */
public final class SchemaChangedException extends RegistryException {
  private static final long serialVersionUID = 1L;

  private final SchemaId id;

  /**
   * @param message the location, the problem, its cause, and what the operator should do; without
   *     secrets
   */
  public SchemaChangedException(String message, SchemaId id) {
    super(message, 0, null);
    this.id = Objects.requireNonNull(id, "id");
  }

  /** Returns the id whose schema has changed. */
  public SchemaId id() {
    return id;
  }

  @Override
  public SchemaChangedException again() {
    return new SchemaChangedException(String.valueOf(getMessage()), id);
  }
}
