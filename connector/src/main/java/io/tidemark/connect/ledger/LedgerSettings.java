package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.state.BlockKind;
import io.tidemark.connect.ledger.state.TopicRules;
import io.tidemark.connect.table.TableName;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the configuration says of completeness.
 *
 * @param interval between two times through which something can be complete
 * @param lateness how long after such a time Kafka is asked
 * @param rules what keeps topics from being complete
 * @param revisionInterval between two completions of the same Hive partition, at least
 * @param batchesExpire how long an announced batch is remembered; empty where none are announced
 * @param tables the topics that feed each table
 * @param groups the members of each group
 */
public record LedgerSettings(
    Duration interval,
    Duration lateness,
    TopicRules rules,
    Duration revisionInterval,
    Optional<Duration> batchesExpire,
    SortedMap<String, List<String>> tables,
    SortedMap<String, List<String>> groups) {

  public LedgerSettings {
    tables = copyOf(tables);
    groups = copyOf(groups);
    tables.keySet().forEach(TableName::parse);
    if (interval.isZero() || interval.isNegative() || lateness.isNegative()) {
      throw new IllegalArgumentException(
          "interval %s, lateness %s: an interval is above 0, a lateness is not below"
              .formatted(interval, lateness));
    }
  }

  /** Without announced batches, and one rule for all topics. */
  public LedgerSettings(
      Duration interval,
      Duration lateness,
      boolean idleHolds,
      Set<BlockKind> holdOn,
      Duration revisionInterval,
      SortedMap<String, List<String>> tables,
      SortedMap<String, List<String>> groups) {
    this(
        interval,
        lateness,
        TopicRules.ofAll(idleHolds, holdOn),
        revisionInterval,
        Optional.empty(),
        tables,
        groups);
  }

  /** These settings with other tables and groups. */
  public LedgerSettings with(
      SortedMap<String, List<String>> otherTables, SortedMap<String, List<String>> otherGroups) {
    return new LedgerSettings(
        interval, lateness, rules, revisionInterval, batchesExpire, otherTables, otherGroups);
  }

  private static SortedMap<String, List<String>> copyOf(
      Map<String, ? extends Collection<String>> map) {
    SortedMap<String, List<String>> copy = new TreeMap<>();
    map.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    return Collections.unmodifiableSortedMap(copy);
  }
}
