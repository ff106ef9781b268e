package io.tidemark.benchmarks.registry;

import io.tidemark.registry.RegistryException;

/**
 * A client of a {@link RegistryHost}, with its cache; id objects are created in advance. Safe for
 * use by many threads.
 */
interface Lookups extends AutoCloseable {

  /** Returns the schema of an id (0 or greater) in the client's form: parsed, or as text. */
  Object schema(int id) throws RegistryException, InterruptedException;

  @Override
  void close();
}
