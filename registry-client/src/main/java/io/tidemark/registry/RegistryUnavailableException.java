package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the registry gave no usable response: it is unavailable or overloaded, it rejects the
 * client's credentials, or another service responds at its address. The requested id or subject may
 * exist or not.
 *
 * <p>The same call may succeed later, if the cause is an outage. For rejected credentials ({@link
 * #code()} 401 or 403), a redirect or a wrong address, correct the settings first.
 */
public final class RegistryUnavailableException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the location, the problem, its cause, and what the operator should do; without
   *     secrets
   * @param code see {@link #code}
   */
  public RegistryUnavailableException(String message, int code, @Nullable Throwable cause) {
    super(message, code, cause);
  }

  /** Creates the exception of a failure without a response. */
  public RegistryUnavailableException(String message, @Nullable Throwable cause) {
    this(message, 0, cause);
  }

  @Override
  public RegistryUnavailableException again() {
    return new RegistryUnavailableException(String.valueOf(getMessage()), code(), this);
  }
}
