package io.tidemark.connect.config;

import java.util.Locale;
import java.util.Map;

/** Kafka Connect's settings of a connector's dead letter topic. */
public final class DeadLetterSettings {
  static final String TOLERANCE = "errors.tolerance";
  static final String TOPIC = "errors.deadletterqueue.topic.name";

  private DeadLetterSettings() {}

  /**
   * Returns whether a connector has a dead letter topic: it tolerates errors, and names a topic.
   */
  public static boolean isConfigured(Map<String, String> properties) {
    return tolerant(properties) && !properties.getOrDefault(TOPIC, "").isBlank();
  }

  /**
   * Returns whether the worker may drop records on which a transform fails, before the connector
   * receives them.
   */
  public static boolean frameworkMayDrop(Map<String, String> properties) {
    return tolerant(properties) && !properties.getOrDefault("transforms", "").isBlank();
  }

  static boolean tolerant(Map<String, String> properties) {
    return properties.getOrDefault(TOLERANCE, "none").toLowerCase(Locale.ROOT).equals("all");
  }
}
