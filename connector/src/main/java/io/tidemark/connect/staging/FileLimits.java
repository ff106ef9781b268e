package io.tidemark.connect.staging;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Limits at which a file ends before the end of its batch; 0 for no limit. The next record of its
 * Hive partition then begins another file.
 *
 * @param bytes a file ends with the chunk by which it reaches this size in bytes
 * @param spanMs a file ends before a record whose time is so much after that of its first record
 */
public record FileLimits(long records, long bytes, long spanMs) {
  /** No limits: a file ends with its batch. */
  public static final FileLimits NONE = new FileLimits(0, 0, 0);

  /** Timestamp of a record without a time: the record neither begins nor ends a span. */
  static final long NO_TIMESTAMP = RecordBatch.NO_TIMESTAMP;

  public FileLimits {
    if (records < 0 || bytes < 0 || spanMs < 0) {
      throw new IllegalArgumentException(
          "the limits of a file must not be negative: %d records, %d bytes, %d ms"
              .formatted(records, bytes, spanMs));
    }
  }

  boolean divide() {
    return records > 0 || spanMs > 0;
  }

  /**
   * Returns where files end within a chunk's records of one Hive partition: the index after the
   * last record of each file, and finally the number of records. An end at 0 means that the open
   * file gets no record. Example: {@code [2, 5, 6]} with at most 3 records and 1 in the open file.
   */
  List<Integer> ends(@Nullable FileStager open, RecordList chunk) {
    List<Integer> ends = new ArrayList<>();
    long count = open == null ? 0 : open.records();
    long begun = open == null ? NO_TIMESTAMP : open.firstTimestamp();
    for (int i = 0; i < chunk.size(); i++) {
      long time = chunk.timestamp(i);
      if ((records > 0 && count == records) || spanIsOver(begun, time)) {
        ends.add(i);
        count = 0;
        begun = NO_TIMESTAMP;
      }
      count++;
      if (begun == NO_TIMESTAMP) {
        begun = time;
      }
    }
    ends.add(chunk.size());
    return ends;
  }

  private boolean spanIsOver(long begun, long time) {
    return spanMs > 0 && begun != NO_TIMESTAMP && time != NO_TIMESTAMP && time - begun >= spanMs;
  }

  boolean reached(FileStager file) {
    return (records > 0 && file.records() >= records)
        || (bytes > 0 && file.encodedBytes() >= bytes);
  }
}
