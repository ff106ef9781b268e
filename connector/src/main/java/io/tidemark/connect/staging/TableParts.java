package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import io.tidemark.store.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Divides the records of a chunk by table. The order of each table's records is kept. In a topic
 * with several types of records, plans and blocks could change with each record. So the tables are
 * processed one after the other.
 */
final class TableParts {
  private TableParts() {}

  /** Returns the parts of a chunk; the chunk itself if all its records go to one table. */
  static List<RecordChunk> of(RecordChunk chunk, Bindings bindings) {
    if (bindings.toOneTable()) {
      return List.of(chunk);
    }
    Map<SchemaId, IntStream.Builder> byId = new HashMap<>();
    Map<Table, IntStream.Builder> byTable = new HashMap<>();
    IntStream.Builder last = null;
    for (int i = 0; i < chunk.size(); i++) {
      IntStream.Builder part =
          last != null && chunk.schemaAsBefore(i)
              ? last
              : byId.computeIfAbsent(
                  chunk.schemaId(i),
                  id -> byTable.computeIfAbsent(table(id, bindings), table -> IntStream.builder()));
      part.add(i);
      last = part;
    }
    return byTable.size() <= 1
        ? List.of(chunk)
        : byTable.values().stream().map(part -> chunk.part(part.build().toArray())).toList();
  }

  private static Table table(SchemaId id, Bindings bindings) {
    Binding binding = bindings.find(id);
    if (binding == null) {
      throw new IllegalStateException(id + " reached a staging thread before its binding");
    }
    return binding.table();
  }
}
