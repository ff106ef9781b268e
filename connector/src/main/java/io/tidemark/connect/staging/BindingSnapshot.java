package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bindings of a topic's known schema ids. Immutable. Each chunk is submitted with such a
 * snapshot.
 */
public final class BindingSnapshot {

  /** The snapshot without any binding. */
  public static final BindingSnapshot NONE = new BindingSnapshot(Map.of());

  private final Map<SchemaId, WriterBinding> byId;
  private final boolean toOneTable;

  public BindingSnapshot(Map<SchemaId, WriterBinding> byId) {
    this.byId = Map.copyOf(byId);
    this.toOneTable = byId.values().stream().map(WriterBinding::table).distinct().count() <= 1;
  }

  /** Returns the binding of a schema id; null if the id is not bound. */
  public @Nullable WriterBinding find(SchemaId schemaId) {
    return byId.get(schemaId);
  }

  /**
   * Returns whether all bindings have the same table. For a binding to several tables, its first
   * table is compared.
   */
  public boolean toOneTable() {
    return toOneTable;
  }

  /** Returns whether this snapshot binds every schema id of another snapshot. */
  public boolean includes(BindingSnapshot other) {
    return byId.keySet().containsAll(other.byId.keySet());
  }

  Map<SchemaId, WriterBinding> byId() {
    return byId;
  }
}
