package io.tidemark.registry;

import java.util.Map;

/**
 * A service that returns the writer schema of a record by its schema id. Implementations are safe
 * for use by many threads.
 *
 * <p>The exceptions differ in cause and in what to do:
 *
 * <ul>
 *   <li>{@link SchemaNotFoundException}: this record or the configuration is wrong; do not retry;
 *   <li>{@link RegistryUnavailableException}: the service failed: retry later; or the credentials
 *       or the address are wrong: correct the settings;
 *   <li>{@link RegistryRefusedException}: the request is wrong; do not retry;
 *   <li>{@link SchemaChangedException}: all records of the id are affected; an operator must act.
 * </ul>
 */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * Returns the schema of an id. May wait for the service, within the limits of {@link
   * io.tidemark.registry.http.HttpSettings}.
   *
   * @throws SchemaNotFoundException if the registry has no usable Avro schema of this id
   * @throws RegistryRefusedException if the registry rejects the request as malformed
   * @throws SchemaChangedException if the schema of this id in the registry has changed
   * @throws RegistryUnavailableException if there was no usable response; the id may exist or not
   * @throws InterruptedException if this thread was interrupted while it waited
   */
  RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException;

  /**
   * Returns the ids whose schema in the registry differs from the schema that this client returned
   * before. Stop processing records with these ids. The client compares the schemas in the
   * background, so a difference appears here only after the next comparison. Never waits; nearly
   * always empty.
   */
  default Map<SchemaId, SchemaChangedException> contradictions() {
    return Map.of();
  }

  /**
   * Returns whether {@link #schema} can return the schema of an id without a request, because the
   * schema is in memory. Never waits.
   */
  default boolean remembers(SchemaId id) {
    return false;
  }

  /** Returns the registry's address for messages, without secrets: {@code http://registry:8081}. */
  String location();

  /** Frees the client's resources. Calls in progress fail; a second call has no effect. */
  @Override
  void close();
}
