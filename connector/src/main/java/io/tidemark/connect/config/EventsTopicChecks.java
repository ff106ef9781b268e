package io.tidemark.connect.config;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** The checks of the topic of events: the connector must not use it for anything else. */
final class EventsTopicChecks {
  private static final String KEY = ConnectorConfig.COMPLETENESS_EVENTS_TOPIC;

  private EventsTopicChecks() {}

  static void check(Map<String, String> named, ConfigChecks.Errors errors) {
    String topic = named.getOrDefault(KEY, "");
    if (topic.isEmpty()) {
      return;
    }
    if (isSubscribed(named, topic)) {
      errors.add(
          KEY,
          "the connector would land its own events: %s is one of the topics that it reads. Choose another topic, or remove it from topics or topics.regex."
              .formatted(topic));
    }
    if (topic.equals(named.getOrDefault(DeadLetterSettings.TOPIC, "").trim())) {
      errors.add(
          KEY, "%s is also the dead letter topic. Give each a topic of its own.".formatted(topic));
    }
    if ("false"
        .equalsIgnoreCase(named.getOrDefault(ConnectorConfig.COMPLETENESS_ENABLED, "").trim())) {
      errors.add(
          KEY,
          "events are sent from the ledger, and completeness.enabled=false disables the ledger. Set completeness.enabled=true, or remove this key.");
    }
  }

  private static boolean isSubscribed(Map<String, String> named, String topic) {
    if (Stream.of(named.getOrDefault("topics", "").split(",", -1))
        .map(String::trim)
        .anyMatch(topic::equals)) {
      return true;
    }
    try {
      String regex = named.getOrDefault("topics.regex", "");
      return !regex.isBlank() && Pattern.compile(regex).matcher(topic).matches();
    } catch (PatternSyntaxException e) {
      return false; // Kafka Connect reports this error of topics.regex.
    }
  }
}
