package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.FlushSchedule;
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

  /** Called at the end of each put(). If the clock was set back, the same time is due again. */
  void check(boolean recordsWait) {
    long nowMs = wall.instant().toEpochMilli();
    due = recordsWait && (due || nowMs >= dueMs);
    if (nowMs >= dueMs || nowMs < seenMs) {
      dueMs = schedule.after(nowMs);
    }
    seenMs = nowMs;
  }

  boolean due() {
    return due;
  }

  void flushing() {
    due = false;
  }
}
