package io.tidemark.connect.staging;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.schema.KeyColumns;
import io.tidemark.store.schema.SchemaConflictException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.avro.Schema;

/** Creates rows of keys and values, so that a record without a value is a row. Thread-safe. */
public final class KeyedRows {
  private static final int KEPT_KEYS = 1_000;

  private final KeyColumns columns;
  private final SchemaRegistry registry;
  private final Supplier<SchemaIdReader> keyIds;
  private final Map<SchemaId, Schema> keys = new ConcurrentHashMap<>();

  public KeyedRows(KeyColumns columns, SchemaRegistry registry, Supplier<SchemaIdReader> keyIds) {
    this.columns = columns;
    this.registry = registry;
    this.keyIds = keyIds;
  }

  public RowReader reader(SchemaIdReader valueIds) {
    return new RowReader(columns, keyIds.get(), valueIds, keys);
  }

  /** Returns the schema of a row; {@code table} is the table schema, empty if there is none yet. */
  Schema schema(SchemaId.OfKeyAndValue ids, Optional<Schema> table)
      throws RegistryException, InterruptedException, SchemaConflictException {
    Optional<Schema> key = Optional.empty();
    if (ids.key().isPresent()) {
      key = Optional.of(registry.schema(ids.key().get()).schema());
      if (keys.size() >= KEPT_KEYS) {
        keys.clear();
      }
      keys.put(ids.key().get(), key.get());
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
