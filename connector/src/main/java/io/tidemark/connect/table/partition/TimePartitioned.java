package io.tidemark.connect.table.partition;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A table divided by time: a record lies where the start of its time bucket, written by the path
 * format, points.
 *
 * @param pathFormat the directories. Example: {@code 'dt'=yyyy-MM-dd/'hour'=HH}
 * @param zone the zone in which buckets begin and paths are written
 * @param duration the length of a bucket, counted from local midnight of 1970-01-01; at least a
 *     millisecond. A bucket longer than the finest field of the format leaves directories empty,
 *     and a shorter one changes nothing.
 * @param timestampField the field that holds the time, or empty for the record's timestamp
 */
public record TimePartitioned(
    PathFormat pathFormat, ZoneId zone, Duration duration, Optional<String> timestampField)
    implements PartitionSpec {

  private static final Duration MIN_DURATION = Duration.ofMillis(1);
  private static final Duration MAX_DURATION = Duration.ofDays(36_600);

  public TimePartitioned {
    if (duration.compareTo(MIN_DURATION) < 0 || duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "a time bucket of %s: it must last from 1 ms to %d days"
              .formatted(duration, MAX_DURATION.toDays()));
    }
  }

  @Override
  public List<String> columns() {
    return pathFormat.columns();
  }

  @Override
  public List<String> fieldPaths() {
    return timestampField.map(List::of).orElse(List.of());
  }

  @Override
  public Optional<TimePartitioned> time() {
    return Optional.of(this);
  }

  /**
   * The span of the Hive partition in which a record of this time lies, or empty where its path may
   * come again at any time: where the format {@linkplain PathFormat#isContiguous is not
   * contiguous}.
   *
   * @param epochMillis milliseconds since 1970-01-01T00:00Z
   * @throws UnusableTimestampException the time is outside the years 1 to 9999 of the table's zone
   */
  public Optional<PartitionSpan> span(long epochMillis) throws UnusableTimestampException {
    Optional<PathUnit> unit = pathFormat.unit();
    return unit.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PartitionSpans(pathFormat, unit.get(), zone, duration.toMillis()).at(epochMillis));
  }

  /** A new assigner, for one thread. */
  public PartitionAssigner assigner() {
    return new TimeBuckets(pathFormat, zone, duration.toMillis());
  }
}
