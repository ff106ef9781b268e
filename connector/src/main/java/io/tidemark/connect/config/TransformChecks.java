package io.tidemark.connect.config;

import io.tidemark.store.IndentedTexts;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The checks of transforms. A transform that changes a record's topic or key has no effect: tables
 * are selected by Kafka's topics, and only values land. Transforms find no fields in bytes.
 */
final class TransformChecks {
  private static final String TRANSFORMS = "transforms";

  /** The problem of each transform in {@code transforms.txt}, which says what it contains. */
  private static final Map<String, String> PROBLEMS =
      IndentedTexts.read(TransformChecks.class, "transforms.txt");

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
    return PROBLEMS.entrySet().stream()
        .filter(each -> type.matches(each.getKey()))
        .map(each -> each.getValue().formatted(type.substring(type.lastIndexOf('.') + 1)))
        .findFirst();
  }
}
