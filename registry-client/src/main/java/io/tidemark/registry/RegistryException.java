package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * A registry did not give what it was asked for. The kinds ask for different things: correct the
 * record, correct the request, restore the registry, or try again.
 */
public abstract sealed class RegistryException extends Exception
    permits SchemaNotFoundException,
        RegistryRefusedException,
        SchemaChangedException,
        RegistryUnavailableException {
  private static final long serialVersionUID = 1L;

  private final int code;

  RegistryException(String message, int code, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * The registry's own error code where it sent one (40403), else the status of its HTTP answer
   * (503), else 0.
   */
  public int code() {
    return code;
  }

  /** The same failure for another caller, with that caller's stack trace. */
  public abstract RegistryException again();
}
