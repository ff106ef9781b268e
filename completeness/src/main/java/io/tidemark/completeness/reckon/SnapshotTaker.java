package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Assignments;
import io.tidemark.completeness.decide.Findings;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.decide.Snapshots;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots when they are due. If Kafka's answers about a topic do not agree, they are
 * requested again. After a minute the snapshot is taken without the topic. Not thread-safe.
 *
 * <p>Each snapshot needs the agreement of several new clients about every topic, also if nothing
 * differs from the ledger: outdated metadata often agrees with it.
 */
final class SnapshotTaker {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTaker.class);

  private static final long ASKED_AGAIN_MS = 5_000;
  private static final long LEFT_OUT_MS = 60_000;

  private final ReckonerServices services;

  /** The time of the first request for the due snapshot; negative if no snapshot is due. */
  private long firstAskedMs = -1;

  private long askAtMs;
  private Optional<String> problem = Optional.empty();

  /** Topics that are missing in the last snapshot. The next snapshot does not wait for them. */
  private Set<String> leftOut = Set.of();

  /** By topic, the time since which Kafka does not return the topic. */
  private final Map<String, Long> unknownSinceMs = new HashMap<>();

  /** The topics that this user has no permission to read, according to Kafka's last answer. */
  private Set<String> unreadable = Set.of();

  SnapshotTaker(ReckonerServices services) {
    this.services = services;
  }

  /**
   * Returns the topics that are deleted or unreadable, or have no table of their own. A topic is
   * deleted if no broker of its logs' cluster has returned it for a minute, and no task has it.
   */
  Findings.Topics topics(Map<String, String> nameTaken, Assignments assigned) {
    long nowMs = services.monotonic().millis();
    return new Findings.Topics(
        unknownSinceMs.entrySet().stream()
            .filter(each -> nowMs - each.getValue() >= LEFT_OUT_MS)
            .map(Map.Entry::getKey)
            .filter(topic -> !assigned.topics().contains(topic))
            .collect(Collectors.toUnmodifiableSet()),
        unreadable,
        nameTaken,
        assigned);
  }

  interface Present {
    Map<String, List<String>> tables() throws IOException;
  }

  Optional<String> problem() {
    return problem;
  }

  /**
   * Takes a snapshot, if one is due and Kafka's answers agree, or have not agreed for a minute.
   * {@code present} is called after the snapshot's time.
   */
  Optional<Snapshot> take(
      Ledger ledger, LedgerSettings settings, Present present, boolean requested) {
    long nowMs = services.monotonic().millis();
    // Read the clock before the request: all records of this time are below the end offsets.
    Instant askedAt = services.clock().instant();
    Optional<Instant> through = due(ledger, settings, requested, askedAt);
    if (through.isEmpty() || nowMs < askAtMs) {
      return Optional.empty();
    }
    askAtMs = nowMs + ASKED_AGAIN_MS;
    if (firstAskedMs < 0) {
      firstAskedMs = nowMs;
    }
    Set<String> topics = ledger.state().topicsOfTables();
    // Include topics without a table: they are removed from the ledger once they are deleted.
    Set<String> known = new TreeSet<>(ledger.state().topics().keySet());
    EndOffsets.Answers answers;
    Set<String> invented;
    try {
      present.tables().values().forEach(topics::addAll);
      known.addAll(topics);
      answers = services.kafka().ask(known, true);
      invented = invented(answers);
      problem = Optional.empty();
    } catch (IOException e) {
      firstAskedMs = -1; // The minute counts only while Kafka answers.
      String text = "No snapshot can be taken, so nothing more becomes complete: " + e.getMessage();
      if (problem.isEmpty()) { // Each outage of Kafka is logged once.
        LOG.warn("{} The request is retried every 5 s.", text, e);
      }
      problem = Optional.of(text);
      return Optional.empty();
    }
    noteUnknown(known, ledger, answers);
    unreadable = answers.unreadable();
    SortedMap<String, TopicEnds> agreeing =
        Snapshots.agreeing(ledger.state(), answers.before(), answers.ends(), answers.after());
    agreeing.keySet().retainAll(topics);
    agreeing.keySet().removeAll(invented);
    answers
        .open()
        .forEach(
            (topic, open) -> agreeing.computeIfPresent(topic, (each, ends) -> ends.withOpen(open)));
    Set<String> missing = new TreeSet<>(topics);
    missing.removeAll(agreeing.keySet());
    if (!leftOut.containsAll(missing) && nowMs - firstAskedMs < LEFT_OUT_MS) {
      return Optional.empty();
    }
    if (!missing.isEmpty() && !missing.equals(leftOut)) {
      LOG.warn(
          "{}: Kafka's answers on these topics are missing, or do not agree with each other or with what landed. The snapshot leaves the topics out, and their tables wait. Possible causes: they were deleted or truncated, a topic-partition has no leader, a broker's answer is old, or the user of the connector's own Kafka client (settings kafka.*) has no permission to DESCRIBE them. Topics without that permission: {}. The answers are requested again.",
          missing,
          answers.refused());
    }
    leftOut = Set.copyOf(missing);
    firstAskedMs = -1;
    askAtMs = nowMs;
    return Optional.of(new Snapshot(through.get(), askedAt, answers.clusterId(), agreeing));
  }

  /**
   * Returns the topics with an end offset of 0 that a second answer does not have: brokers have
   * answered so for topic-partitions with records.
   */
  private Set<String> invented(EndOffsets.Answers answers) throws IOException {
    Set<String> empty = new TreeSet<>(answers.ends().keySet());
    empty.removeIf(topic -> !answers.ends().getOrDefault(topic, List.of()).contains(0L));
    if (!empty.isEmpty()) {
      Map<String, List<Long>> again = services.kafka().ask(empty, false).ends();
      empty.removeIf(topic -> zeros(answers.ends(), topic).equals(zeros(again, topic)));
    }
    return empty;
  }

  private static List<Boolean> zeros(Map<String, List<Long>> ends, String topic) {
    return ends.getOrDefault(topic, List.of()).stream().map(end -> end == 0).toList();
  }

  private static Optional<Instant> due(
      Ledger ledger, LedgerSettings settings, boolean requested, Instant now) {
    Optional<Instant> last = Snapshots.plausible(ledger.state().lastTick(), now);
    if (requested) {
      return Optional.of(now.minus(settings.lateness()))
          .filter(through -> last.isEmpty() || through.isAfter(last.get()));
    }
    // Complete Hive partitions without new records need no further snapshot: their ends are not
    // after the last tick (the time of the newest snapshot).
    List<Instant> ends =
        ledger.totals().values().stream()
            .filter(OpenTotal::changed)
            .map(OpenTotal::total)
            .flatMap(total -> total.until().stream())
            .toList();
    return Snapshots.due(settings.interval(), settings.lateness(), ends, last, now);
  }

  private void noteUnknown(Collection<String> topics, Ledger ledger, EndOffsets.Answers answers) {
    unknownSinceMs.keySet().retainAll(topics);
    for (String topic : topics) {
      if (answers.has(topic)
          || answers.refused().contains(topic)
          || Snapshots.isOfOtherCluster(ledger.state().topic(topic).at(), answers.clusterId())) {
        unknownSinceMs.remove(topic);
      } else {
        unknownSinceMs.putIfAbsent(topic, services.monotonic().millis());
      }
    }
  }
}
