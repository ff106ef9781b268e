package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.store.MonotonicClock;

/**
 * Decides when a task flushes: after a number of records or bytes, or at a time after the first
 * batch was opened, whichever is reached first. Called by the task's thread only.
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

  /**
   * Starts the flush interval, if it has not started yet. Called when a batch begins. The batch may
   * contain only gaps.
   */
  void batchWaits() {
    if (firstAtMs == NONE) {
      firstAtMs = clock.millis();
    }
  }

  /** Returns whether the number of records or bytes of a flush is reached. */
  boolean full() {
    return records >= settings.batchRecords() || bytes >= settings.batchBytes();
  }

  /** Returns whether a flush is due, by size or by time. */
  boolean due() {
    return full() || (firstAtMs != NONE && dueInMs() <= 0);
  }

  /**
   * Returns the time until a flush is due, in milliseconds; the whole interval if no batch is open.
   */
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
