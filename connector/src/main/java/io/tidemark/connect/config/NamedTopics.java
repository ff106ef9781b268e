package io.tidemark.connect.config;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The topics that {@code topics} lists, in its order, or that {@code topics.regex} matches. */
public record NamedTopics(Set<String> listed, Optional<Pattern> pattern) {

  public NamedTopics {
    listed = Collections.unmodifiableSet(new LinkedHashSet<>(listed));
  }

  /** A wrong pattern is ignored: Kafka Connect reports it. */
  public static NamedTopics of(ConnectorConfig config) {
    Set<String> listed = new LinkedHashSet<>();
    for (String topic : config.text("topics").split(",", -1)) {
      if (!topic.isBlank()) {
        listed.add(topic.trim());
      }
    }
    String regex = config.text("topics.regex");
    return new NamedTopics(
        listed, regex.isBlank() ? Optional.empty() : ConfigForms.value(regex, Pattern::compile));
  }

  public boolean contains(String topic) {
    return listed.contains(topic)
        || pattern.filter(regex -> regex.matcher(topic).matches()).isPresent();
  }

  /** Whether the connector may read the topic, as far as the configuration names topics. */
  boolean mayContain(String topic) {
    return contains(topic) || (listed.isEmpty() && pattern.isEmpty());
  }
}
