package io.tidemark.connect.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The check of transforms: one that renames a record's topic or changes its key would have no
 * effect, as tables are chosen by Kafka's topics and only values land; one that works on fields
 * finds none in bytes.
 */
final class TransformChecks {
  private static final String TRANSFORMS = "transforms";

  /** By the last part of the class's name, whoever it is from. */
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

  /** Those of Apache Kafka that work on fields; each but the first has a class for keys as well. */
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

  static void check(Map<String, String> named, ConfigChecks.Errors errors) {
    Stream.of(named.getOrDefault(TRANSFORMS, "").split(",", -1))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .distinct()
        .forEach(
            name -> {
              String key = TRANSFORMS + "." + name + ".type";
              problem(named.getOrDefault(key, "").trim())
                  .ifPresent(problem -> errors.add(key, problem));
            });
  }

  private static Optional<String> problem(String type) {
    String simple = type.substring(type.lastIndexOf('.') + 1);
    if (ROUTERS.contains(simple)) {
      return Optional.of(
          "%s gives records another topic, which has no effect: a table is named after the topic that Kafka has. Remove the transform, and set hive.table.name."
              .formatted(simple));
    }
    List<String> parts = List.of(simple.split("\\$", 2));
    boolean ofKeys = parts.size() == 2 && parts.get(1).equals("Key");
    if (!type.startsWith("org.apache.kafka.connect.transforms.")
        || !OF_FIELDS.contains(parts.get(0))
        // It makes a header of the key's fields, which may be what a batch is named by.
        || (ofKeys && parts.get(0).equals("HeaderFrom"))) {
      return Optional.empty();
    }
    return Optional.of(
        ofKeys
            ? "%s changes keys, which do not land. Remove the transform.".formatted(simple)
            : "%s works on the fields of a value, and records are landed as the bytes that they are. Remove the transform; Filter, DropHeaders and InsertHeader work."
                .formatted(simple));
  }
}
