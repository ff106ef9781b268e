package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException;
import org.jspecify.annotations.Nullable;

/** The result of one request. */
sealed interface Reply<T> {

  /** The registry returned what was requested. */
  record Found<T>(T value) implements Reply<T> {}

  /** The registry rejected the request. */
  record Refused<T>(RegistryRefusedException refusal) implements Reply<T> {}

  /**
   * There was no usable response.
   *
   * @param problem the location, the problem, its cause, and what to do; without secrets
   * @param code the status or the registry's error code; 0 if there was no response
   * @param mayPass whether the error is transient
   * @param retryAfterMs the wait that the registry requested, in ms; 0 if none
   */
  record Failure<T>(
      String problem, int code, boolean mayPass, long retryAfterMs, @Nullable Throwable cause)
      implements Reply<T> {}
}
