package io.tidemark.connect.pipeline;

import io.tidemark.connect.pipeline.setting.PipelineSettings;
import io.tidemark.connect.time.MonotonicClock;

/**
 * When a task commits: after so many records or bytes, or so long after the first of them or of
 * other offsets, whichever comes first. Used by the task's thread only.
 */
final class FlushBoundary {
  private static final long NONE = -1;

  private final PipelineSettings settings;
  private final MonotonicClock clock;
  private long records;
  private long bytes;
  private long firstAtMs = NONE;

  FlushBoundary(PipelineSettings settings, MonotonicClock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  void count(int valueBytes) {
    batchWaits();
    records++;
    bytes += valueBytes;
  }

  /** A batch has begun, perhaps of offsets without a record. */
  void batchWaits() {
    if (firstAtMs == NONE) {
      firstAtMs = clock.millis();
    }
  }

  /** The records or bytes of a flush are there. */
  boolean full() {
    return records >= settings.batchRecords() || bytes >= settings.batchBytes();
  }

  /** A flush is due, by size or by time. */
  boolean due() {
    return full() || (firstAtMs != NONE && dueInMs() <= 0);
  }

  /** How long until time makes a flush due; the whole interval when nothing waits. */
  long dueInMs() {
    return firstAtMs == NONE
        ? settings.batchIntervalMs()
        : firstAtMs + settings.batchIntervalMs() - clock.millis();
  }

  void restart() {
    records = 0;
    bytes = 0;
    firstAtMs = NONE;
  }
}
