package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.Assigned;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Sorted;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The topic-partitions that tasks have, and that no snapshot of their topic has had. Kafka shows
 * the connector's own client only the topics that it may describe, and a broker's metadata may be
 * outdated. But a worker's consumer has these topic-partitions, so they exist.
 *
 * <p>Each account lists all topic-partitions of its task. The newest account that lists a
 * topic-partition decides which task has it. It ends in a snapshot that has it, when an operator
 * releases the topic, and two hours after this task's first account without it. In a rebalance, no
 * task may have it for a while, and a task that was replaced may put a late account. But the task
 * that has it lists it once an hour.
 */
public record Assignments(SortedMap<String, SortedMap<Integer, Assigned>> byTopic) {
  public static final Assignments NONE = new Assignments(Sorted.none());

  private static final Duration KEPT = Duration.ofHours(2);

  /** An account, and when it was put, by the store's clock. */
  public record Report(Instant at, Account account) {}

  /**
   * Returns the assignments after accounts, which may be read several times and in any order.
   * {@code passed} is the present by the clock that is behind; empty if it is not known.
   */
  public static Assignments after(
      LedgerState state, Collection<Report> reports, Optional<Instant> passed) {
    SortedMap<String, SortedMap<Integer, Assigned>> all = new TreeMap<>();
    state.topics().forEach((name, topic) -> all.put(name, new TreeMap<>(topic.assigned())));
    reports.stream()
        .sorted(Comparator.comparing(Report::at))
        .forEach(report -> add(report, state, all));
    for (SortedMap<Integer, Assigned> each : all.values()) {
      each.values()
          .removeIf(
              one ->
                  one.released().flatMap(at -> passed.filter(at.plus(KEPT)::isBefore)).isPresent());
    }
    all.values().removeIf(Map::isEmpty);
    return new Assignments(all);
  }

  private static void add(
      Report report, LedgerState state, SortedMap<String, SortedMap<Integer, Assigned>> all) {
    Account account = report.account();
    Assigned listed = new Assigned(account.task(), account.worker(), report.at(), Optional.empty());
    for (Map.Entry<String, List<Integer>> has : account.assigned().entrySet()) {
      for (int each : has.getValue()) {
        if (each >= state.topic(has.getKey()).topicPartitions()) {
          all.computeIfAbsent(has.getKey(), name -> new TreeMap<>())
              .merge(each, listed, Assigned::newer);
        }
      }
    }
    all.forEach(
        (topic, each) -> {
          List<Integer> has = account.assigned().getOrDefault(topic, List.of());
          each.replaceAll(
              (topicPartition, one) ->
                  has.contains(topicPartition) ? one : one.releasedBy(account.task(), report.at()));
        });
  }

  public Set<String> topics() {
    return byTopic.keySet();
  }

  SortedMap<Integer, Assigned> of(String topic) {
    return byTopic.getOrDefault(topic, Sorted.none());
  }

  /** Returns the topics of which nothing but an assignment was known, and that have none now. */
  Set<String> ended(LedgerState before) {
    return before.topics().entrySet().stream()
        .filter(each -> !each.getValue().isKnown() && !each.getValue().assigned().isEmpty())
        .map(Map.Entry::getKey)
        .filter(topic -> !byTopic.containsKey(topic))
        .collect(Collectors.toUnmodifiableSet());
  }

  Optional<HeldBecause> because(String topic) {
    return of(topic).entrySet().stream()
        .findFirst()
        .map(each -> new HeldBecause("HIDDEN", text(topic + "-" + each.getKey(), each.getValue())));
  }

  private static String text(String place, Assigned one) {
    return "%s: task %d (worker %s) had it at %s%s. Kafka does not show it to the user of the connector's own client (settings kafka.*), or the last snapshot is older. Wait for the next snapshot, or allow that user to DESCRIBE the topic. If no task will have it again, exclude the topic from the connector and run tidemark repair --release"
        .formatted(
            place,
            one.task(),
            one.worker(),
            one.at(),
            one.released()
                .map(at -> ", but not at %s: it is awaited until %s".formatted(at, at.plus(KEPT)))
                .orElse(""));
  }
}
