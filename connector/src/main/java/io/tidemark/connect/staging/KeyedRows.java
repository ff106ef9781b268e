package io.tidemark.connect.staging;

import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.schema.KeyColumns;
import io.tidemark.store.schema.SchemaConflictException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Creates rows of keys and values, so that a record without a value is a row. Thread-safe. */
public final class KeyedRows {
  private final KeyColumns columns;
  private final SchemaRegistry registry;
  private final Supplier<SchemaIdReader> keyIds;

  /** The checks of bound keys, used by the thread of the task alone. */
  private final Map<SchemaId, PlanInterpreter> keys = new ConcurrentHashMap<>();

  public KeyedRows(KeyColumns columns, SchemaRegistry registry, Supplier<SchemaIdReader> keyIds) {
    this.columns = columns;
    this.registry = registry;
    this.keyIds = keyIds;
  }

  public RowReader reader(SchemaIdReader valueIds) {
    return new RowReader(columns, keyIds.get(), valueIds, keys);
  }

  /** Returns the schema of a row; {@code table} is the table schema, empty if there is none yet. */
  Schema schema(SchemaId.OfKeyAndValue ids, Bindings known, Optional<Schema> table)
      throws RegistryException, InterruptedException, SchemaConflictException {
    Optional<Schema> key = Optional.empty();
    if (ids.key().isPresent()) {
      key = Optional.of(registry.schema(ids.key().get()).schema());
      keys.keySet().removeIf(id -> !SchemaBinder.isOf(known, id));
      // The plain schema has no properties, which may need much heap.
      Schema plain = RegisteredSchema.parse(SchemaNormalization.toParsingForm(key.get()));
      keys.put(ids.key().get(), new PlanInterpreter(Planner.plan(plain, plain, List.of())));
    }
    Optional<Schema> value = Optional.empty();
    if (ids.value().isPresent()) {
      value = Optional.of(registry.schema(ids.value().get()).schema());
    }
    if (value.isPresent() && value.get().getType() != Schema.Type.RECORD) {
      return value.get(); // the table's own check rejects it
    }
    return columns.schema(key, value, table);
  }
}
