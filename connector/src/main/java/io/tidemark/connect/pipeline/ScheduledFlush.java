package io.tidemark.connect.pipeline;

import io.tidemark.connect.pipeline.setting.FlushSchedule;
import java.time.Clock;

/** Decides when to flush at the configured times of the day. Called by the task's thread only. */
final class ScheduledFlush {
  private final FlushSchedule schedule;
  private final Clock wall;
  private long seenMs;
  private long dueMs;
  private boolean due;

  ScheduledFlush(FlushSchedule schedule, Clock wall) {
    this.schedule = schedule;
    this.wall = wall;
    this.seenMs = wall.instant().toEpochMilli();
    this.dueMs = schedule.after(seenMs);
  }

  /**
   * Reads the clock. Must be called at the end of each put(). A clock that was set back makes the
   * same time due again.
   */
  void look() {
    long nowMs = wall.instant().toEpochMilli();
    due |= nowMs >= dueMs;
    if (nowMs >= dueMs || nowMs < seenMs) {
      dueMs = schedule.after(nowMs);
    }
    seenMs = nowMs;
  }

  /** Returns, once, whether to flush now. Must be called while no batch is being committed. */
  boolean takeFlush() {
    boolean now = due;
    due = false;
    return now;
  }
}
