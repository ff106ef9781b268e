package io.tidemark.connect.staging;

import java.util.Set;
import java.util.TreeSet;

/**
 * What is told of the records of a file: how many, which offsets, times and schema ids. Used by one
 * thread at a time.
 */
final class RecordSummary {
  private final Set<Integer> schemaIds = new TreeSet<>();
  private int lastSchemaId;
  private long records;
  private long firstOffset = Long.MAX_VALUE;
  private long lastOffset = -1;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp = Long.MIN_VALUE;

  void add(long offset, long timestamp, int schemaId) {
    if (records == 0 || schemaId != lastSchemaId) {
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

  Set<Integer> schemaIds() {
    return schemaIds;
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
