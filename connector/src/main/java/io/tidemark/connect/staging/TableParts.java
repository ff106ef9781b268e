package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.routing.WriterBinding;
import io.tidemark.connect.table.Table;
import io.tidemark.registry.SchemaId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of a chunk by the tables that they go to, each table's in their order. Where the
 * types of a topic's records take turns, as they do on a topic of several types, plans and blocks
 * would change with each record; so each table's records are landed one table after the other.
 */
final class TableParts {
  private TableParts() {}

  /** The parts of a chunk; the chunk itself where all of it goes to one table. */
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
      throw new IllegalStateException(id + " reached a worker before its binding");
    }
    return binding.table();
  }

  /** Where the records of one table are. */
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
