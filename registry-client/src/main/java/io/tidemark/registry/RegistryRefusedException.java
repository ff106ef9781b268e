package io.tidemark.registry;

/**
 * Thrown if the registry rejects the request: it does not have the subject or version, or does not
 * accept the schema. The caller causes this: a retry gets the same response until the request or
 * the registry changes.
 */
public final class RegistryRefusedException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /** The reason why a registry rejects a request. */
  public enum Reason {
    /** The subject does not exist, or was deleted. */
    SUBJECT_NOT_FOUND,
    /** The subject has no such version. */
    VERSION_NOT_FOUND,
    /** The registry or the subject does not have the schema. */
    SCHEMA_NOT_FOUND,
    /** The schema breaks the compatibility level of the subject. */
    INCOMPATIBLE,
    /** The schema, the version or the name is malformed. */
    INVALID,
    /** The registry does not have the resource: an older release, or another vendor's registry. */
    NOT_OFFERED,
    /** Another reason; see the code and the message. */
    OTHER
  }

  private final Reason reason;

  /**
   * @param message the location, the problem, its cause, and what to do; without secrets
   * @param code see {@link #code}
   */
  public RegistryRefusedException(String message, int code, Reason reason) {
    super(message, code, null);
    this.reason = reason;
  }

  /** Returns why the registry rejects the request. */
  public Reason reason() {
    return reason;
  }

  @Override
  public RegistryRefusedException again() {
    return new RegistryRefusedException(String.valueOf(getMessage()), code(), reason);
  }
}
