package io.tidemark.connect.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names of metrics that the files in config/ read from Prometheus. */
public final class ReadNames {
  /** The rules of the Prometheus JMX exporter. */
  public static final Path RULES = Path.of("..", "config", "prometheus", "jmx-exporter.yml");

  static final Path ALERTS = Path.of("..", "config", "prometheus", "alerts.yml");
  static final Path DASHBOARD = Path.of("..", "config", "grafana", "tidemark.json");

  /** The failed tasks of a connector, from an MBean of Connect. */
  public static final String FAILED_TASKS = "connect_worker_failed_tasks";

  /** Example: {@code tidemark_topic_partition_lag_records}. */
  private static final Pattern NAME =
      Pattern.compile("\\b(tidemark_[a-z_]+|" + FAILED_TASKS + ")\\b");

  private ReadNames() {}

  /** The names in a text. */
  static Set<String> in(String text) {
    return NAME.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names that the alert rules and the dashboard read. */
  public static Set<String> ofAlertsAndDashboard() throws IOException {
    Set<String> names = in(Files.readString(ALERTS));
    names.addAll(in(Files.readString(DASHBOARD)));
    return names;
  }
}
