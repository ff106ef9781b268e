package io.tidemark.connect.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** The partitioners, by the names that users of other sinks know. */
enum PartitionerName {
  UNPARTITIONED("Unpartitioned"),
  HOURLY("HourlyPartitioner"),
  DAILY("DailyPartitioner"),
  TIME_BASED("TimeBasedPartitioner"),
  FIELD("FieldPartitioner");

  private final String simpleName;

  PartitionerName(String simpleName) {
    this.simpleName = simpleName;
  }

  /** Whether a Hive partition is a stretch of time. */
  boolean isByTime() {
    return this == HOURLY || this == DAILY || this == TIME_BASED;
  }

  /** The length of its Hive partitions, where the name alone says it. */
  Optional<Duration> duration() {
    return switch (this) {
      case HOURLY -> Optional.of(Duration.ofHours(1));
      case DAILY -> Optional.of(Duration.ofDays(1));
      case UNPARTITIONED, TIME_BASED, FIELD -> Optional.empty();
    };
  }

  /** The partitioner of a class name, with or without a package. */
  static Optional<PartitionerName> of(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    return Arrays.stream(values()).filter(name -> name.simpleName.equals(simple)).findFirst();
  }
}
