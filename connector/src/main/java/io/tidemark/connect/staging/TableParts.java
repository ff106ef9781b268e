package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import io.tidemark.store.table.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides the records of a chunk by table. The order of each table's records is kept. In a topic
 * with several types of records, plans and blocks could change with each record. So the tables are
 * processed one after the other.
 */
final class TableParts {
  private TableParts() {}

  /** Returns the parts of a chunk; the chunk itself if all its records go to one table. */
  static List<RecordChunk> of(RecordChunk chunk, BindingSnapshot bindings) {
    if (bindings.toOneTable()) {
      return List.of(chunk);
    }
    Map<SchemaId, Part> byId = new HashMap<>();
    Map<Table, Part> byTable = new HashMap<>();
    Part last = null;
    for (int i = 0; i < chunk.size(); i++) {
      Part part =
          last != null && chunk.schemaAsBefore(i)
              ? last
              : byId.computeIfAbsent(
                  chunk.schemaId(i),
                  id -> byTable.computeIfAbsent(table(id, bindings), table -> new Part()));
      part.add(i);
      last = part;
    }
    return byTable.size() <= 1
        ? List.of(chunk)
        : byTable.values().stream().map(part -> chunk.part(part.indices())).toList();
  }

  private static Table table(SchemaId id, BindingSnapshot bindings) {
    WriterBinding binding = bindings.find(id);
    if (binding == null) {
      throw new IllegalStateException(id + " reached a staging thread before its binding");
    }
    return binding.table();
  }

  /** The indices of one table's records. */
  private static final class Part {
    private int[] indices = new int[16];
    private int size;

    void add(int index) {
      if (size == indices.length) {
        indices = Arrays.copyOf(indices, 2 * size);
      }
      indices[size++] = index;
    }

    int[] indices() {
      return Arrays.copyOf(indices, size);
    }
  }
}
