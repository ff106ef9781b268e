package io.tidemark.stack;

import java.util.Optional;

/** A question to a server that only a server which does its work can answer. */
@FunctionalInterface
interface HealthCheck {

  /** What keeps the server from its work, in words; empty when it is ready. */
  Optional<String> problem();
}
