package io.tidemark.connect.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The built-in partitioners, with the names of Confluent's sink. */
enum PartitionerName {
  UNPARTITIONED("Unpartitioned"),
  DEFAULT("DefaultPartitioner"),
  HOURLY("HourlyPartitioner"),
  DAILY("DailyPartitioner"),
  TIME_BASED("TimeBasedPartitioner"),
  FIELD("FieldPartitioner"),
  FIELD_AND_TIME("FieldAndTimeBasedPartitioner");

  static final String NAMES =
      Arrays.stream(values()).map(name -> name.simpleName).collect(Collectors.joining(", "));

  /** The prefix of the packages of Confluent's classes with these names. */
  private static final String THEIR_PACKAGES = "io.confluent.connect.";

  private final String simpleName;

  PartitionerName(String simpleName) {
    this.simpleName = simpleName;
  }

  /** Whether a Hive partition is a period of time, alone or within fields. */
  boolean isByTime() {
    return duration().isPresent() || hasPathFormat();
  }

  /** Whether path.format and partition.duration.ms define the Hive partitions. */
  boolean hasPathFormat() {
    return this == TIME_BASED || this == FIELD_AND_TIME;
  }

  /** Whether partition.field.name defines the Hive partitions. */
  boolean hasFields() {
    return this == FIELD || this == FIELD_AND_TIME;
  }

  /** The length of the Hive partitions; empty if the partitioner's name does not define it. */
  Optional<Duration> duration() {
    return switch (this) {
      case HOURLY -> Optional.of(Duration.ofHours(1));
      case DAILY -> Optional.of(Duration.ofDays(1));
      case UNPARTITIONED, DEFAULT, TIME_BASED, FIELD, FIELD_AND_TIME -> Optional.empty();
    };
  }

  /** The class name may have the package of Confluent's classes. Empty for any other class. */
  static Optional<PartitionerName> of(String className) {
    String simple =
        className.startsWith(THEIR_PACKAGES)
            ? className.substring(className.lastIndexOf('.') + 1)
            : className;
    return Arrays.stream(values()).filter(name -> name.simpleName.equals(simple)).findFirst();
  }
}
