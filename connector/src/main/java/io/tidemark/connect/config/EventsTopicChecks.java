package io.tidemark.connect.config;

/** The checks of the topic of events: the connector must not use it for anything else. */
final class EventsTopicChecks {
  private static final String KEY = ConnectorConfig.COMPLETENESS_EVENTS_TOPIC;

  private EventsTopicChecks() {}

  static void check(ConnectorConfig config, ConfigErrors errors) {
    String topic = config.text(KEY);
    if (topic.isEmpty()) {
      return;
    }
    if (NamedTopics.of(config).contains(topic)) {
      errors.add(
          KEY,
          "the connector would land its own events: %s is one of the topics that it reads. Choose another topic, or remove it from topics or topics.regex."
              .formatted(topic));
    }
    if (topic.equals(config.text(ConnectorConfig.DEAD_LETTER_TOPIC).trim())) {
      errors.add(
          KEY, "%s is also the dead letter topic. Give each a topic of its own.".formatted(topic));
    }
    if ("false".equalsIgnoreCase(config.text(ConnectorConfig.COMPLETENESS_ENABLED).trim())) {
      errors.add(
          KEY,
          "events are sent from the ledger, and completeness.enabled=false disables the ledger. Set completeness.enabled=true, or remove this key.");
    }
  }
}
