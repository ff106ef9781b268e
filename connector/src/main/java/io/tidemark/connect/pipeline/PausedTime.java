package io.tidemark.connect.pipeline;

/** Measures how long a task was paused by a limit, or waited for a service. Not thread-safe. */
final class PausedTime {
  private static final long NOT_PAUSED = -1;

  private long beforeMs;
  private long sinceMs = NOT_PAUSED;
  private long updatedMs;

  /** Notes whether the task is paused now. {@code nowMs} is the time of the monotonic clock. */
  void update(boolean paused, long nowMs) {
    updatedMs = nowMs;
    if (paused && sinceMs == NOT_PAUSED) {
      sinceMs = nowMs;
    } else if (!paused && sinceMs != NOT_PAUSED) {
      beforeMs += nowMs - sinceMs;
      sinceMs = NOT_PAUSED;
    }
  }

  long lastsMs() {
    return sinceMs == NOT_PAUSED ? 0 : updatedMs - sinceMs;
  }

  long totalMs() {
    return beforeMs + lastsMs();
  }
}
