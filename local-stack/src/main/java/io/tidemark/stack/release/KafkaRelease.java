package io.tidemark.stack.release;

/** A release of Kafka, for brokers and for Connect workers, the oldest first. */
public enum KafkaRelease implements Release {
  KAFKA_3_6("kafka-3.6"),
  KAFKA_3_9("kafka-3.9"),
  /** The default release. */
  KAFKA_4_3("kafka");

  private final String folder;

  KafkaRelease(String folder) {
    this.folder = folder;
  }

  @Override
  public String folder() {
    return folder;
  }

  @Override
  public String artifact() {
    return "connect-runtime";
  }
}
