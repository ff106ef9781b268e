package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.partition.ValueBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Selects a binding by a field's value, for the records of a chunk. Not thread-safe. */
final class ChunkRoute {
  private static final int KEPT = 4_096;

  private final FieldRoute route;
  private final int field;
  private final Map<WriterBinding, ChunkBinding> bindings;
  private final Map<ValueBytes, Optional<ChunkBinding>> known = new HashMap<>();

  // Consecutive records often have the same value.
  private byte[] last = {};
  private @Nullable ChunkBinding lastTo;

  /**
   * Creates the route of a chunk.
   *
   * @param field index, in the plan's fields, of the field that selects the table
   * @param bindings the route's bindings
   */
  ChunkRoute(FieldRoute route, int field, Map<WriterBinding, ChunkBinding> bindings) {
    this.route = route;
    this.field = field;
    this.bindings = Map.copyOf(bindings);
  }

  /**
   * Returns the binding for a datum; empty if the configuration names no table for the field's
   * value.
   */
  Optional<ChunkBinding> find(TableDatums datums, int datum) {
    if (!datums.hasField(datum, field)) {
      return route.others().map(this::binding);
    }
    byte[] bytes = datums.bytes();
    int from = datums.fieldOffset(datum, field);
    int length = datums.fieldLength(datum, field);
    if (lastTo != null && Arrays.equals(bytes, from, from + length, last, 0, last.length)) {
      return Optional.of(lastTo);
    }
    byte[] copy = Arrays.copyOfRange(bytes, from, from + length);
    ValueBytes value = new ValueBytes(copy);
    Optional<ChunkBinding> found = known.get(value);
    if (found == null) {
      found = route.binding(bytes, from, length).map(this::binding);
      if (known.size() >= KEPT) {
        known.clear();
      }
      known.put(value, found);
    }
    last = copy;
    lastTo = found.orElse(null);
    return found;
  }

  private ChunkBinding binding(WriterBinding of) {
    return Objects.requireNonNull(bindings.get(of));
  }

  /** Returns whether records without a table are dead letters. If not, their topic is refused. */
  boolean deadLetters() {
    return route.values().deadLetters();
  }

  /** Returns the reason why a datum has no table. */
  String unrouted(TableDatums datums, int datum) {
    if (!datums.hasField(datum, field)) {
      return route.unrouted(Optional.empty());
    }
    int from = datums.fieldOffset(datum, field);
    return route.unrouted(
        Optional.of(
            Arrays.copyOfRange(datums.bytes(), from, from + datums.fieldLength(datum, field))));
  }
}
