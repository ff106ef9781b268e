package io.tidemark.connect.faults;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.io.IOException;

/** A registry of the two schemas that records are written with; its calls go through a gate. */
record GatedRegistry(CallGate gate) implements SchemaRegistry {

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryUnavailableException {
    try {
      return gate.ask(
          "registry schema " + id,
          () ->
              new RegisteredSchema(
                  id,
                  id.equals(SchemaId.of(SourceRecord.LATER_ID))
                      ? SourceRecord.LATER
                      : SourceRecord.EARLIER));
    } catch (IOException e) {
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public void close() {}
}
