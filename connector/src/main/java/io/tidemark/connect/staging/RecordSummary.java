package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The number of a file's records, their offsets, times and schema ids. Not thread-safe. */
final class RecordSummary {
  private final Set<SchemaId> schemaIds = new LinkedHashSet<>();
  private @Nullable SchemaId lastSchemaId;
  private long records;
  private long firstOffset = Long.MAX_VALUE;
  private long lastOffset = -1;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp = Long.MIN_VALUE;

  void add(long offset, long timestamp, SchemaId schemaId) {
    if (!schemaId.equals(lastSchemaId)) {
      schemaIds.add(schemaId);
      lastSchemaId = schemaId;
    }
    records++;
    firstOffset = Math.min(firstOffset, offset);
    lastOffset = Math.max(lastOffset, offset);
    minTimestamp = Math.min(minTimestamp, timestamp);
    maxTimestamp = Math.max(maxTimestamp, timestamp);
  }

  void add(RecordSummary other) {
    schemaIds.addAll(other.schemaIds);
    records += other.records;
    firstOffset = Math.min(firstOffset, other.firstOffset);
    lastOffset = Math.max(lastOffset, other.lastOffset);
    minTimestamp = Math.min(minTimestamp, other.minTimestamp);
    maxTimestamp = Math.max(maxTimestamp, other.maxTimestamp);
  }

  List<String> schemaIds() {
    return schemaIds.stream().map(SchemaId::text).distinct().sorted().toList();
  }

  long records() {
    return records;
  }

  long firstOffset() {
    return firstOffset;
  }

  long lastOffset() {
    return lastOffset;
  }

  long minTimestamp() {
    return minTimestamp;
  }

  long maxTimestamp() {
    return maxTimestamp;
  }
}
