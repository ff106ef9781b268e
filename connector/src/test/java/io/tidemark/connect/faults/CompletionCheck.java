package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.connect.faults.RecordHistory.Held;
import io.tidemark.connect.faults.Verdict.Hazard;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Compares each statement of a ledger with the truth when the statement's entry is appended. Each
 * record that Kafka had at the time of the statement's snapshot must now be visible to readers, or
 * be counted in another class, or be lost and acknowledged. So must be each record that vanished
 * with its topic before.
 */
final class CompletionCheck {
  private final World world;
  private final LedgerSettings settings;
  private final Duration skewMost;
  private final VisibleRows rows;
  private final Map<String, Instant> through = new HashMap<>();

  /** The life of each topic in the first snapshot that named it. */
  private final Map<String, Integer> firstLives = new HashMap<>();

  /** The lives of each topic that are in a snapshot or in a position of the ledger. */
  private final Map<String, Set<Integer>> knownLives = new HashMap<>();

  /** The topic ids that are in a snapshot. */
  private final Set<String> inSnapshots = new HashSet<>();

  private final List<Hold> acknowledged = new ArrayList<>();
  private final List<String> untrue = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final Set<String> completeBatches = new HashSet<>();
  private final Map<String, Closed> closed = new HashMap<>();
  private long statements;
  private LedgerState state = LedgerState.initial();

  /** A Hive partition of the times at which records were read, and its rows at its completion. */
  private record Closed(long number, HivePartitionTotal total, Set<String> keys) {}

  /**
   * A check of the ledger of a world.
   *
   * @param skewMost the largest error of a reckoner's clock at which statements are still checked
   */
  CompletionCheck(World world, LedgerSettings settings, Duration skewMost) {
    this.world = world;
    this.settings = settings;
    this.skewMost = skewMost;
    this.rows = new VisibleRows(world);
  }

  /** The number of statements about tables, groups and Hive partitions. */
  long statements() {
    return statements;
  }

  /** The statements that were false. */
  List<String> untrue() {
    return untrue;
  }

  Set<Hazard> reached() {
    return reached;
  }

  /** The time through which a table or a group is complete. */
  Instant through(String name) {
    return through.getOrDefault(name, Instant.MIN);
  }

  /** The state of the last entry. */
  LedgerState state() {
    return state;
  }

  /** An open hold waits for an operator's acknowledgement. */
  boolean held() {
    return state.holds().stream().anyMatch(Hold::open);
  }

  /**
   * Records the rows that readers find in a table, before the table is moved elsewhere for a while.
   */
  void look(String topic) {
    world.tables(topic).forEach(rows::look);
  }

  /**
   * Checks an entry that was appended.
   *
   * @param withCatalog true if its writer has a catalog: then only registered rows are visible
   */
  void appended(long number, LedgerEntry entry, boolean withCatalog) {
    entry
        .asSnapshot()
        .filter(snapshot -> snapshot.clusterId().equals("cluster"))
        .ifPresent(
            snapshot ->
                snapshot
                    .topics()
                    .forEach(
                        (topic, ends) -> {
                          know(topic, ends.topicId());
                          inSnapshots.add(ends.topicId());
                          firstLives.putIfAbsent(
                              topic, SimulatedKafka.lifeOf(topic, ends.topicId()));
                        }));
    entry
        .state()
        .topics()
        .forEach(
            (topic, each) ->
                each.at()
                    .values()
                    .forEach(
                        at -> {
                          know(topic, at.topicId());
                          at.former().ifPresent(former -> know(topic, former.topicId()));
                        }));
    if (entry instanceof LedgerEntry.Reckoning reckoning) {
      for (Completion completion : reckoning.completions()) {
        check(number, completion, reckoning.state(), withCatalog);
      }
    } else if (entry instanceof LedgerEntry.Acknowledge acknowledge) {
      acknowledged.addAll(acknowledge.holds());
    }
    checkState(number, entry.state(), withCatalog);
  }

  private void know(String topic, String topicId) {
    knownLives
        .computeIfAbsent(topic, same -> new HashSet<>())
        .add(SimulatedKafka.lifeOf(topic, topicId));
  }

