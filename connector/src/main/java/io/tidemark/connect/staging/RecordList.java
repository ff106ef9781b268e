package io.tidemark.connect.staging;

import io.tidemark.registry.SchemaId;
import java.util.Arrays;

/** The records of a part that may be divided between files. Filled by one thread, then read. */
final class RecordList {
  private static final int FIRST_RECORDS = 64;

  private long[] offsets = new long[FIRST_RECORDS];
  private long[] timestamps = new long[FIRST_RECORDS];
  private SchemaId[] schemaIds = new SchemaId[FIRST_RECORDS];
  private int size;

  void add(long offset, long timestamp, SchemaId schemaId) {
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
      timestamps = Arrays.copyOf(timestamps, 2 * size);
      schemaIds = Arrays.copyOf(schemaIds, 2 * size);
    }
    offsets[size] = offset;
    timestamps[size] = timestamp;
    schemaIds[size++] = schemaId;
  }

  int size() {
    return size;
  }

  long offset(int record) {
    return offsets[record];
  }

  long timestamp(int record) {
    return timestamps[record];
  }

  void addTo(RecordSummary summary, int from, int to) {
    for (int i = from; i < to; i++) {
      summary.add(offsets[i], timestamps[i], schemaIds[i]);
    }
  }
}
