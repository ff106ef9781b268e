package io.tidemark.connect.pipeline;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import org.apache.avro.Schema;

/** A registry in memory that has one schema for each of the ids from 1 to {@code ids}. */
public record OneSchema(Schema schema, int ids) implements SchemaRegistry {

  @Override
  public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
    if (id instanceof SchemaId.Int32 number && number.value() >= 1 && number.value() <= ids) {
      return new RegisteredSchema(id, schema);
    }
    throw SchemaNotFoundException.unknown(id, 40403, location());
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public void close() {}
}
