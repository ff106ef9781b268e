package io.tidemark.store.partition;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A table divided by time. The path of a record's Hive partition is the start of the record's time
 * bucket, formatted by the path format.
 *
 * @param duration the length of a bucket, counted from local midnight of 1970-01-01; 1 ms to 36,600
 *     days. If a bucket is longer than the finest field of the format, some paths never occur. If
 *     it is shorter, each path consists of several buckets.
 * @param timestampField the field with the time; empty for the record's timestamp
 * @param unit the unit of the field if it is a long without a logical type
 */
public record TimePartitioned(
    PathFormat pathFormat,
    ZoneId zone,
    Duration duration,
    Optional<String> timestampField,
    TimestampField.Unit unit)
    implements PartitionSpec {

  private static final Duration MIN_DURATION = Duration.ofMillis(1);
  private static final Duration MAX_DURATION = Duration.ofDays(36_600);

  public TimePartitioned {
    if (duration.compareTo(MIN_DURATION) < 0 || duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "the time bucket %s must be 1 ms to %d days long"
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
   * Returns the span of the Hive partition of a time, in milliseconds since 1970-01-01T00:00Z;
   * empty if the path may occur again at any time ({@link PathFormat#isContiguous}).
   */
  public Optional<PartitionSpan> span(long epochMillis) throws UnusablePartitionException {
    Optional<PathUnit> unit = pathFormat.unit();
    return unit.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PartitionSpans(pathFormat, unit.get(), zone, duration.toMillis()).at(epochMillis));
  }

  public PartitionAssigner assigner() {
    return new TimeBuckets(pathFormat, zone, duration.toMillis());
  }
}
