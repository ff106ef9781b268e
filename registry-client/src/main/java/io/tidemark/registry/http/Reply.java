package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException;
import org.jspecify.annotations.Nullable;

/** What came of one request. */
sealed interface Reply<T> {

  /** The registry sent what was asked for. */
  record Found<T>(T value) implements Reply<T> {}

  /** The registry said no, in its own words. */
  record Refused<T>(RegistryRefusedException refusal) implements Reply<T> {}

  /**
   * No usable answer.
   *
   * @param problem place, problem, cause and cure, without secrets
   * @param code the status or the registry's own code; 0 when no answer came
   * @param mayPass whether the same request can succeed a little later
   * @param retryAfterMs how long the registry asked us to wait; 0 when it did not
   */
  record Failure<T>(
      String problem, int code, boolean mayPass, long retryAfterMs, @Nullable Throwable cause)
      implements Reply<T> {}
}
