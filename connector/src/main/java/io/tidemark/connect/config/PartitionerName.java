package io.tidemark.connect.config;

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

  /** The partitioner of a class name, with or without a package. */
  static Optional<PartitionerName> of(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    return Arrays.stream(values()).filter(name -> name.simpleName.equals(simple)).findFirst();
  }
}
