package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.connect.faults.RecordHistory.Held;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.TableName;
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
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares each statement of a ledger with the truth when the statement's entry is appended. Each
 * record that Kafka had at the time of the statement's snapshot must now be visible to readers, or
 * be counted in another class, or be lost and acknowledged. So must be each record that vanished
 * with its topic before.
 */
final class CompletionCheck {
  /** How long a reckoner waits before it looks for a former table again, and some time for that. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(70);

  private final World world;
  private final LedgerSettings settings;
  private final Duration skewMost;
  private final VisibleRows rows;
  private final AnnouncedCheck announced;
  private final Map<String, Instant> through = new HashMap<>();

  private LedgerKnowledge knowledge;
  private final List<String> untrue = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final ClosedTimes closed;
  private long statements;
  private final Set<String> retired = new HashSet<>();
  private LedgerState state = LedgerState.initial();

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
    this.knowledge = new LedgerKnowledge(world, rows);
    this.announced = new AnnouncedCheck(world, rows);
    this.closed = new ClosedTimes(world, rows);
  }

  /** The number of statements about tables, groups and Hive partitions. */
  long statements() {
    return statements + announced.statements();
  }

  /** The statements that were false. */
  List<String> untrue() {
    return Stream.concat(untrue.stream(), announced.untrue().stream()).toList();
  }

  Set<Hazard> reached() {
    Set<Hazard> all = EnumSet.copyOf(reached);
    all.addAll(announced.reached());
    return all;
  }

  LedgerKnowledge knowledge() {
    return knowledge;
  }

  /** The ledger was replaced by an older copy: its later statements begin there. */
  void restored(LedgerKnowledge older, Map<String, Instant> olderThrough) {
    knowledge = older;
    through.clear();
    through.putAll(olderThrough);
    retired.clear();
  }

  /** The times through which tables and groups are complete. */
  Map<String, Instant> throughs() {
    return Map.copyOf(through);
  }

  /** The time through which a table or a group is complete. */
  Instant through(String name) {
    return through.getOrDefault(name, Instant.MIN);
  }

  /** The state of the last entry. */
  LedgerState state() {
    return state;
  }

  /** True if a topic may be deleted without a hold, because the ledger has all of its records. */
  boolean retires(String topic, String topicId) {
    boolean retired = state.topic(topic).isRetired(topicId);
    if (retired) {
      this.retired.add(topicId);
      knowledge.retired(topic);
      reached.add(Hazard.RETIRED);
    }
    return retired;
  }

  /**
   * Records the rows that readers find in a table, before the table is moved elsewhere for a while.
   */
  void look(String topic) {
    world.tables().ever(topic).forEach(rows::look);
  }

  /** Files were moved away. */
  void lookAgain() {
    rows.forget();
    world.tables().all().forEach(rows::look);
  }

  /**
   * Checks an entry that was appended.
   *
   * @param withCatalog true if its writer has a catalog: then only registered rows are visible
   */
  void appended(long number, LedgerEntry entry, boolean withCatalog) {
    knowledge.appended(entry);
    if (entry instanceof LedgerEntry.Reckoning reckoning) {
      for (Completion completion : reckoning.completions()) {
        check(number, completion, reckoning.state(), withCatalog);
      }
    }
    checkState(number, entry.state(), withCatalog);
  }

