package io.tidemark.registry.http;

/** Lets time pass between two rounds. */
@FunctionalInterface
interface Sleeper {

  /** True when the time has passed, false when the client was closed meanwhile. */
  boolean sleep(long ms) throws InterruptedException;
}
