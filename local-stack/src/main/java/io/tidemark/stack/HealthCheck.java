package io.tidemark.stack;

import java.util.Optional;

/** A request that a server can answer only when it is ready. */
@FunctionalInterface
interface HealthCheck {

  /** Returns why the server is not ready; empty if it is. */
  Optional<String> problem();
}
