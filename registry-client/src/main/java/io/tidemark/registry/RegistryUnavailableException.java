package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * The registry gave no usable answer: it is away, overloaded, refuses us, or something else answers
 * at its address. Nothing is known about the id, and the same call may succeed later.
 */
public final class RegistryUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message place, problem, cause and cure, for the operator; without secrets
   */
  public RegistryUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The same failure for another caller, with that caller's stack trace. */
  public RegistryUnavailableException again() {
    return new RegistryUnavailableException(String.valueOf(getMessage()), this);
  }
}
