package io.tidemark.benchmarks.registry;

import io.tidemark.registry.RegistryException;

/**
 * A client of the registry of {@link RegistryHost}, with its cache; the ids are made before. Safe
 * for use by many threads.
 */
interface Lookups extends AutoCloseable {

  /** The schema of an id, from 0 on, as this client gives it: parsed, or its text. */
  Object schema(int id) throws RegistryException, InterruptedException;

  @Override
  void close();
}
