package io.tidemark.registry.confluent;

import org.apache.avro.Schema;

/** The rule by which a producer names the subject of a schema, as in Confluent's serializers. */
public enum SubjectNameStrategy {
  /** {@code orders-value}: one subject for each topic. */
  TOPIC_NAME("TopicNameStrategy"),

  /** {@code io.example.Order}: one subject for each record type, in all topics. */
  RECORD_NAME("RecordNameStrategy"),

  /** {@code orders-io.example.Order}: one subject for each record type of a topic. */
  TOPIC_RECORD_NAME("TopicRecordNameStrategy");

  private final String className;

  SubjectNameStrategy(String className) {
    this.className = className;
  }

  /**
   * Returns the strategy of a name in {@code value.subject.name.strategy}: Confluent's class name,
   * with or without its package.
   *
   * @throws IllegalArgumentException if there is no such strategy; the message lists them
   */
  public static SubjectNameStrategy parse(String name) {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    for (SubjectNameStrategy strategy : values()) {
      if (strategy.className.equals(simple)) {
        return strategy;
      }
    }
    throw new IllegalArgumentException(
        "\""
            + name
            + "\" is not one of TopicNameStrategy, RecordNameStrategy, TopicRecordNameStrategy.");
  }

  /**
   * Returns the subject of a schema.
   *
   * @throws IllegalArgumentException if the strategy needs a record name and the schema has none
   */
  public String subject(String topic, boolean isKey, Schema schema) {
    return switch (this) {
      case TOPIC_NAME -> topic + (isKey ? "-key" : "-value");
      case RECORD_NAME -> recordName(schema);
      case TOPIC_RECORD_NAME -> topic + "-" + recordName(schema);
    };
  }

  private String recordName(Schema schema) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException(
          className
              + " needs a record's name, and the schema is of type "
              + schema.getType().getName()
              + ". Use TopicNameStrategy for such topics.");
    }
    return schema.getFullName();
  }
}
