package io.tidemark.registry.config;

import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.Subjects;

/**
 * The subjects of a registry, with their own client. The caller must close them. Safe for use by
 * many threads.
 *
 * @param client the client with the connections
 */
public record RegistrySubjects(Subjects subjects, SchemaRegistry client) implements AutoCloseable {
  @Override
  public void close() {
    client.close();
  }
}
