package io.tidemark.connect.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The topics that a configuration names.
 *
 * @param listed the topics of {@code topics}
 * @param regex the value of {@code topics.regex}; blank if it is not set
 */
record NamedTopics(List<String> listed, String regex) {

  static NamedTopics of(Map<String, String> properties) {
    return new NamedTopics(
        Arrays.stream(properties.getOrDefault("topics", "").split(",", -1))
            .map(String::trim)
            .filter(topic -> !topic.isEmpty())
            .distinct()
            .toList(),
        properties.getOrDefault("topics.regex", ""));
  }

  /** Returns whether the connector may receive records of the topic. */
  boolean mayBeLanded(String topic) {
    if (regex.isBlank()) {
      return listed.isEmpty() || listed.contains(topic);
    }
    try {
      return Pattern.matches(regex, topic);
    } catch (PatternSyntaxException e) {
      return true; // Kafka Connect reports this error.
    }
  }
}
