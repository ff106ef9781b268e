package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.TableName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A ledger of the table {@code default.orders} with the topic {@code orders}, in single steps. */
final class Scene {
  static final TableName ORDERS = new TableName("default", "orders");
  static final String TABLE = ORDERS.toString();

  LedgerSettings settings = settings(false, Map.of(TABLE, List.of("orders")), Map.of());
  Ledger ledger = Ledger.EMPTY;
  final ListedLogs logs = new ListedLogs();
  Instant now = ModelTopic.START;

  /** The cluster of which snapshots are taken. Tasks land from {@code cluster}. */
  String clusterId = "cluster";

  /** The topics that do not exist for the next reckonings. */
  Set<String> gone = Set.of();

  /** The topic-partitions that tasks have, and no snapshot, in the next reckonings. */
  Assignments assigned = Assignments.NONE;

  Map<String, Instant> foreign = Map.of();

  /** The first answers of the catalog in a reckoning. Later ones say that readers see all. */
  Supplier<Look> look = Look::new;

  static TopicRules rules(boolean idleHolds, HoldKind... holdOn) {
    return new TopicRules(new TopicRules.Rule(idleHolds, Set.of(holdOn)), Map.of());
  }

  static LedgerSettings settings(
      boolean idleHolds, Map<String, List<String>> tables, Map<String, List<String>> groups) {
    return new LedgerSettings(
        Duration.ofMinutes(5),
        Duration.ofMinutes(5),
        rules(idleHolds, HoldKind.LOST, HoldKind.DELETED, HoldKind.UNSEEN),
        Duration.ofHours(1),
        Optional.empty(),
        new TreeMap<>(tables),
        new TreeMap<>(groups));
  }

  /** A snapshot of the topic at an hour. */
  long snapshot(int hour, String topicId, long... ends) {
    return snapshot(hour, Map.of("orders", ends(topicId, ends)));
  }

  long snapshot(int hour, Map<String, TopicEnds> topics) {
    now = ModelTopic.from(hour).plus(settings.lateness());
    Snapshot snapshot = new Snapshot(ModelTopic.from(hour), now, clusterId, new TreeMap<>(topics));
    append(Snapshots.entry(ledger, snapshot, settings.tables(), UUID.randomUUID(), now));
    return ledger.number();
  }

  static TopicEnds ends(String topicId, long... ends) {
    List<Long> all = new ArrayList<>();
    for (long end : ends) {
      all.add(end);
    }
    return new TopicEnds(topicId, all, Collections.emptySortedMap());
  }

  Decision reckon(SettledEntry... accounts) {
    return reckon(List.of(accounts), List.of());
  }

  Decision reckon(List<SettledEntry> accounts, List<SettledEntry> read) {
    read.forEach(entry -> logs.of(entry.topic(), entry.topicPartition()).put(entry, now));
    Findings findings = findings(logs.read(ledger, arrived(accounts)), look.get());
    Decision decision = decide(findings);
    if (!decision.toLook().isEmpty()) {
      findings.look().seen.addAll(decision.toLook());
      decision = decide(findings);
    }
    append(decision.entry(UUID.randomUUID(), now));
    return decision;
  }

  Findings findings(List<SettledEntry> accounts) {
    return findings(logs.read(ledger, arrived(accounts)), new Look());
  }

  private List<ReadEntry> arrived(List<SettledEntry> accounts) {
    return accounts.stream().map(entry -> new ReadEntry(now, entry)).toList();
  }

  Findings findings(List<LogRead> read, Look answers) {
    return new Findings(
        read,
        new Findings.Topics(gone, Set.of(), Map.of(), assigned),
        foreign,
        Optional.empty(),
        Set.of(),
        answers,
        Optional.empty());
  }

  static Findings.Topics gone(Set<String> topics) {
    return new Findings.Topics(topics, Set.of(), Map.of(), Assignments.NONE);
  }

  static Look look(Set<HivePartitionId> seen, Set<HivePartitionId> unseen) {
    Look look = new Look();
    look.seen.addAll(seen);
    look.unseen.addAll(unseen);
    return look;
  }

  static Look unavailable() {
    Look look = new Look();
    look.setCatalogUnavailable();
    return look;
  }

  Decision decide(Findings findings) {
    return Reckoning.decide(ledger, settings, findings, ModelWorld.SPANS, now);
  }

  void acknowledge(Hold hold) {
    acknowledge(Set.of(hold), Set.of());
  }

  void acknowledgeAll() {
    acknowledge(holds().stream().filter(Hold::open).collect(Collectors.toSet()), Set.of());
  }

  /** An operator declares that producers no longer write to a topic. */
  void retire(String topic) {
    acknowledge(Set.of(), Set.of(topic));
  }

  private void acknowledge(Set<Hold> holds, Set<String> retired) {
    append(
        new Acknowledgement("ann", "known", holds::contains, Set.of(), retired)
            .entry(ledger, UUID.randomUUID(), now));
  }

  void append(LedgerEntry entry) {
    ledger = ledger.after(new NumberedEntry<>(ledger.number() + 1, entry));
  }

