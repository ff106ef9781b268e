package io.tidemark.connect.config;

import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.store.StoragePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of completeness. */
public record CompletenessSettings(ConnectorConfig config) {
  // sales=default.orders,default.payments@payments
  private static final Pattern GROUP = Pattern.compile("([A-Za-z0-9_-][A-Za-z0-9_.-]{0,199})=(.+)");
  // default.payments@payments
  private static final Pattern MEMBER =
      Pattern.compile(
          "[A-Za-z0-9_]{1,128}\\.[A-Za-z0-9_]{1,128}(@[A-Za-z0-9][A-Za-z0-9._-]{0,199})?");

  /** Whether completeness is enabled for the connector, or for any topic or table. */
  public boolean anyEnabled() {
    return !config.text(ConnectorConfig.COMPLETENESS_ENABLED).equalsIgnoreCase("false")
        || config.given().entrySet().stream()
            .filter(each -> each.getValue().trim().equalsIgnoreCase("true"))
            .flatMap(each -> ScopedKey.parse(each.getKey()).stream())
            .anyMatch(scoped -> scoped.key().equals(ConnectorConfig.COMPLETENESS_ENABLED));
  }

  public StoragePath ledgerRoot() {
    return config.directory(ConnectorConfig.LEDGER_DIR);
  }

  public Duration interval() {
    return duration(ConnectorConfig.COMPLETENESS_INTERVAL_MS);
  }

  public Duration lateness() {
    return duration(ConnectorConfig.COMPLETENESS_LATENESS_MS);
  }

  public boolean flushesAtPartitionEnd() {
    return config.getString(ConnectorConfig.COMPLETENESS_FLUSH).equals("partition-end");
  }

  /** Whether holds and idle topic-partitions keep a topic from being complete. */
  TopicRules.Rule rule() {
    Set<HoldKind> kinds = EnumSet.noneOf(HoldKind.class);
    for (String kind : config.getList(ConnectorConfig.COMPLETENESS_HOLD_ON)) {
      // dead-lettered is DEAD_LETTERED
      kinds.add(HoldKind.valueOf(kind.replace('-', '_').toUpperCase(Locale.ROOT)));
    }
    return new TopicRules.Rule(
        config.getString(ConnectorConfig.COMPLETENESS_IDLE).equals("hold"), kinds);
  }

  public SortedMap<String, List<String>> groups() {
    return groups(config.getString(ConnectorConfig.COMPLETENESS_GROUPS));
  }

  /** Empty if batches are not announced. */
  public Optional<String> batchesTopic() {
    return ifSet(ConnectorConfig.COMPLETENESS_BATCHES_TOPIC);
  }

  /** The header with the id of a record's batch; empty if batches are not announced. */
  public Optional<String> batchHeader() {
    return batchesTopic().map(topic -> config.getString(ConnectorConfig.COMPLETENESS_BATCH_HEADER));
  }

  /** The time after which a batch is deleted; empty if batches are not announced. */
  public Optional<Duration> batchesExpire() {
    return batchesTopic()
        .map(
            topic ->
                Duration.ofDays(config.getInt(ConnectorConfig.COMPLETENESS_BATCHES_EXPIRE_DAYS)));
  }

  public String hiveDatabase() {
    return ifSet(ConnectorConfig.COMPLETENESS_HIVE_DATABASE)
        .orElseGet(() -> config.getString(ConnectorConfig.HIVE_DATABASE));
  }

  public Duration revisionInterval() {
    return duration(ConnectorConfig.COMPLETENESS_REVISION_INTERVAL_MS);
  }

  public Duration clockSkew() {
    return duration(ConnectorConfig.COMPLETENESS_CLOCK_SKEW_MS);
  }

  /** Empty if no events are sent. */
  public Optional<String> eventsTopic() {
    return ifSet(ConnectorConfig.COMPLETENESS_EVENTS_TOPIC);
  }

  public Duration batchesRetention() {
    return Duration.ofDays(config.getInt(ConnectorConfig.LEDGER_BATCHES_RETENTION_DAYS));
  }

  /** Whether the tasks' consumers skip records of aborted transactions. */
  public boolean readsCommitted() {
    String override = config.text(ConnectorConfig.CONSUMER_ISOLATION_LEVEL);
    return (override.isBlank()
            ? config.getString(ConnectorConfig.WORKER_ISOLATION_LEVEL)
            : override.trim())
        .equals("read_committed");
  }

  private Optional<String> ifSet(String key) {
    return Optional.of(config.getString(key)).filter(value -> !value.isEmpty());
  }

  private Duration duration(String key) {
    return Duration.ofMillis(config.getLong(key));
  }

  /** Throws an {@link IllegalArgumentException} with the reason if the text is invalid. */
  static SortedMap<String, List<String>> groups(String text) {
    SortedMap<String, List<String>> groups = new TreeMap<>();
    for (String each : text.isBlank() ? new String[0] : text.split(";", -1)) {
      Matcher group = GROUP.matcher(each.trim());
      if (!group.matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is not a group. Example: sales=default.orders,default.payments@payments"
                .formatted(each.trim()));
      }
      List<String> members = new ArrayList<>();
      for (String member : group.group(2).split(",", -1)) {
        if (!MEMBER.matcher(member.trim()).matches() || members.contains(member.trim())) {
          throw new IllegalArgumentException(
              "group %s: \"%s\" is not a member, or is named twice. Write database.table, or database.table@log for a table of another connector's log"
                  .formatted(group.group(1), member.trim()));
        }
        members.add(member.trim());
      }
      if (groups.put(group.group(1), List.copyOf(members)) != null) {
        throw new IllegalArgumentException(
            "the group %s is declared twice. Remove one declaration".formatted(group.group(1)));
      }
    }
    return Collections.unmodifiableSortedMap(groups);
  }
}
