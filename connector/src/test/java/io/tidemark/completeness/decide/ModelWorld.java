package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Topics, tasks, a ledger and its reckoner in one thread. Each statement of the ledger is checked.
 */
final class ModelWorld {
  /** The number of hours that event times have. They arrive in any order. */
  static final int HOURS = 4;

  private static final TableName ORDERS = new TableName("default", "orders");
  private static final TableName NEWS = new TableName("default", "news");
  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          Scene.rules(false, HoldKind.LOST, HoldKind.DELETED, HoldKind.UNSEEN),
          Duration.ZERO,
          Optional.empty(),
          new TreeMap<>(
              Map.of(
                  ORDERS.toString(), List.of("orders", "returns"),
                  NEWS.toString(), List.of("news"))),
          new TreeMap<>(Map.of("all", List.of(ORDERS.toString(), NEWS.toString()))));

  private static final TimePartitioned HOURLY =
      new TimePartitioned(
          PathFormat.parse("'dt'=yyyy-MM-dd/'hour'=HH", Locale.ROOT),
          ZoneOffset.UTC,
          Duration.ofHours(1),
          Optional.empty(),
          TimestampField.Unit.MILLIS);

  /** Directories for hours. The hours are those of the model. */
  static final TimeSpans SPANS = hours();

  /** The spans of tables with a directory for each hour, which may be empty in some of them. */
  static TimeSpans hours(TableName... withEmpties) {
    return new TimeSpans(
        Stream.of("orders", "payments", "news")
            .collect(Collectors.toMap(table -> new TableName("default", table), table -> HOURLY)),
        Set.of(withEmpties));
  }

  private final Random random;

  /** Decides about hazards that were added later, so that older seeds keep their meaning. */
  private final Random more;

  /** Decides about topics that vanish, and about another cluster that answers. */
  private final Random third;

  private final boolean vanishing;
  private final boolean misdirected;
  private final boolean later;

  /** True while another cluster answers the reckoner. */
  private boolean otherCluster;

  /** The topics of which the other cluster has one of the same name. It has no records. */
  private final Set<String> elsewhere = new HashSet<>();

  /** The topic ids that the ledger has in a snapshot or in a position. */
  private final Set<String> known = new HashSet<>();

  private final Set<String> inSnapshots = new HashSet<>();

  /** The topic ids of the ledger's first snapshot. */
  private final Set<String> first = new HashSet<>();

  private final Map<Long, Instant> taken = new HashMap<>();
  private final Map<String, ModelTopic> topics = new TreeMap<>();
  private final List<ReadEntry> inbox = new ArrayList<>();
  private final Map<Long, List<ModelTopic.Row>> held = new HashMap<>();
  private final List<Hold> acknowledged = new ArrayList<>();
  private final Map<HivePartitionId, Long> late = new HashMap<>();
  private final Set<String> partial = new HashSet<>();
  private Instant now = ModelTopic.START;
  private Ledger ledger = Ledger.EMPTY;
  private int statements;

  ModelWorld(long seed) {
    this(seed, true);
  }

  /**
   * A world.
   *
   * @param further whether topics vanish, another cluster answers, and logs begin above offset 0
   */
  ModelWorld(long seed, boolean further) {
    random = new Random(seed);
    more = new Random(seed * 0x9E3779B97F4A7C15L);
    third = new Random(seed * 0xA0761D6478BD642FL);
    vanishing = further && third.nextInt(3) == 0;
    misdirected = further && third.nextInt(3) == 0;
    later = further && third.nextInt(3) == 0;
    topics.put("orders", new ModelTopic("orders", ORDERS, 2));
    topics.put("returns", new ModelTopic("returns", ORDERS, 1));
    topics.put("news", new ModelTopic("news", NEWS, 2));
    topics.values().forEach(topic -> topic.pins = further);
    if (vanishing && third.nextBoolean()) {
      topics.get("returns").exists = false; // until it is made
    }
  }

  List<ModelTopic> topics() {
    return List.copyOf(topics.values());
  }

  Instant now() {
    return now;
  }

  /** The number of Hive partitions that the ledger has stated to be complete. Each was checked. */
  int statements() {
    return statements;
  }

  void step() {
    List<ModelTopic> all = List.copyOf(topics.values());
    ModelTopic topic = all.get(random.nextInt(all.size()));
    int part = random.nextInt(topic.parts.size());
    now = now.plus(Duration.ofMinutes(random.nextInt(12)));
    disturb(topic, part);
    switch (random.nextInt(12)) {
      case 0, 1 -> topic.produce(part, 1 + random.nextInt(5), random, HOURS, now);
      case 2, 3 -> topic.commit(part, random);
      case 4 -> topic.claim(part);
      case 5, 6 -> settle(topic, part);
      case 7 -> snapshot();
      case 8, 9 -> reckon(random.nextInt(5) != 0, random.nextInt(8) == 0);
      case 10 -> rarely(topic, part);
      default -> acknowledge();
    }
  }

  /** A topic vanishes or is recreated, another cluster answers, a log begins late. */
  private void disturb(ModelTopic topic, int part) {
    if (vanishing && third.nextInt(10) == 0) {
      if (topic.exists) {
        topic.delete();
      } else {
        topic.makeAgain();
      }
    }
    if (misdirected && third.nextInt(10) == 0) {
      otherCluster = !otherCluster;
      elsewhere.clear();
      topics.keySet().stream().filter(each -> third.nextInt(3) > 0).forEach(elsewhere::add);
    }
    if (later && third.nextInt(4) == 0) {
      topic.claimLater(part, third);
    }
  }

  private void rarely(ModelTopic topic, int part) {
    switch (random.nextInt(6)) {
      case 0, 4, 5 -> topic.makeAgain();
      case 1 -> topic.parts.get(part).folded = topic.parts.get(part).settled;
      case 2 -> checkpoint();
      default -> accountNewest(topic);
    }
  }

  private void settle(ModelTopic topic, int part) {
    ModelTopic.Part log = topic.parts.get(part);
    if (log.settled < log.log.size()) {
      topic.settle(part);
      SettledEntry entry = log.log.get(log.settled - 1).entry();
      for (int copies = random.nextInt(4); copies > 1; copies--) {
        inbox.add(new ReadEntry(now, entry)); // none, one or two at times
      }
    }
  }

  private void accountNewest(ModelTopic topic) {
    for (ModelTopic.Part log : topic.parts) {
      if (log.settled > 0) {
        inbox.add(new ReadEntry(now, log.log.get(log.settled - 1).entry()));
      }
    }
  }

  private void snapshot() {
    Optional<Instant> due =
        Snapshots.due(
            SETTINGS.interval(), SETTINGS.lateness(), List.of(), ledger.state().lastTick(), now);
    if (due.isEmpty()) {
      return;
    }
    TreeMap<String, TopicEnds> ends = new TreeMap<>();
    List<ModelTopic.Row> rows = new ArrayList<>();
    for (ModelTopic topic : topics.values()) {
      topic.parts.forEach(part -> rows.addAll(part.rows));
      rows.addAll(topic.deleted);
      List<Long> answer = topic.parts.stream().map(part -> (long) part.rows.size()).toList();
      if (otherCluster && elsewhere.contains(topic.name)) {
        ends.put(
            topic.name,
            new TopicEnds(
                "other-" + topic.name,
                Collections.nCopies(answer.size(), 0L),
                Collections.emptySortedMap()));
      } else if (!otherCluster && topic.exists) {
        ends.put(topic.name, new TopicEnds(topic.topicId(), answer, Collections.emptySortedMap()));
      }
    }
    long number = ledger.number() + 1;
    Snapshot snapshot = new Snapshot(due.get(), now, otherCluster ? "other" : "cluster", ends);
    ends.values().forEach(each -> inSnapshots.add(each.topicId()));
    known.addAll(inSnapshots);
    if (ledger.state().lastTick().isEmpty()) {
      ends.values().forEach(each -> first.add(each.topicId()));
    }
    held.put(number, rows);
    taken.put(number, due.get());
    append(Snapshots.entry(ledger, snapshot, Map.of(), UUID.randomUUID(), now));
  }

  /** The topics that Kafka does not return. */
  private Set<String> gone() {
    Set<String> gone = new HashSet<>(topics.keySet());
    gone.removeIf(
        name ->
            otherCluster
                ? elsewhere.contains(name)
                : Objects.requireNonNull(topics.get(name)).exists);
    return gone;
  }

  /**
   * One cycle of the reckoner with a part of the inbox, and with all or some entries of the logs.
   */
  private void reckon(boolean readAll, boolean catalogAway) {
    Collections.shuffle(inbox, random);
    List<ReadEntry> accounts = List.copyOf(inbox.subList(0, random.nextInt(inbox.size() + 1)));
    Findings findings =
        new Findings(
            read(accounts, readAll ? Integer.MAX_VALUE : 1 + more.nextInt(3)),
            Scene.gone(gone()),
            Map.of(),
            Optional.empty(),
            Set.of(),
            catalogAway ? Scene.unavailable() : new Look(),
            Optional.empty());
    Decision decision = decide(findings);
    if (!decision.toLook().isEmpty()) {
      findings.look().seen.addAll(decision.toLook());
      decision = decide(findings);
    }
    assertThat(decision.toLook()).isEmpty();
    if (decision.changed()) {
      Ledger before = ledger;
      append(decision.entry(UUID.randomUUID(), now));
      check(before, decision);
    }
    inbox.removeIf(
        arrival ->
            Optional.ofNullable(ledger.state().topics().get(arrival.entry().topic()))
                .map(topic -> topic.at().get(arrival.entry().topicPartition()))
                .filter(at -> at.number() >= arrival.entry().number())
                .isPresent());
  }

  /** Reads each log up to the pointers to these entries, at most so many entries. */
  private List<LogRead> read(List<ReadEntry> accounts, int most) {
    List<LogRead> read = new ArrayList<>();
    for (ModelTopic topic : topics.values()) {
      for (int part = 0; part < topic.parts.size(); part++) {
        int number = part;
        List<ReadEntry> pointed =
            accounts.stream()
                .filter(each -> each.entry().topic().equals(topic.name))
                .filter(each -> each.entry().topicPartition() == number)
                .toList();
        read.add(topic.log(part).read(ledger, topic.name, part, pointed, most));
      }
    }
    return read;
  }

  private Decision decide(Findings findings) {
    return Reckoning.decide(ledger, SETTINGS, findings, SPANS, now);
  }

  private void acknowledge() {
    List<Hold> open = ledger.state().holds().stream().filter(Hold::open).toList();
    if (!open.isEmpty()) {
      Hold hold = open.get(random.nextInt(open.size()));
      acknowledged.add(hold);
      append(
          new Acknowledgement("ann", "known", hold::equals, Set.of(), Set.of())
              .entry(ledger, UUID.randomUUID(), now));
    }
  }

  /** The ledger continues from the checkpoint that a new reckoner would read. */
  private void checkpoint() {
    Ledger read =
        Ledger.EMPTY.after(
            new NumberedEntry<>(
                ledger.number(), reread(ledger.checkpoint(UUID.randomUUID(), now))));
    assertThat(read).isEqualTo(ledger);
    ledger = read;
  }

  private void append(LedgerEntry entry) {
    ledger = ledger.after(new NumberedEntry<>(ledger.number() + 1, reread(entry)));
  }

  private static LedgerEntry reread(LedgerEntry entry) {
    try {
      LedgerEntry read = LedgerEntry.FORMAT.read(LedgerEntry.FORMAT.write(entry), "memory");
      assertThat(read).isEqualTo(entry);
      return read;
    } catch (CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private void check(Ledger before, Decision decision) {
    noteTaken(before);
    decision
        .covered()
        .forEach(
            (topic, covering) -> {
              held.forEach(
                  (snapshot, rows) -> {
                    if (snapshot <= covering.snapshot()) {
                      rows.forEach(row -> checkHeld(topic, row, covering.snapshot()));
                    }
                  });
            });
    LedgerState after = ledger.state();
    after
        .topics()
        .values()
        .forEach(topic -> topic.at().values().forEach(at -> known.add(at.topicId())));
    after.tables().forEach((name, table) -> checkTable(before, name, table));
    before
        .state()
        .topics()
        .forEach(
            (name, topic) ->
                assertThat(
                        monotone(
                            topic.through(),
                            Objects.requireNonNull(after.topics().get(name)).through()))
                    .isTrue());
    before
        .state()
        .tables()
        .forEach(
            (name, table) ->
                assertThat(
                        monotone(
                            table.through(),
                            Objects.requireNonNull(after.tables().get(name)).through()))
                    .isTrue());
    for (Completion completion : decision.completions()) {
      statements++;
      check(completion);
    }
    assertThat(Objects.requireNonNull(after.groups().get("all")).through())
        .isEqualTo(
            after.tables().values().stream().allMatch(table -> table.through().isPresent())
                ? after.tables().values().stream()
                    .flatMap(t -> t.through().stream())
                    .min(Instant::compareTo)
                : Optional.empty());
  }

  /** A table is complete also in the topics that it no longer has. */
  private void checkTable(Ledger before, String name, TableState table) {
    Optional<Instant> was =
        Optional.ofNullable(before.state().tables().get(name)).flatMap(TableState::through);
    if (table.through().isEmpty() || table.through().equals(was)) {
      return;
    }
    held.forEach(
        (snapshot, rows) -> {
          if (!Objects.requireNonNull(taken.get(snapshot)).isAfter(table.through().get())) {
            topics.values().stream()
                .filter(topic -> topic.table.toString().equals(name))
                .forEach(topic -> rows.forEach(row -> checkHeld(topic.name, row, snapshot)));
          }
        });
  }

  /** Each record that Kafka had at the snapshot is visible, or counted, or known to an operator. */
  private void checkHeld(String topic, ModelTopic.Row row, long snapshot) {
    if (row.topicId.startsWith(topic + "-life-")) {
      boolean excused =
          acknowledged(topic, row)
              || (row.beforeLog && first.contains(row.topicId))
              || (!inSnapshots.contains(row.topicId) && acknowledgedBefore(topic, row));
      assertThat(excused || (row.settled && !row.deleted && !row.lost))
          .as(
              "%s-%d@%d of %s is visible or counted, as snapshot %d is covered: %s",
              topic, row.topicPartition, row.offset, row.topicId, snapshot, row)
          .isTrue();
    }
  }

  private static boolean monotone(Optional<Instant> before, Optional<Instant> after) {
    return before.isEmpty() || (after.isPresent() && !after.get().isBefore(before.get()));
  }

  private boolean acknowledged(String topic, ModelTopic.Row row) {
    return acknowledged.stream()
        .anyMatch(
            hold ->
                hold.topic().equals(topic)
                    && hold.topicPartition() == row.topicPartition
                    && hold.topicId().equals(row.topicId)
                    && hold.from() <= row.offset
                    && row.offset < hold.to());
  }

  /**
   * True if the row's topic, which is in no snapshot, or one before it was acknowledged as deleted,
   * or if the ledger knows neither. It was made and deleted between two snapshots, so the ledger
   * does not know all of its topic-partitions.
   */
  private boolean acknowledgedBefore(String topic, ModelTopic.Row row) {
    int life = life(row.topicId);
    return known.stream()
            .filter(id -> id.startsWith(topic + "-life-"))
            .noneMatch(id -> life(id) <= life)
        || acknowledged.stream()
            .filter(hold -> hold.topic().equals(topic) && hold.kind() == HoldKind.DELETED)
            .filter(hold -> hold.topicId().startsWith(topic + "-life-"))
            .anyMatch(hold -> life(hold.topicId()) <= life);
  }

  private static int life(String topicId) {
    return Integer.parseInt(topicId.substring(topicId.lastIndexOf('-') + 1));
  }

  /** Counts the late records, and the topics whose totals are no longer known. */
  private void noteTaken(Ledger before) {
    for (ModelTopic topic : topics.values()) {
      TopicState state = ledger.state().topics().getOrDefault(topic.name, TopicState.unknown());
      if (state.partialBefore().isPresent()) {
        partial.add(topic.table.toString());
      }
      for (int part = 0; part < topic.parts.size(); part++) {
        long from = number(before, topic.name, part);
        long to = number(ledger, topic.name, part);
        for (long number = from + 1; number <= to; number++) {
          for (ModelTopic.Row row : topic.parts.get(part).log.get((int) number - 1).rows()) {
            Instant until = ModelTopic.from(row.hour + 1);
            boolean isLate =
                Optional.ofNullable(before.state().tables().get(topic.table.toString()))
                    .flatMap(TableState::through)
                    .filter(through -> !until.isAfter(through))
                    .isPresent();
            if (row.landed && isLate) {
              late.merge(
                  new HivePartitionId(topic.table, ModelTopic.hivePartition(row.hour)),
                  1L,
                  Long::sum);
            }
          }
        }
      }
    }
  }

  private static long number(Ledger ledger, String topic, int part) {
    TopicState state = ledger.state().topics().getOrDefault(topic, TopicState.unknown());
    return Optional.ofNullable(state.at().get(part)).map(Position::number).orElse(0L);
  }

  private void check(Completion completion) {
    HivePartitionTotal total = completion.total();
    List<ModelTopic.Row> landed = new ArrayList<>();
    for (ModelTopic topic : topics.values()) {
      if (topic.table.equals(total.table())) {
        for (int part = 0; part < topic.parts.size(); part++) {
          for (ModelTopic.LogEntry entry :
              topic.parts.get(part).log.subList(0, (int) number(ledger, topic.name, part))) {
            entry.rows().stream()
                .filter(row -> row.landed && row.hour == ModelTopic.hour(total.hivePartition()))
                .forEach(landed::add);
          }
        }
      }
    }
    if (partial.contains(total.table().toString())) {
      assertThat(total.records()).isLessThanOrEqualTo(landed.size());
      // The files of folded entries are not known. It is also not known that their records arrived
      // before their time.
      long known = landed.stream().filter(row -> !row.ahead).count();
      assertThat(total.partial() || total.records() >= known).as("%s", total).isTrue();
    } else {
      assertThat(total.records()).as("records of %s", total.id()).isEqualTo(landed.size());
      assertThat(total.late())
          .as("late records of %s", total.id())
          .isEqualTo(late.getOrDefault(total.id(), 0L));
      assertThat(total.partial()).isFalse();
    }
  }

  /** Lands and accounts for everything. Then everything is complete. */
  void settleEverything() {
    otherCluster = false;
    for (ModelTopic topic : topics.values()) {
      topic.pins = true;
      if (!topic.exists) {
        topic.makeAgain();
      }
      for (int part = 0; part < topic.parts.size(); part++) {
        ModelTopic.Part log = topic.parts.get(part);
        topic.claim(part); // of the present life
        while (log.state.next() < log.rows.size()) {
          topic.commit(part, random);
        }
        while (log.settled < log.log.size()) {
          topic.settle(part);
        }
      }
    }
    // Records of an earlier life of a topic may arrive while no snapshot waits for them. The next
    // snapshot shows them.
    for (int snapshots = 0; snapshots < 2; snapshots++) {
      now = now.plus(Duration.ofHours(HOURS + 2));
      snapshot();
      for (int i = 0; i < 100 && !(complete() && takenAll()); i++) {
        topics.values().forEach(this::accountNewest);
        reckon(true, false);
        acknowledge();
      }
      assertThat(complete()).as("complete: %s", ledger.state()).isTrue();
    }
    assertThat(ledger.state().pending()).isEmpty();
    assertThat(ledger.totals().values()).allMatch(open -> open.completedAt().isPresent());
  }

  private boolean complete() {
    return !ledger.state().tables().isEmpty()
        && ledger.state().tables().values().stream()
            .allMatch(table -> table.through().equals(ledger.state().lastTick()))
        && ledger.state().pending().isEmpty();
  }

  private boolean takenAll() {
    for (ModelTopic topic : topics.values()) {
      for (int part = 0; part < topic.parts.size(); part++) {
        if (number(ledger, topic.name, part) < topic.parts.get(part).log.size()) {
          return false;
        }
      }
    }
    return true;
  }
}
