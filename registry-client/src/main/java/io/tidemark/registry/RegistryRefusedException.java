package io.tidemark.registry;

/**
 * The registry answered, and says no: it does not know the subject or version, or does not take the
 * schema. The caller's fault: asking again gives the same answer until somebody changes something.
 */
public final class RegistryRefusedException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /** Why a registry refuses. */
  public enum Reason {
    /** It does not know the subject, or the subject was deleted. */
    SUBJECT_NOT_FOUND,
    /** The subject has no such version. */
    VERSION_NOT_FOUND,
    /** It does not know the schema, or not in that subject. */
    SCHEMA_NOT_FOUND,
    /** The schema breaks the compatibility that the subject demands. */
    INCOMPATIBLE,
    /** It does not take the schema, the version or the name as well-formed. */
    INVALID,
    /** It does not have the resource at all: an older release, or another vendor's registry. */
    NOT_OFFERED,
    /** Anything else; the code and the message say what. */
    OTHER
  }

  private final Reason reason;

  /**
   * @param message place, problem, cause and cure; without secrets
   * @param code see {@link #code}
   */
  public RegistryRefusedException(String message, int code, Reason reason) {
    super(message, code, null);
    this.reason = reason;
  }

  /** Why it refuses. */
  public Reason reason() {
    return reason;
  }

  @Override
  public RegistryRefusedException again() {
    return new RegistryRefusedException(String.valueOf(getMessage()), code(), reason);
  }
}
