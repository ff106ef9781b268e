package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * The registry gave no usable answer: it is away, overloaded, refuses us, or something else answers
 * at its address. Nothing is known about what was asked for, and the same call may succeed later.
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

  /** A failure without an answer. */
  public RegistryUnavailableException(String message, @Nullable Throwable cause) {
    this(message, 0, cause);
  }

  @Override
  public RegistryUnavailableException again() {
    return new RegistryUnavailableException(String.valueOf(getMessage()), code(), this);
  }
}
