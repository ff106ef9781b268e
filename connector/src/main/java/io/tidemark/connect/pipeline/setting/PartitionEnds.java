package io.tidemark.connect.pipeline.setting;

import io.tidemark.connect.table.partition.PartitionSpan;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.connect.table.partition.UnusableTimestampException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * When Hive partitions end, and how long after that a task commits what Kafka has of them. Times
 * are milliseconds since 1970-01-01T00:00Z by the worker's clock.
 *
 * @param nextEnd gives the first end of a Hive partition after a time, or nothing where there is
 *     none. It is asked by the task's thread, about once for each end.
 * @param latenessMs what is awaited after the end; not negative
 * @param task the number of the task in its connector
 */
public record PartitionEnds(LongFunction<OptionalLong> nextEnd, long latenessMs, int task) {

  /** The snapshot of the end offsets, for which a task commits, is taken before that. */
  private static final long AFTER_SNAPSHOT_MS = 5_000;

  /** So far are tasks apart, so that not all commit at once. */
  private static final long TASK_STEP_MS = 200;

  private static final long SPREAD_MS = 5_000;

  public PartitionEnds {
    if (latenessMs < 0 || task < 0) {
      throw new IllegalArgumentException(
          "a lateness of %d ms, task %d".formatted(latenessMs, task));
    }
  }

  /**
   * The ends of the Hive partitions of tables, whichever comes first; empty where the paths of all
   * {@linkplain TimePartitioned#span may come again}.
   */
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
      Optional<PartitionSpan> span = table.span(time);
      return span.isPresent()
          ? OptionalLong.of(span.get().until().toEpochMilli())
          : OptionalLong.empty();
    } catch (UnusableTimestampException e) {
      return OptionalLong.empty(); // The clock is before the year 1 or behind 9999.
    }
  }

  /** When a task is to commit next, later than {@code nowMs}. */
  public OptionalLong dueAfter(long nowMs) {
    long delayMs = latenessMs + AFTER_SNAPSHOT_MS + task * TASK_STEP_MS % SPREAD_MS;
    OptionalLong end = nextEnd.apply(nowMs - delayMs);
    return end.isPresent() ? OptionalLong.of(end.getAsLong() + delayMs) : end;
  }
}