  private void checkState(long number, LedgerState after, boolean withCatalog) {
    state = after;
    if (state.holds().stream()
        .anyMatch(hold -> hold.kind() == HoldKind.DELETED && !world.kafka().exists(hold.topic()))) {
      reached.add(Hazard.VANISHED_TOPIC);
    }
    if (held()) {
      reached.add(Hazard.HOLD);
    }
    if (state.topics().values().stream().anyMatch(topic -> !topic.assigned().isEmpty())) {
      reached.add(Hazard.HIDDEN_TOPIC);
    }
    if (state.topics().values().stream().anyMatch(topic -> topic.partialBefore().isPresent())) {
      reached.add(Hazard.PARTIAL);
    }
    state
        .tables()
        .forEach(
            (name, table) -> {
              if (table.held().filter(held -> held.reason().equals("IDLE")).isPresent()) {
                reached.add(Hazard.IDLE);
              }
              if (table.held().filter(held -> held.reason().equals("OTHER_CLUSTER")).isPresent()) {
                reached.add(Hazard.OTHER_CLUSTER_ASKED);
              }
              if (table.through().isPresent() && moved(name, table.through().get())) {
                statements++;
                Instant asked = state.askedAt(table.topics()).orElseThrow();
                List<String> all = world.topics(TableName.parse(name));
                List<String> expected =
                    known(all, asked).stream()
                        .filter(topic -> !world.kafka().hasVanished(topic))
                        .toList();
                if (!all.containsAll(table.topics()) || !table.topics().containsAll(expected)) {
                  untrue.add(
                      "entry %d: %s is complete, but only in %s"
                          .formatted(number, name, table.topics()));
                }
                checkVanished(number, name, table, withCatalog);
                for (String topic : table.topics()) {
                  TopicState covered = Objects.requireNonNull(state.topics().get(topic));
                  checkTime(number, name, table.through().get(), covered);
                  require(
                      "entry %d: %s is complete through %s, asked at %s"
                          .formatted(
                              number, name, table.through().get(), covered.askedAt().orElseThrow()),
                      acceptedBefore(topic, covered.askedAt().orElseThrow()),
                      withCatalog);
                  if (settings.rules().of(topic).idleHolds()) {
                    requireEvidence(number, topic, table.through().get(), asked);
                  }
                }
              }
            });
    state
        .announcements()
        .ifPresent(all -> all.open().forEach((id, each) -> check(number, id, each)));
    state
        .groups()
        .forEach(
            (name, group) -> {
              if (group.through().isPresent() && moved("group " + name, group.through().get())) {
                statements++;
                for (String member : group.members()) {
                  Instant least = through(member);
                  if (least.isBefore(group.through().get())) {
                    untrue.add(
                        "entry %d: the group is complete through %s, and %s through %s"
                            .formatted(number, group.through().get(), member, least));
                  }
                }
              }
            });
  }

  /** Checks the records of topics that vanished, so that their table no longer has them. */
  private void checkVanished(long number, String name, TableState table, boolean withCatalog) {
    Instant asked = state.askedAt(table.topics()).orElseThrow();
    for (String topic : known(world.topics(TableName.parse(name)), asked)) {
      if (!table.topics().contains(topic)) {
        require(
            "entry %d: %s is complete through %s, without %s"
                .formatted(number, name, table.through().orElseThrow(), topic),
            acceptedBefore(topic, asked),
            withCatalog);
      }
    }
  }

  /** All announced records, or more, have landed or were counted in another class. */
  private void check(long number, String id, AnnouncedBatch batch) {
    if (!batch.complete()) {
      if (batch.verdict().isPresent()) {
        reached.add(Hazard.MISCOUNTED);
      }
      return;
    }
    if (!completeBatches.add(id)) {
      return;
    }
    statements++;
    reached.add(Hazard.ANNOUNCED);
    world
        .announcements()
        .orElseThrow()
        .announced(id)
        .forEach(
            (topic, announced) -> {
              look(topic);
              long counted =
                  world.kafka().history().of(topic).stream()
                      .map(Held::record)
                      .filter(record -> SimulatedAnnouncements.isOf(id, record))
                      .filter(record -> record.kind() != RecordKind.DROPPED)
                      .filter(record -> rows.has(record) || world.arrivesElsewhere(record))
                      .count();
              if (counted < announced) {
                untrue.add(
                    "entry %d: %s is complete with %d records of %s, and there are %d"
                        .formatted(number, id, announced, topic, counted));
              }
            });
  }

