package io.tidemark.registry;

import java.util.Map;

/**
 * A service that returns the writer schema of a record by its schema id. Implementations are safe
 * for use by many threads.
 *
 * <p>The exceptions differ in cause and cure:
 *
 * <ul>
 *   <li>{@link SchemaNotFoundException}: this record or the configuration is wrong; do not retry;
 *   <li>{@link RegistryUnavailableException}: the service failed; retry later;
 *   <li>{@link RegistryRefusedException}: the request is wrong; do not retry;
 *   <li>{@link SchemaChangedException}: all records of the id are affected; an operator must act.
 * </ul>
 */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * Returns the schema of an id. May wait for the service, within limits that the implementation
   * states.
   *
   * @throws SchemaNotFoundException if the registry has no usable Avro schema of this id
   * @throws RegistryRefusedException if the registry rejects the request as malformed
   * @throws SchemaChangedException if the registry has another schema under this id than before
   * @throws RegistryUnavailableException if there was no usable response; the id may exist or not
   * @throws InterruptedException if this thread was interrupted while it waited
   */
  RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException;

  /**
   * Returns the ids for which the registry now has another schema than this client returned before.
   * Stop processing records with these ids. Only ids that were confirmed since then are included.
   * Never waits; nearly always empty.
   */
  default Map<SchemaId, SchemaChangedException> contradictions() {
    return Map.of();
  }

  /**
   * Returns whether {@link #schema} has the schema of an id in memory, so that it need not ask the
   * service. Never waits.
   */
  default boolean remembers(SchemaId id) {
    return false;
  }

  /** Returns the registry's address for messages, without secrets: {@code http://registry:8081} */
  String location();

  /** Frees the client's resources. Calls in progress fail; a second call has no effect. */
  @Override
  void close();
}