  private void checkState(long number, LedgerState after, boolean withCatalog) {
    state = after;
    if (state.holds().stream()
        .anyMatch(hold -> hold.kind() == HoldKind.DELETED && !world.kafka().exists(hold.topic()))) {
      reached.add(Hazard.VANISHED_TOPIC);
    }
    if (state.holds().stream().anyMatch(Hold::open)) {
      reached.add(Hazard.HOLD);
    }
    if (state.topics().values().stream().anyMatch(topic -> !topic.assigned().isEmpty())) {
      reached.add(Hazard.HIDDEN_TOPIC);
    }
    if (state.topics().values().stream().anyMatch(topic -> topic.partialBefore().isPresent())) {
      reached.add(Hazard.PARTIAL);
    }
    checkHolds(number);
    state
        .tables()
        .forEach(
            (name, table) -> {
              table.held().ifPresent(held -> noteReason(held.reason()));
              if (table.through().isPresent() && moved(name, table.through().get())) {
                statements++;
                checkTable(number, name, table, withCatalog);
              }
            });
    announced.check(number, state);
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

  private void noteReason(String reason) {
    switch (reason) {
      case "IDLE" -> reached.add(Hazard.IDLE);
      case "OTHER_CLUSTER" -> reached.add(Hazard.OTHER_CLUSTER_ASKED);
      case "NOT_CONFIGURED" -> reached.add(Hazard.LEFT_OUT);
      default -> {}
    }
  }

  /** Checks that readers do not see the Hive partitions of holds of the kind UNSEEN. */
  private void checkHolds(long number) {
    for (Hold hold : state.holds()) {
      if (hold.open() && hold.kind() == HoldKind.DELETED && retired.contains(hold.topicId())) {
        untrue.add("entry %d: a retired topic is held: %s".formatted(number, hold));
      }
      // A table that a task registers late, or that no log has named, is looked up again later.
      if (hold.open()
          && !world.connector().consumes(hold.topic())
          && !world.connector().openedLater()
          && !world.operator().lackedLogs(LOOK_AGAIN)
          && hold.hivePartition()
              .filter(id -> world.catalog().location(id.table(), id.hivePartition()).isPresent())
              .isPresent()) {
        untrue.add("entry %d: readers see what is held: %s".formatted(number, hold));
      }
    }
  }

  private void checkTable(long number, String name, TableState table, boolean withCatalog) {
    Instant to = table.through().orElseThrow();
    Instant asked = state.askedAt(table.topics()).orElseThrow();
    List<String> all = topics(TableName.parse(name));
    List<String> known = knowledge.known(name, all, asked);
    List<String> expected =
        known.stream()
            .filter(topic -> world.kafka().existsSince(topic, asked.toEpochMilli()))
            .toList();
    if (!all.containsAll(table.topics()) || !table.topics().containsAll(expected)) {
      untrue.add(
          "entry %d: %s is complete, but only in %s".formatted(number, name, table.topics()));
    }
    for (String topic : known) {
      if (!table.topics().contains(topic)) {
        // The topic was deleted, so the table no longer has it.
        require(
            "entry %d: %s is complete through %s, without %s".formatted(number, name, to, topic),
            acceptedBefore(topic, asked),
            withCatalog);
      }
    }
    for (String topic : table.topics()) {
      if (knowledge.isOfOtherCluster(topic)) {
        continue; // The ledger speaks of that cluster's topic.
      }
      TopicState covered = Objects.requireNonNull(state.topics().get(topic));
      checkTime(number, name, to, covered);
      Instant askedOfTopic = covered.askedAt().orElseThrow();
      require(
          "entry %d: %s is complete through %s, asked at %s"
              .formatted(number, name, to, askedOfTopic),
          acceptedBefore(topic, askedOfTopic).stream()
              .filter(held -> mayBeOf(TableName.parse(name), topic, held.record()))
              .toList(),
          withCatalog);
      if (settings.rules().of(topic).idleHolds()) {
        requireEvidence(number, topic, to, askedOfTopic);
      }
    }
  }

  private boolean mayBeOf(TableName table, String topic, SourceRecord record) {
    return !world.tables().lands(record) || world.tables().mayHave(table, topic, record);
  }

  /** The topics of a table. Topics that appear later do not land in a table that was left. */
  private List<String> topics(TableName table) {
    TableState known = state.tables().get(table.toString());
    return known != null && world.tables().isFormer(table)
        ? known.topics()
        : world.tables().topics(table);
  }

  /** Announced batches about which the ledger has no statement. */
  List<String> unjudged() {
    return state.announcements().stream()
        .flatMap(all -> all.open().entrySet().stream())
        .filter(each -> each.getValue().verdict().isEmpty())
        .filter(
            each ->
                each.getValue()
                    .held(state.topics())
                    .filter(held -> held.reason().equals("NO_TOPIC"))
                    .isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Checks that each topic-partition has landed a record of this time or later, as {@code
   * idle=hold} requires.
   */
  private void requireEvidence(long number, String topic, Instant to, Instant askedAt) {
    for (TopicPartition each : world.kafka().existing(topic, askedAt.toEpochMilli())) {
      if (world.kafka().history().of(topic).stream()
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
    if (world.connector().takenOut().containsAll(world.tables().topics(total.table()))) {
      reached.add(Hazard.TAKEN_OUT);
    }
    List<String> topics =
        knowledge.known(total.table().toString(), topics(total.table()), completion.askedAt());
    List<Held> accepted =
        topics.stream()
            .flatMap(topic -> acceptedBefore(topic, completion.askedAt()).stream())
            .filter(held -> world.tables().lands(held.record()))
            .filter(held -> world.tables().mayHave(total.table(), topic(held), held.record()))
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
            .flatMap(topic -> Stream.ofNullable(after.topics().get(topic)))
            .anyMatch(topic -> topic.partialBefore().isPresent());
    long least =
        ofTable.stream()
            .filter(
                held ->
                    wallclock
                        ? present.contains(held.record().key())
                        : isInside(held, total) && rows.isIn(total.table(), held.record()))
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
      closed.add(number, total, present);
    }
  }

  private static boolean isInside(Held held, HivePartitionTotal total) {
    long timestamp = held.record().timestamp();
    return timestamp >= total.from().orElseThrow().toEpochMilli()
        && timestamp < total.until().orElseThrow().toEpochMilli();
  }

  /** Checks the complete Hive partitions of the times at which records were read. */
  void requireClosed() {
    world.tables().all().forEach(rows::look);
    untrue.addAll(closed.reopened(knowledge));
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
        world.tables().lands(record)
            ? rows.has(record) && (!withCatalog || isRegistered(held))
            : world.tables().arrivesElsewhere(record);
    return arrived
        // A task notices a repeated offset only when it reads its log again.
        || world.kafka().history().tookOffsetAgain(held)
        || knowledge.isExcused(held);
  }

  /** A table that is moved elsewhere takes its catalog marker with it. */
  private boolean isRegistered(Held held) {
    return rows.registered(held.record()) || world.operator().hasRemovedTable(topic(held));
  }

  private static String topic(Held held) {
    return held.topicPartition().topic();
  }
}
