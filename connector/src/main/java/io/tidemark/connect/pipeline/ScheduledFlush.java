package io.tidemark.connect.pipeline;

import io.tidemark.connect.pipeline.setting.FlushSchedule;
import java.time.Clock;

/** Says when to flush because a time of the day has come. Used by the task's thread only. */
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
   * Looks at the clock; to be called at the end of each put(). A clock that was set back makes the
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

  /** Whether to flush now; said once. To be asked while no batch is on its way. */
  boolean takeFlush() {
    boolean now = due;
    due = false;
    return now;
  }
}
