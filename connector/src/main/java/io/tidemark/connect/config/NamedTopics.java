package io.tidemark.connect.config;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The topics that a configuration names, in {@code topics} or {@code topics.regex}. */
final class NamedTopics {
  private final Set<String> listed;
  private final Predicate<String> accepted;

  private NamedTopics(Set<String> listed, Predicate<String> accepted) {
    this.listed = listed;
    this.accepted = accepted;
  }

  static NamedTopics of(Map<String, String> properties) {
    Set<String> names = new LinkedHashSet<>();
    for (String each : properties.getOrDefault("topics", "").split(",", -1)) {
      String topic = each.trim();
      if (!topic.isEmpty()) {
        names.add(topic);
      }
    }
    Set<String> listed = Collections.unmodifiableSet(names);
    String regex = properties.getOrDefault("topics.regex", "");
    if (!regex.isBlank()) {
      return new NamedTopics(listed, matching(regex));
    }
    return new NamedTopics(listed, topic -> listed.isEmpty() || listed.contains(topic));
  }

  private static Predicate<String> matching(String regex) {
    try {
      return Pattern.compile(regex).asMatchPredicate();
    } catch (PatternSyntaxException e) {
      return topic -> true; // Kafka Connect reports this error.
    }
  }

  /** Returns the topics of {@code topics}, in its order. */
  Set<String> listed() {
    return listed;
  }

  /** Returns whether the connector may receive records of the topic. */
  boolean mayBeLanded(String topic) {
    return accepted.test(topic);
  }
}
