package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.util.Map;

/**
 * A schema registry that counts lookups with a result in its cache, and measures all other lookups.
 */
public record MeasuredRegistry(SchemaRegistry measured, ServiceCalls calls)
    implements SchemaRegistry {

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    if (measured.remembers(id)) {
      calls.remembered();
      return measured.schema(id);
    }
    try (Call call = calls.begin("schema")) {
      try {
        RegisteredSchema schema = measured.schema(id);
        call.answer();
        return schema;
      } catch (RegistryException e) {
        if (!(e instanceof RegistryUnavailableException)) {
          call.answer();
        }
        throw e;
      }
    }
  }

  @Override
  public Map<SchemaId, SchemaChangedException> contradictions() {
    return measured.contradictions();
  }

  @Override
  public boolean remembers(SchemaId id) {
    return measured.remembers(id);
  }

  @Override
  public String location() {
    return measured.location();
  }

  @Override
  public void close() {
    measured.close();
  }
}
