package io.tidemark.registry;

import java.util.Map;

/**
 * A service that knows the writer schema of a record by the id in front of it. Implementations are
 * safe for use by many threads.
 *
 * <p>The failures ask for different things: {@link SchemaNotFoundException} concerns the record and
 * stays until somebody acts; {@link RegistryUnavailableException} concerns the service, and the
 * same call may succeed later; {@link RegistryRefusedException} concerns how we ask, and {@link
 * SchemaChangedException} all records of the id: both stay until somebody acts.
 */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * The schema of an id. May wait for the service, within bounds that the implementation states.
   *
   * @throws SchemaNotFoundException when the registry answered and has no Avro schema of this id
   * @throws RegistryRefusedException when the registry takes the question as malformed
   * @throws SchemaChangedException when the registry has another schema of this id than before
   * @throws RegistryUnavailableException when no usable answer came; says nothing about the id
   * @throws InterruptedException when this thread was interrupted while it waited
   */
  RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException;

  /**
   * The ids that were answered, and have another schema in the registry now, as far as it was asked
   * again: who still uses what was answered must stop. Never waits; nearly always empty.
   */
  default Map<SchemaId, SchemaChangedException> contradictions() {
    return Map.of();
  }

  /**
   * Whether {@link #schema} has the schema of an id at hand, so that it need not ask the service.
   * Never waits.
   */
  default boolean remembers(SchemaId id) {
    return false;
  }

  /**
   * Where the registry is, for messages; holds no secrets. Example: {@code http://registry:8081}
   */
  String location();

  /** Frees what the client holds. Calls under way fail; closing twice does nothing more. */
  @Override
  void close();
}
