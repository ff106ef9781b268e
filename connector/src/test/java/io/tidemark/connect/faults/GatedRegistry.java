package io.tidemark.connect.faults;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A registry of the two schemas that records are written with; its calls go through a gate.
 *
 * @param later the schema of later writers
 */
record GatedRegistry(CallGate gate, Schema later) implements SchemaRegistry {
  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException {
    Optional<Schema> found;
    try {
      found = gate.ask("registry schema " + id, () -> Optional.ofNullable(schemas().get(id)));
    } catch (IOException e) {
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e);
    }
    return new RegisteredSchema(
        id, found.orElseThrow(() -> SchemaNotFoundException.unknown(id, 40403, location())));
  }

  private Map<SchemaId, Schema> schemas() {
    return Map.of(
        SchemaId.of(SourceRecord.EARLIER_ID),
        SourceRecord.EARLIER,
        SchemaId.of(SourceRecord.LATER_ID),
        later);
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public void close() {}
}
