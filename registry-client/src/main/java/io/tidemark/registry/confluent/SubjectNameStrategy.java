package io.tidemark.registry.confluent;

import org.apache.avro.Schema;

/** How a producer finds the subject of a schema; named as the vendors' settings name it. */
public enum SubjectNameStrategy {
  /** {@code orders-value}: one line of schemas for each topic. */
  TOPIC_NAME("TopicNameStrategy"),

  /** {@code io.example.Order}: one for each record type, whatever the topic. */
  RECORD_NAME("RecordNameStrategy"),

  /** {@code orders-io.example.Order}: one for each record type of a topic. */
  TOPIC_RECORD_NAME("TopicRecordNameStrategy");

  private final String className;

  SubjectNameStrategy(String className) {
    this.className = className;
  }

  /**
   * The strategy of a name as {@code value.subject.name.strategy} has it: a class name of the
   * vendor's, with or without its package.
   *
   * @throws IllegalArgumentException when it is another; the message lists them
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
            + "\" is none of TopicNameStrategy, RecordNameStrategy, TopicRecordNameStrategy.");
  }

  /**
   * The subject.
   *
   * @throws IllegalArgumentException when the strategy needs a record's name and the schema has
   *     none
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