  /** Announced batches about which the ledger has no statement. */
  List<String> unjudged() {
    return state.announcements().stream()
        .flatMap(all -> all.open().entrySet().stream())
        .filter(each -> each.getValue().verdict().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Checks that each topic-partition has landed a record of this time or later, as {@code
   * idle=hold} requires.
   */
  private void requireEvidence(long number, String topic, Instant to, Instant askedAt) {
    for (TopicPartition each : world.kafka().existing(askedAt.toEpochMilli())) {
      if (each.topic().equals(topic)
          && world.kafka().history().of(topic).stream()
              .filter(held -> held.topicPartition().equals(each) && rows.has(held.record()))
              .noneMatch(held -> latestMs(held) >= to.toEpochMilli())) {
        untrue.add(
            "entry %d: %s is complete through %s, and no record of %s has such a time"
                .formatted(number, topic, to, each));
      }
    }
  }

  /** The time of a record, or the latest time at which it was read if that time matters. */
  private long latestMs(Held held) {
    return world.landing().wallclock() ? held.readMs() : held.record().timestamp();
  }

  private boolean moved(String name, Instant to) {
    Instant before = through(name);
    if (to.isBefore(before)) {
      untrue.add("%s was complete through %s, and is through %s".formatted(name, before, to));
    }
    through.put(name, to);
    return to.isAfter(before);
  }

  private void checkTime(long number, String name, Instant to, TopicState covered) {
    Instant asked = covered.askedAt().orElseThrow();
    Instant now = Instant.ofEpochMilli(world.simulation().nowMs());
    if (asked.isBefore(to.plus(settings.lateness())) || asked.isAfter(now.plus(skewMost))) {
      untrue.add(
          "entry %d: %s is complete through %s by a snapshot of %s, and it is %s"
              .formatted(number, name, to, asked, now));
    }
  }

  private void check(long number, Completion completion, LedgerState after, boolean withCatalog) {
    statements++;
    HivePartitionTotal total = completion.total();
    if (total.late() > 0) {
      reached.add(Hazard.REVISION);
    }
    List<String> topics = known(world.topics(total.table()), completion.askedAt());
    List<Held> accepted =
        topics.stream()
            .flatMap(topic -> acceptedBefore(topic, completion.askedAt()).stream())
            .filter(held -> world.lands(held.record()))
            .filter(held -> world.table(topic(held), held.record()).name().equals(total.table()))
            .toList();
    List<Held> ofTable =
        accepted.stream().filter(held -> held.heldAt(completion.askedAt().toEpochMilli())).toList();
    Set<String> present = rows.in(total.table(), total.hivePartition());
    boolean wallclock = world.landing().wallclock();
    String statement = "entry %d: %s is complete".formatted(number, total);
    // Any record that has not landed may have been read in this time.
    require(
        statement,
        accepted.stream().filter(held -> wallclock || isInside(held, total)).toList(),
        withCatalog);
    // Entries may be folded before the ledger takes them. If their records had times in the future,
    // the ledger cannot know it, and does not mark their Hive partition as partial.
    boolean folded =
        topics.stream()
            .anyMatch(
                topic ->
                    Objects.requireNonNull(after.topics().get(topic)).partialBefore().isPresent());
    long least =
        ofTable.stream()
            .filter(
                held ->
                    wallclock
                        ? present.contains(held.record().key())
                        : isInside(held, total) && rows.has(held.record()))
            .filter(
                held ->
                    !folded
                        || (wallclock
                            ? !world.simulation().clocksSet()
                            : held.record().timestamp() <= held.producedMs()))
            .count();
    if (total.records() > present.size() || (!total.partial() && total.records() < least)) {
      untrue.add(
          "%s: of %d rows %d were held by Kafka at %s"
              .formatted(statement, present.size(), least, completion.askedAt()));
    }
    if (wallclock) {
      reached.add(Hazard.WALLCLOCK_COMPLETE);
      // If the first statement has late records, all rows came after the time was complete.
      closed.putIfAbsent(
          total.table() + "/" + total.hivePartition().path(),
          new Closed(number, total, total.late() > 0 ? Set.of() : present));
    }
  }

  /**
   * The topics that a reckoner can know at the time of a snapshot: its client may describe them, or
   * an account has them, or a snapshot had them.
   */
  private List<String> known(List<String> topics, Instant askedAt) {
    long askedMs = askedAt.toEpochMilli();
    return topics.stream()
        .filter(
            topic ->
                world.kafka().existing(askedMs).stream()
                    .anyMatch(each -> each.topic().equals(topic)))
        .filter(
            topic ->
                world.kafka().isVisibleSince(topic, askedMs)
                    || world.isAccounted(topic, askedMs)
                    || firstLives.containsKey(topic))
        .toList();
  }

  private static boolean isInside(Held held, HivePartitionTotal total) {
    long timestamp = held.record().timestamp();
    return timestamp >= total.from().orElseThrow().toEpochMilli()
        && timestamp < total.until().orElseThrow().toEpochMilli();
  }

  /**
   * Checks that complete Hive partitions of the times at which records were read got no more
   * records. This requires that the clocks agree, and that Kafka has kept the records.
   */
  void requireClosed() {
    if (world.simulation().clocksSet()) {
      return;
    }
    world.topics().forEach(this::look);
    for (Closed each : closed.values()) {
      for (String key : rows.in(each.total().table(), each.total().hivePartition())) {
        if (!each.keys().contains(key)
            && !excused(world.kafka().history().find(key).orElseThrow())) {
          untrue.add(
              "entry %d: %s is complete, but %s landed in it after its time was complete"
                  .formatted(each.number(), each.total(), key));
        }
      }
    }
  }

  private boolean excused(Held held) {
    return held.fate() == RecordHistory.Fate.TRUNCATED
        || held.fate() == RecordHistory.Fate.DELETED
        || world.kafka().history().tookOffsetAgain(held)
        || isAcknowledged(held)
        || isBefore(held);
  }

  private List<Held> acceptedBefore(String topic, Instant askedAt) {
    long askedMs = askedAt.toEpochMilli();
    look(topic);
    return world.kafka().history().of(topic).stream()
        .filter(held -> held.acceptedBefore(askedMs))
        .toList();
  }

  private void require(String statement, Collection<Held> held, boolean withCatalog) {
    List<Held> missing = held.stream().filter(each -> !accountedFor(each, withCatalog)).toList();
    if (!missing.isEmpty()) {
      Held first = missing.get(0);
      untrue.add(
          "%s, but not %d records: %s, %s"
              .formatted(
                  statement,
                  missing.size(),
                  first,
                  rows.has(first.record()) ? "not registered" : "no row"));
    }
  }

  private boolean accountedFor(Held held, boolean withCatalog) {
    SourceRecord record = held.record();
    boolean arrived =
        world.lands(record)
            ? rows.has(record) && (!withCatalog || isRegistered(held))
            : world.arrivesElsewhere(record);
    return arrived
        // A task notices a repeated offset only when it reads its log again.
        || world.kafka().history().tookOffsetAgain(held)
        || switch (held.fate()) {
          case COMPACTED, TRUNCATED -> true;
          case RETAINED_AWAY, HELD -> isAcknowledged(held) || isBefore(held);
          case DELETED -> isAcknowledged(held) || isBefore(held) || isUnknown(held);
        };
  }

  /** A table that is moved elsewhere takes its catalog marker with it. */
  private boolean isRegistered(Held held) {
    return rows.registered(world.table(topic(held), held.record()), held.record())
        || world.operator().hasRemovedTable(topic(held));
  }

  private static String topic(Held held) {
    return held.topicPartition().topic();
  }

  /**
   * True if this life of the topic is in no snapshot, and it or a life before was acknowledged as
   * deleted, or the ledger knows neither. The topic was created and deleted between two snapshots,
   * so the ledger does not know all of its topic-partitions.
   */
  private boolean isUnknown(Held held) {
    Set<Integer> known = knownLives.getOrDefault(topic(held), Set.of());
    return !inSnapshots.contains(topic(held) + "-" + held.life())
        && (known.stream().noneMatch(life -> life <= held.life())
            || acknowledged.stream()
                .anyMatch(
                    hold ->
                        hold.kind() == HoldKind.DELETED
                            && hold.topic().equals(topic(held))
                            && SimulatedKafka.lifeOf(hold.topic(), hold.topicId()) <= held.life()));
  }

  private boolean isAcknowledged(Held held) {
    long offset = held.record().offset();
    return acknowledged.stream()
        .anyMatch(
            hold ->
                (hold.kind() == HoldKind.LOST || hold.kind() == HoldKind.DELETED)
                    && hold.topic().equals(topic(held))
                    && hold.topicPartition() == held.topicPartition().partition()
                    && SimulatedKafka.lifeOf(hold.topic(), hold.topicId()) == held.life()
                    && hold.from() <= offset
                    && offset < hold.to());
  }

  /** The connector began after this record. The topic already existed when the ledger began. */
  private boolean isBefore(Held held) {
    if (!world.kafka().positionedBlindly(held.topicPartition())
        && held.life() > firstLives.getOrDefault(topic(held), Integer.MAX_VALUE)) {
      return false;
    }
    if (held.life() < world.kafka().life(held.topicPartition())) {
      return rows.landedOffsets(held.topicPartition(), held.life())
          .allMatch(offset -> offset > held.record().offset());
    }
    OptionalLong first = firstOffset(held);
    return first.isPresent()
        ? held.record().offset() < first.getAsLong()
        : world.operator().changedLogs(); // where it began is unknown until it is restored
  }

  /**
   * The first offset of the log in this life of the record's topic, from its newest entry of that
   * life. The last entry may be the claim of a task that was configured with another cluster.
   */
  private OptionalLong firstOffset(Held held) {
    try {
      return world.log(held.topicPartition()).after(0).stream()
          .map(each -> each.entry().state())
          .filter(state -> state.first() != LogState.UNKNOWN)
          .filter(
              state -> world.kafka().life(held.topicPartition(), state.generation()) == held.life())
          .mapToLong(LogState::first)
          .reduce((older, newer) -> newer);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }
}
