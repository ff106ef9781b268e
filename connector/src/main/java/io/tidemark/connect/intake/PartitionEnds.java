package io.tidemark.connect.intake;

import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.UnusablePartitionException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * The ends of Hive partitions, and the times after them at which a task commits their records.
 * Times are milliseconds since 1970-01-01T00:00Z according to the worker's clock.
 *
 * @param nextEnd returns the first end of a Hive partition after a time, or empty if there is none
 * @param latenessMs the wait after the end for late records; not negative
 */
public record PartitionEnds(LongFunction<OptionalLong> nextEnd, long latenessMs, int task) {

  /** The time that the reckoner needs to take its snapshot of the end offsets. */
  private static final long AFTER_SNAPSHOT_MS = 5_000;

  /** The time between the commits of two tasks, so that tasks do not commit at the same time. */
  private static final long TASK_STEP_MS = 200;

  private static final long SPREAD_MS = 5_000;

  public PartitionEnds {
    if (latenessMs < 0 || task < 0) {
      throw new IllegalArgumentException(
          "the lateness and the task's number must not be negative: %d ms, task %d"
              .formatted(latenessMs, task));
    }
  }

  /** Returns empty if every table has paths that {@linkplain TimePartitioned#span can repeat}. */
  public static Optional<PartitionEnds> of(
      Collection<TimePartitioned> tables, long latenessMs, int task) {
    List<TimePartitioned> contiguous =
        tables.stream().filter(table -> table.pathFormat().isContiguous()).distinct().toList();
    return contiguous.isEmpty()
        ? Optional.empty()
        : Optional.of(new PartitionEnds(time -> firstEndAfter(contiguous, time), latenessMs, task));
  }

  private static OptionalLong firstEndAfter(List<TimePartitioned> tables, long time) {
    return tables.stream().flatMapToLong(table -> endAfter(table, time).stream()).min();
  }

  private static OptionalLong endAfter(TimePartitioned table, long time) {
    try {
      return table.span(time).stream().mapToLong(span -> span.until().toEpochMilli()).findFirst();
    } catch (UnusablePartitionException e) {
      return OptionalLong.empty(); // The clock is before the year 1 or after 9999.
    }
  }

  public OptionalLong dueAfter(long nowMs) {
    long delayMs = latenessMs + AFTER_SNAPSHOT_MS + task * TASK_STEP_MS % SPREAD_MS;
    OptionalLong end = nextEnd.apply(nowMs - delayMs);
    return end.isPresent() ? OptionalLong.of(end.getAsLong() + delayMs) : end;
  }
}