  /** The hour through which the table is complete; -1 if it never was. */
  int hour() {
    return table()
        .through()
        .map(through -> (int) Duration.between(ModelTopic.START, through).toHours())
        .orElse(-1);
  }

  TableState table() {
    return Objects.requireNonNull(ledger.state().tables().get(TABLE));
  }

  String held() {
    return table().held().map(Object::toString).orElse("");
  }

  List<Hold> holds() {
    return ledger.state().holds();
  }

  /** A batch of landed records of one hour, in the first generation. */
  static SettledEntry.Batch batch(
      int topicPartition, long number, String topicId, long first, long next, int hour) {
    return batch(topicPartition, number, topicId, 0, first, next, hour, OffsetRanges.NONE);
  }

  /**
   * A batch.
   *
   * @param begin the first offset of the generation; all offsets from there on have landed
   */
  static SettledEntry.Batch batch(
      int topicPartition,
      long number,
      String topicId,
      long begin,
      long first,
      long next,
      int hour,
      OffsetRanges lost) {
    NotLanded notLanded =
        new NotLanded(OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, lost);
    long landed = next - first - lost.size();
    Instant from = ModelTopic.from(hour);
    return new SettledEntry.Batch(
        "orders",
        topicPartition,
        number,
        attempt(topicPartition, number, topicId),
        new SettledState(
            new Generation(1, "cluster", topicId),
            begin,
            next,
            new RecordCounts(next - begin - lost.size(), 0, 0, 0, lost.size()),
            false),
        new OffsetRange(first, next),
        notLanded.counts(landed),
        notLanded,
        landed == 0
            ? List.of()
            : List.of(
                new HivePartitionSum(
                    ORDERS,
                    ModelTopic.hivePartition(hour),
                    landed,
                    landed * 10,
                    1,
                    from.toEpochMilli(),
                    from.toEpochMilli())),
        BatchIdCounts.NONE);
  }

  /** An empty batch, by which a log records its first or present offset. */
  static SettledEntry.Batch pin(int topicPartition, long number, String topicId, long offset) {
    return batch(topicPartition, number, topicId, offset, offset, offset, 0, OffsetRanges.NONE);
  }

  /** A claim of a log of which nothing has landed. */
  static SettledEntry claim(
      int topicPartition, long number, String clusterId, String topicId, long next) {
    return new SettledEntry.Claim(
        "orders",
        topicPartition,
        number,
        attempt(topicPartition, number, topicId),
        new SettledState(
            new Generation(1, clusterId, topicId), next, next, RecordCounts.NONE, false));
  }

  /** The first entry of a log after a move to another cluster: its records up to an offset. */
  static SettledEntry moved(
      int topicPartition, long number, String clusterId, String topicId, long next) {
    SettledEntry.Batch batch = batch(topicPartition, number, topicId, 0, next, 0);
    SettledState state = batch.state();
    return new SettledEntry.Batch(
        batch.topic(),
        topicPartition,
        number,
        batch.attempt(),
        new SettledState(
            new Generation(2, clusterId, topicId), state.first(), next, state.counts(), false),
        batch.range(),
        batch.counts(),
        batch.notLanded(),
        batch.sums(),
        batch.batchIds());
  }

  /** The first entry of a log that continues after another sink. */
  static SettledEntry adopted(int topicPartition, String topicId, long next, int exactFrom) {
    return new SettledEntry.Adopted(
        "orders",
        topicPartition,
        1,
        attempt(topicPartition, 1, topicId),
        new SettledState(
            new Generation(1, "cluster", topicId), next, next, RecordCounts.NONE, true),
        ModelTopic.from(exactFrom));
  }

  /** A batch of a log that continues after another sink. */
  static SettledEntry.Batch afterAdoption(SettledEntry.Batch batch) {
    SettledState state = batch.state();
    return new SettledEntry.Batch(
        batch.topic(),
        batch.topicPartition(),
        batch.number(),
        batch.attempt(),
        new SettledState(state.generation(), state.first(), state.next(), state.counts(), true),
        batch.range(),
        batch.counts(),
        batch.notLanded(),
        batch.sums(),
        batch.batchIds());
  }

  /** An entry of another topic. */
  static SettledEntry.Batch of(String topic, SettledEntry.Batch batch) {
    return new SettledEntry.Batch(
        topic,
        batch.topicPartition(),
        batch.number(),
        batch.attempt(),
        batch.state(),
        batch.range(),
        batch.counts(),
        batch.notLanded(),
        batch.sums(),
        batch.batchIds());
  }

  static SettledEntry.Checkpoint checkpoint(SettledEntry entry) {
    return new SettledEntry.Checkpoint(
        entry.topic(), entry.topicPartition(), entry.number(), entry.attempt(), entry.state());
  }

  private static UUID attempt(int topicPartition, long number, String topicId) {
    return UUID.nameUUIDFromBytes(
        (topicPartition + "/" + number + "/" + topicId).getBytes(StandardCharsets.UTF_8));
  }
}
