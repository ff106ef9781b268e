package io.tidemark.registry;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a registry did not return what was requested. The subclass shows what to do: correct
 * the record, correct the request, restore the registry, or try again.
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
   * Returns the registry's error code if it sent one (40403), or the HTTP status (503), or 0 if
   * there was no response.
   */
  public int code() {
    return code;
  }

  /**
   * Returns a copy with the current stack trace. The library uses this method if several threads
   * wait for one request that fails: each thread throws its own copy.
   */
  public abstract RegistryException again();
}
