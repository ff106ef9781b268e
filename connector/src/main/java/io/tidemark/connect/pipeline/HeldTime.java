package io.tidemark.connect.pipeline;

/** Measures how long a task was paused by a limit, or waited for a service. Not thread-safe. */
final class HeldTime {
  private static final long NOT_HELD = -1;

  private long beforeMs;
  private long sinceMs = NOT_HELD;
  private long updatedMs;

  /** Notes whether the task is paused now. {@code nowMs} is the time of the monotonic clock. */
  void update(boolean held, long nowMs) {
    updatedMs = nowMs;
    if (held && sinceMs == NOT_HELD) {
      sinceMs = nowMs;
    } else if (!held && sinceMs != NOT_HELD) {
      beforeMs += nowMs - sinceMs;
      sinceMs = NOT_HELD;
    }
  }

  /**
   * Returns the length of the present pause up to the last call of {@link #update}, in
   * milliseconds; 0 if there is no pause.
   */
  long lastsMs() {
    return sinceMs == NOT_HELD ? 0 : updatedMs - sinceMs;
  }

  /** Returns the total length of all pauses, including the present pause, in milliseconds. */
  long totalMs() {
    return beforeMs + lastsMs();
  }
}
