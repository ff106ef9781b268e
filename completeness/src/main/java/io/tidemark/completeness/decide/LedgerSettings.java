package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The completeness settings of the configuration.
 *
 * @param interval the distance of two times for which snapshots are taken
 * @param lateness the delay from such a time to its snapshot
 * @param rules the holds that prevent topics from being complete, and whether idleness does
 * @param revisionInterval the minimum time between two completions of the same Hive partition
 * @param batchesExpire the age at which a batch is removed; empty if no announcements are
 *     configured
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
          "interval %s, lateness %s: an interval must be above 0, and a lateness 0 or more"
              .formatted(interval, lateness));
    }
  }

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
