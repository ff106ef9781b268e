package io.tidemark.connect.routing;

import io.tidemark.registry.SchemaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bindings of a topic's known schema ids: an immutable snapshot that goes with each chunk. */
public final class BindingSnapshot {

  /** No schema id is known. */
  public static final BindingSnapshot NONE = new BindingSnapshot(Map.of());

  private final Map<SchemaId, WriterBinding> byId;
  private final boolean toOneTable;

  public BindingSnapshot(Map<SchemaId, WriterBinding> byId) {
    this.byId = Map.copyOf(byId);
    this.toOneTable = byId.values().stream().map(WriterBinding::table).distinct().count() <= 1;
  }

  /** The binding of a schema id; null when the id is not known. */
  public @Nullable WriterBinding find(SchemaId schemaId) {
    return byId.get(schemaId);
  }

  /** All bindings are to one table, or first to one where a field decides. */
  public boolean toOneTable() {
    return toOneTable;
  }

  /** Every schema id that is bound in the other snapshot is bound here. */
  public boolean includes(BindingSnapshot other) {
    return byId.keySet().containsAll(other.byId.keySet());
  }

  Map<SchemaId, WriterBinding> byId() {
    return byId;
  }
}
