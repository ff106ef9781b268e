package io.tidemark.connect.pipeline;

/** How long a task was held, by a limit or by a service that it waits for. Used by one thread. */
final class HeldTime {
  private static final long NOT_HELD = -1;

  private long beforeMs;
  private long sinceMs = NOT_HELD;
  private long lookedMs;

  /** Looks whether it is held now, by the monotonic clock. */
  void look(boolean held, long nowMs) {
    lookedMs = nowMs;
    if (held && sinceMs == NOT_HELD) {
      sinceMs = nowMs;
    } else if (!held && sinceMs != NOT_HELD) {
      beforeMs += nowMs - sinceMs;
      sinceMs = NOT_HELD;
    }
  }

  /** How long it is held now, up to the last look, in milliseconds; 0 when it is not. */
  long lastsMs() {
    return sinceMs == NOT_HELD ? 0 : lookedMs - sinceMs;
  }

  /** How long it was held so far, the present time included, in milliseconds. */
  long totalMs() {
    return beforeMs + lastsMs();
  }
}
