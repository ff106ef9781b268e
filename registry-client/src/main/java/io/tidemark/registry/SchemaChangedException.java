package io.tidemark.registry;

import java.util.Objects;

/**
 * The registry has another schema under an id than it had before: it was wiped, restored or
 * replaced, and gave its ids again. Records of the id can be of either schema, and nothing in them
 * says of which. It stays until the registry has the former schema again, or an operator accepts
 * the new one.
 */
public final class SchemaChangedException extends RegistryException {
  private static final long serialVersionUID = 1L;

  private final SchemaId id;

  /**
   * @param message place, problem, cause and cure, for the operator; without secrets
   */
  public SchemaChangedException(String message, SchemaId id) {
    super(message, 0, null);
    this.id = Objects.requireNonNull(id, "id");
  }

  /** The id. */
  public SchemaId id() {
    return id;
  }

  @Override
  public SchemaChangedException again() {
    return new SchemaChangedException(String.valueOf(getMessage()), id);
  }
}
