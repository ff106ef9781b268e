package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the registry gave no usable response: it is unavailable or overloaded, it rejects the
 * client's credentials, or another service responds at its address. The requested id or subject may
 * exist or not, and the same call may succeed later.
 */
public final class RegistryUnavailableException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message place, problem, cause and cure, for the operator; without secrets
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
