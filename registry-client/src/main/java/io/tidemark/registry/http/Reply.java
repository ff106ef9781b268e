package io.tidemark.registry.http;

import org.jspecify.annotations.Nullable;

/** What came of one request. */
sealed interface Reply {

  /** The registry sent a schema. */
  record Found(SchemaDocument document) implements Reply {}

  /** The registry said, in its own words, that it does not have what was asked for. */
  record Missing() implements Reply {}

  /**
   * No usable answer.
   *
   * @param problem place, problem, cause and cure, without secrets
   * @param mayPass whether the same request can succeed a little later
   * @param retryAfterMs how long the registry asked us to wait; 0 when it did not
   */
  record Failure(String problem, boolean mayPass, long retryAfterMs, @Nullable Throwable cause)
      implements Reply {}
}
