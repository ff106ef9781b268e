package io.tidemark.connect.faults;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.Schema;

/** A registry of the schemas that records are written with; its calls go through a gate. */
record GatedRegistry(CallGate gate, Supplier<Map<SchemaId, Schema>> schemas)
    implements SchemaRegistry {
  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException {
    Optional<Schema> found;
    try {
      found = gate.ask("registry schema " + id, () -> Optional.ofNullable(schemas.get().get(id)));
    } catch (IOException e) {
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e);
    }
    return new RegisteredSchema(
        id, found.orElseThrow(() -> SchemaNotFoundException.unknown(id, 40403, location())));
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public void close() {}
}
