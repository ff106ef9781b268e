package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.store.MonotonicClock;

/** Decides when a task flushes, by records, bytes and time. Called by the task's thread only. */
final class FlushLimits {
  private static final long NONE = -1;

  private final PipelineSettings settings;
  private final MonotonicClock clock;
  private long records;
  private long bytes;
  private long firstAtMs = NONE;

  FlushLimits(PipelineSettings settings, MonotonicClock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  void count(int valueBytes) {
    batchWaits();
    records++;
    bytes += valueBytes;
  }

  /** Starts the flush interval when a batch begins, which may contain only gaps. */
  void batchWaits() {
    if (firstAtMs == NONE) {
      firstAtMs = clock.millis();
    }
  }

  boolean full() {
    return records >= settings.batchRecords() || bytes >= settings.batchBytes();
  }

  boolean due() {
    return full() || (firstAtMs != NONE && dueInMs() <= 0);
  }

  /** Returns the milliseconds until a flush is due; the whole interval if no batch is open. */
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
