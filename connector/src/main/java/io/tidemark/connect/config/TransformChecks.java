package io.tidemark.connect.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of transforms. A transform that changes a record's topic or key has no effect: tables
 * are selected by Kafka's topics, and only values land. Transforms find no fields in bytes.
 */
final class TransformChecks {
  private static final String TRANSFORMS = "transforms";

  /** Transforms that change the topic, by the last part of the class's name. */
  private static final Set<String> ROUTERS =
      Set.of(
          "RegexRouter",
          "TimestampRouter",
          "MessageTimestampRouter",
          "ExtractTopic$Key",
          "ExtractTopic$Value",
          "ExtractTopic$Header",
          "TopicRegexRouter",
          "ByLogicalTableRouter");

  /** Apache Kafka's transforms of fields. Each except the first also has a class for keys. */
  private static final Set<String> OF_FIELDS =
      Set.of(
          "ValueToKey",
          "Cast",
          "ExtractField",
          "Flatten",
          "HeaderFrom",
          "HoistField",
          "InsertField",
          "MaskField",
          "ReplaceField",
          "SetSchemaMetadata",
          "TimestampConverter");

  private TransformChecks() {}

  static void check(ConnectorConfig config, ConfigErrors errors) {
    Stream.of(config.text(TRANSFORMS).split(",", -1))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .distinct()
        .forEach(
            name -> {
              String key = TRANSFORMS + "." + name + ".type";
              problem(config.text(key).trim()).ifPresent(problem -> errors.add(key, problem));
            });
  }

  private static Optional<String> problem(String type) {
    String simple = type.substring(type.lastIndexOf('.') + 1);
    if (ROUTERS.contains(simple)) {
      return Optional.of(
          "%s changes the topic of records, which has no effect: a table is selected by the topic in Kafka. Remove the transform, and set hive.table.name."
              .formatted(simple));
    }
    if (type.equals("io.debezium.transforms.ExtractNewRecordState")) {
      return Optional.of(
          "%s works on the fields of a value, but Tidemark lands raw bytes. Remove the transform, and set unwrap=debezium."
              .formatted(simple));
    }
    List<String> parts = List.of(simple.split("\\$", 2));
    boolean ofKeys = parts.size() == 2 && parts.get(1).equals("Key");
    if (!type.startsWith("org.apache.kafka.connect.transforms.")
        || !OF_FIELDS.contains(parts.get(0))
        // HeaderFrom$Key makes a header from the key's fields, which may be the id of a batch.
        || (ofKeys && parts.get(0).equals("HeaderFrom"))) {
      return Optional.empty();
    }
    return Optional.of(
        ofKeys
            ? "%s changes keys, which do not land. Remove the transform.".formatted(simple)
            : "%s works on the fields of a value, but Tidemark lands raw bytes. Remove the transform; fields.… and types.… have similar effects, and Filter, DropHeaders and InsertHeader work."
                .formatted(simple));
  }
}
