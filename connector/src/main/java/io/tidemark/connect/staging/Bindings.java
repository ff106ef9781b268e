package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bindings of a topic's known schema ids. Immutable: each chunk is submitted with its own. */
public final class Bindings {

  public static final Bindings NONE = new Bindings(Map.of(), 0);

  private final Map<SchemaId, Binding> byId;
  private final boolean toOneTable;
  private final long weight;

  public Bindings(Map<SchemaId, Binding> byId, long weight) {
    this.byId = Map.copyOf(byId);
    this.weight = weight;
    this.toOneTable = byId.values().stream().map(Binding::table).distinct().count() <= 1;
  }

  public @Nullable Binding find(SchemaId schemaId) {
    return byId.get(schemaId);
  }

  /** Returns the binding of a schema id that a submitted chunk has. */
  Binding require(SchemaId schemaId) {
    Binding binding = byId.get(schemaId);
    if (binding == null) {
      throw new IllegalStateException(schemaId + " reached a staging thread before its binding");
    }
    return binding;
  }

  /** Returns whether all bindings have the same table; for several tables, the first counts. */
  public boolean toOneTable() {
    return toOneTable;
  }

  /** Returns whether these bindings have every schema id of others. */
  public boolean includes(Bindings other) {
    return byId.keySet().containsAll(other.byId.keySet());
  }

  /** Returns the estimated heap of the bindings in bytes. */
  public long weight() {
    return weight;
  }

  Map<SchemaId, Binding> byId() {
    return byId;
  }
}
