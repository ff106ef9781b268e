package io.tidemark.connect.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The partitioners, by the names that users of other sinks know. */
enum PartitionerName {
  UNPARTITIONED("Unpartitioned"),
  DEFAULT("DefaultPartitioner"),
  HOURLY("HourlyPartitioner"),
  DAILY("DailyPartitioner"),
  TIME_BASED("TimeBasedPartitioner"),
  FIELD("FieldPartitioner"),
  FIELD_AND_TIME("FieldAndTimeBasedPartitioner");

  /** The names for messages. */
  static final String NAMES =
      Arrays.stream(values()).map(name -> name.simpleName).collect(Collectors.joining(", "));

  /** Where other sinks have classes of these names. */
  private static final String THEIR_PACKAGES = "io.confluent.connect.";

  private final String simpleName;

  PartitionerName(String simpleName) {
    this.simpleName = simpleName;
  }

  /** Whether a Hive partition is a stretch of time, alone or below fields. */
  boolean isByTime() {
    return duration().isPresent() || hasPathFormat();
  }

  /** Whether path.format and partition.duration.ms say how time divides the table. */
  boolean hasPathFormat() {
    return this == TIME_BASED || this == FIELD_AND_TIME;
  }

  /** Whether partition.field.name says which fields divide the table. */
  boolean hasFields() {
    return this == FIELD || this == FIELD_AND_TIME;
  }

  /** The length of its Hive partitions, where the name alone says it. */
  Optional<Duration> duration() {
    return switch (this) {
      case HOURLY -> Optional.of(Duration.ofHours(1));
      case DAILY -> Optional.of(Duration.ofDays(1));
      case UNPARTITIONED, DEFAULT, TIME_BASED, FIELD, FIELD_AND_TIME -> Optional.empty();
    };
  }

  /**
   * The partitioner of a class name, with or without the package of another sink; empty where it
   * can only be a class of the user's.
   */
  static Optional<PartitionerName> of(String className) {
    String simple =
        className.startsWith(THEIR_PACKAGES)
            ? className.substring(className.lastIndexOf('.') + 1)
            : className;
    return Arrays.stream(values()).filter(name -> name.simpleName.equals(simple)).findFirst();
  }
}
