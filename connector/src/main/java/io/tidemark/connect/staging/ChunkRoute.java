package io.tidemark.connect.staging;

import io.tidemark.avro.plan.TableDatums;
import java.nio.ByteBuffer;
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
  private final int field; // the index in the plan's fields
  private final Map<Binding, SchemaLanding> bindings;
  private final Map<ByteBuffer, Optional<SchemaLanding>> known = new HashMap<>();

  // Consecutive records often have the same value.
  private byte[] last = {};
  private @Nullable SchemaLanding lastTo;

  ChunkRoute(FieldRoute route, int field, Map<Binding, SchemaLanding> bindings) {
    this.route = route;
    this.field = field;
    this.bindings = Map.copyOf(bindings);
  }

  /** Returns the table's landing for a datum; empty if no table is named for the field's value. */
  Optional<SchemaLanding> find(TableDatums datums, int datum) {
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
    ByteBuffer value = ByteBuffer.wrap(copy);
    Optional<SchemaLanding> found = known.get(value);
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

  private SchemaLanding binding(Binding of) {
    return Objects.requireNonNull(bindings.get(of));
  }

  boolean deadLetters() {
    return route.values().deadLetters();
  }

  String unrouted(TableDatums datums, int datum) {
    if (!datums.hasField(datum, field)) {
      return route.unrouted(Optional.empty());
    }
    int from = datums.fieldOffset(datum, field);
    int to = from + datums.fieldLength(datum, field);
    return route.unrouted(Optional.of(Arrays.copyOfRange(datums.bytes(), from, to)));
  }
}
