package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A run of random steps and faults that follows from a seed. Some tasks land some topics. Meanwhile
 * topic-partitions move, tasks die or sleep and wake late, clocks are set, services are
 * unavailable, and calls have every fate. Records are delivered again or deleted by retention,
 * leaders change, records are truncated, logs are restored from older copies, topics are recreated
 * or vanish, another cluster answers, and a catalog is switched on later. The tables of one topic
 * may refuse some of its records. Then all faults end. All other topics must have landed while this
 * topic waits for an operator. Finally each record must have landed, or be a dead letter or skipped
 * if it cannot land.
 */
final class Schedule {
  private static final long HOUR_MS = 3_600_000;
  private static final long DISTURBED_MS = 8_000;

  /** Longer than a topic must be unknown to Kafka to count as deleted. */
  private static final long VANISHED_MS = 90_000;

  private static final long STALE_MS = 1_000;

  /** Longer than the time after which a topic that no broker has counts as deleted. */
  private static final long OUTDATED_MS = 80_000;

  private static final int MOST_HOURS_OFF = 48;

  /**
   * One of this number of schedules has reckoners, which cost several times as much as all else.
   * Among the first seeds more schedules have them, so that a short run reaches all hazards.
   */
  private static final int RECKONED_SHARE = 12;

  private static final int RECKONED_SHARE_OF_FIRST = 4;
  private static final long FIRST_SEEDS = 1_000;

  /** The range of event times around the present, both sides together. */
  private static final int SPREAD_MS = 8_000;

  private static final List<Fate> FAULTS =
      Stream.of(Fate.values()).filter(fate -> fate != Fate.SUCCEEDS).toList();
  private static final List<String> SERVICES =
      List.of("storage", "catalog", "kafka", "registry", "letters");
  private static final PartitionSpec HOURLY =
      new TimePartitioned(
          PathFormat.parse("'hour'=HH", Locale.ROOT),
          ZoneOffset.UTC,
          Duration.ofHours(1),
          Optional.empty());

  /** Its Hive partitions follow one after another, so that each can become complete. */
  private static final PartitionSpec BY_FIVE_SECONDS =
      new TimePartitioned(
          PathFormat.parse("'begins'=yyyy-MM-dd-HH-mm-ss", Locale.ROOT),
          ZoneOffset.UTC,
          Duration.ofSeconds(5),
          Optional.empty());

  /**
   * Partitions by the time at which a record is read. A record that is read again nearly always
   * goes to another Hive partition.
   */
  private static final PartitionSpec BY_THE_MILLISECOND =
      new TimePartitioned(
          PathFormat.parse("'read'=yyyy-MM-dd-HH-mm-ss-SSS", Locale.ROOT),
          ZoneOffset.UTC,
          Duration.ofMillis(1),
          Optional.empty());

  private static final List<RecordKind> ODD_KINDS =
      Stream.of(RecordKind.values()).filter(RecordKind::odd).toList();
  private static final List<Refusal> REFUSALS =
      Stream.of(Refusal.values()).filter(refusal -> refusal != Refusal.NONE).toList();
  private static final List<PartitionSpec> PARTITIONINGS =
      List.of(PartitionSpec.NONE, HOURLY, new FieldPartitioned(List.of("market")));

  private final World world;
  private final Random random;
  private final double faultsPerCall;
  private final long endMs;
  private final boolean catalogLater;
  private final Optional<LedgerSettings> reckoned;

  /** Decides about hazards that were added later, so that older seeds keep their meaning. */
  private final Random hostile;

  /** Decides about records that their tables refuse, and about what topics share. */
  private final Random further;

  /** Decides about topics that vanish, and about another cluster. */
  private final Random vanishing;

  private final boolean topicVanishes;
  private final boolean misdirected;

  /** Decides about metadata that is outdated or that the connector may not see. */
  private final Random metadata;

  private final boolean outdatedForLong;

  /** Decides about topics that are recreated while tasks have records of them. */
  private final Random recreations;

  private final boolean leadersGo;
  private final boolean announcing;
  private String away = "none";
  private int firstHour;

  private Schedule(long seed, UnaryOperator<Storage> storageOfTasks) {
    var choice = new Random(seed);
    // Neighbouring seeds have nearly the same first random number.
    catalogLater = new Random(seed * 0x9E3779B97F4A7C15L).nextInt(4) == 0;
    var reckoning = new Random(seed * 0xA0761D6478BD642FL);
    reckoned =
        reckoning.nextInt(seed < FIRST_SEEDS ? RECKONED_SHARE_OF_FIRST : RECKONED_SHARE) == 0
            ? Optional.of(settings(reckoning))
            : Optional.empty();
    hostile = new Random(seed * 0xE7037ED1A0B428DBL);
    metadata = new Random(seed * 0x94D049BB133111EBL);
    outdatedForLong = reckoned.isPresent() && metadata.nextInt(8) == 0;
    recreations = new Random(seed * 0xBF58476D1CE4E5B9L);
    leadersGo = reckoned.isPresent() && hostile.nextInt(3) == 0;
    announcing = reckoned.isPresent() && hostile.nextInt(3) == 0;
    vanishing = new Random(seed * 0xD6E8FEB86659FD93L);
    topicVanishes = reckoned.isPresent() && vanishing.nextInt(4) == 0;
    misdirected = reckoned.isPresent() && vanishing.nextInt(4) == 0;
    boolean bySeconds = reckoned.isPresent() && reckoning.nextBoolean();
    long worldSeed = choice.nextLong();
    PartitionSpec partitioning = PARTITIONINGS.get(choice.nextInt(PARTITIONINGS.size()));
    var limits = new Random(seed * 0x8EBC6AF09C88C6E3L);
    further = new Random(seed * 0xBF58476D1CE4E5B9L);
    OnRefusal onRefusal = further.nextBoolean() ? OnRefusal.HOLD_TOPIC : OnRefusal.STOP_TASK;
    Refusal refusal =
        further.nextInt(4) == 0 ? REFUSALS.get(further.nextInt(REFUSALS.size())) : Refusal.NONE;
    boolean shared = further.nextInt(4) == 0 | (topicVanishes && vanishing.nextBoolean());
    boolean bySecondsRead = reckoned.isPresent() && further.nextInt(4) == 0;
    boolean wallclock = bySecondsRead || (reckoned.isEmpty() && limits.nextInt(8) == 0);
    int hivePartitions = limits.nextInt(3) == 0 ? 1 + limits.nextInt(2) : 100;
    Routes routes = routes(new Random(seed * 0x9FB21C651E98DF25L));
    PartitionSpec byTime = wallclock && !bySecondsRead ? BY_THE_MILLISECOND : BY_FIVE_SECONDS;
    world =
        new World(
            worldSeed,
            new Landing(
                bySeconds || wallclock ? byTime : partitioning,
                5 + choice.nextInt(40),
                3 + choice.nextInt(10),
                300 + choice.nextInt(1_500),
                1 + choice.nextInt(3),
                choice.nextBoolean() ? NullValues.IGNORE : NullValues.DEAD_LETTER,
                Math.max(choice.nextInt(4), refusal == Refusal.UNROUTED_DEAD_LETTERS ? 1 : 0),
                hivePartitions,
                fileLimits(new Random(seed * 0xC2B2AE3D27D4EB4FL)),
                refusal.byName() ? Routes.BY_RECORD : routes,
                wallclock,
                onRefusal,
                refusal,
                shared),
            storageOfTasks);
    if (new Random(seed * 0xD1B54A32D192ED03L).nextInt(4) == 0) {
      world.kafka().resetToLatest();
    }
    random = world.simulation().random();
    endMs = world.simulation().nowMs() + DISTURBED_MS;
    faultsPerCall = random.nextInt(4) * 0.005;
  }

  /** Half of the schedules lead the records of a topic to two tables. */
  private static Routes routes(Random choice) {
    return switch (choice.nextInt(4)) {
      case 0 -> Routes.BY_RECORD;
      case 1 -> Routes.BY_FIELD;
      default -> Routes.NONE;
    };
  }

  /** Every second schedule has files that end before their batch, by each of the limits. */
  private static FileLimits fileLimits(Random choice) {
    choice.nextInt();
    return choice.nextBoolean()
        ? FileLimits.NONE
        : new FileLimits(
            (long) choice.nextInt(3) * (1 + choice.nextInt(4)),
            choice.nextInt(3) == 0 ? 1 + choice.nextInt(500) : 0,
            choice.nextInt(3) == 0 ? HOUR_MS / (1 + choice.nextInt(4_000)) : 0);
  }

  /** All times are short, so that some ticks of the reckoner happen during the faults. */
  private static LedgerSettings settings(Random choice) {
    Duration interval = Duration.ofMillis(1_000 + 1_000L * choice.nextInt(4));
    int halves = choice.nextInt(3);
    boolean idleHolds = choice.nextInt(4) == 0;
    Set<HoldKind> holdOn = EnumSet.of(HoldKind.LOST, HoldKind.DELETED, HoldKind.UNSEEN);
    TopicRules.Rule rule = new TopicRules.Rule(idleHolds, holdOn);
    TopicRules.Rule other = new TopicRules.Rule(!idleHolds, holdOn);
    return new LedgerSettings(
        interval,
        Duration.ofMillis(500L * halves),
        new TopicRules(rule, halves == 2 ? Map.of("trades", other) : Map.of()),
        Duration.ofSeconds(2),
        Optional.empty(),
        new TreeMap<>(),
        new TreeMap<>());
  }

  /** Runs a schedule and judges the outcome of its records. */
  static Verdict run(long seed) {
    return run(seed, storage -> storage);
  }

  /** Runs a schedule as {@link #run(long)} does, with a store that the tasks see differently. */
  static Verdict run(long seed, UnaryOperator<Storage> storageOfTasks) {
    var schedule = new Schedule(seed, storageOfTasks);
    schedule.begin();
    schedule.world.simulation().run(DISTURBED_MS);
    schedule.letTopicsReturn();
    if (schedule.outdatedForLong) {
      schedule.world.simulation().run(OUTDATED_MS);
    }
    schedule.world.kafka().settleMetadata();
    schedule.world.withCatalog(true);
    schedule.world.operator().nameOwnCluster();
    schedule.world.operator().restoreTable();
    schedule.world.refusals().awaitHeld();
    schedule.world.refusals().act();
    schedule.world.settle();
    schedule.world.restart();
    return Verdict.of(schedule.world);
  }

  private void begin() {
    int chosen = 1 + random.nextInt(2);
    Landing landing = world.landing();
    int topics = landing.shared() || landing.refusal() != Refusal.NONE ? 2 : chosen;
    for (int topic = 0; topic < topics; topic++) {
      int partitions = 1 + random.nextInt(2);
      for (int partition = 0; partition < partitions; partition++) {
        var topicPartition = new TopicPartition("topic" + topic, partition);
        world.kafka().create(topicPartition);
        produce(topicPartition);
        sometime(() -> produce(topicPartition));
      }
    }
    if (catalogLater) {
      world.withCatalog(false);
      sometime(() -> switchCatalog(true));
      sometime(() -> switchCatalog(false));
    }
    int tasks = 1 + random.nextInt(3);
    for (int task = 0; task < tasks; task++) {
      world.startTask();
    }
    rebalance();
    if (reckoned.isPresent()) {
      changeMetadata();
      world.reckon(announcing ? withBatches(reckoned.get()) : reckoned.get());
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        sometime(this::disturbReckoners);
      }
    }
    beHostile();
    misdirect();
    landing.refusal().kind().ifPresent(this::refuse);
    if (recreations.nextInt(4) == 0) {
      world.simulation().after(recreations.nextLong(DISTURBED_MS / 2), this::recreateWhileOpen);
    }
    world.fates((process, call) -> fate(call));
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      sometime(this::disturb);
    }
  }

  /**
   * Some records of the first topic are refused, with other records behind them. The operator may
   * act during the faults.
   */
  private void refuse(RecordKind kind) {
    for (int left = 1 + further.nextInt(3); left > 0; left--) {
      List<TopicPartition> refused = world.topicPartitions("topic0");
      TopicPartition one = refused.get(further.nextInt(refused.size()));
      world.simulation().after(further.nextLong(DISTURBED_MS), () -> produceRefused(one, kind));
    }
    if (further.nextBoolean()) {
      world.simulation().after(further.nextLong(DISTURBED_MS), world.refusals()::act);
    }
  }

  private void produceRefused(TopicPartition topicPartition, RecordKind kind) {
    if (!world.kafka().answersFormerLife(topicPartition.topic())) {
      world.kafka().produce(topicPartition, timestamp(), kind);
      produce(topicPartition);
    }
  }

  private static LedgerSettings withBatches(LedgerSettings settings) {
    return new LedgerSettings(
        settings.interval(),
        settings.lateness(),
        settings.rules(),
        settings.revisionInterval(),
        Optional.of(Duration.ofDays(7)),
        settings.tables(),
        settings.groups());
  }

  /** Topic-partitions have no leader for a while, and batches are announced. */
  private void beHostile() {
    for (int left = leadersGo ? 1 + hostile.nextInt(4) : 0; left > 0; left--) {
      List<TopicPartition> all = world.kafka().topicPartitions();
      TopicPartition lost = all.get(hostile.nextInt(all.size()));
      long lastsMs = 1 + hostile.nextLong(DISTURBED_MS);
      world
          .simulation()
          .after(
              hostile.nextLong(DISTURBED_MS),
              () -> {
                world.kafka().lead(lost, false);
                world.simulation().after(lastsMs, () -> world.kafka().lead(lost, true));
              });
    }
    world
        .announcements()
        .ifPresent(
            batches -> {
              for (int left = 1 + hostile.nextInt(6); left > 0; left--) {
                world
                    .simulation()
                    .after(hostile.nextLong(DISTURBED_MS), () -> batches.announce(hostile));
              }
            });
  }

  /** A topic vanishes, and the configuration names another cluster for a while. */
  private void misdirect() {
    if (topicVanishes) {
      List<String> topics = world.topics();
      String topic = topics.get(vanishing.nextInt(topics.size()));
      world.simulation().after(vanishing.nextLong(DISTURBED_MS), () -> world.kafka().vanish(topic));
    }
    if (vanishing.nextBoolean()) {
      world.kafka().otherIsEmpty();
    }
    if (misdirected) {
      long fromMs = vanishing.nextLong(DISTURBED_MS);
      world
          .simulation()
          .after(
              fromMs,
              () -> {
                world.operator().nameOtherCluster();
                noticeLater();
              });
      world
          .simulation()
          .after(
              fromMs + vanishing.nextLong(DISTURBED_MS), () -> world.operator().nameOwnCluster());
    }
  }

  /** Topics that have vanished do not exist for a while. Then they are created again. */
  private void letTopicsReturn() {
    List<String> vanished =
        world.topics().stream().filter(topic -> !world.kafka().exists(topic)).toList();
    if (vanished.isEmpty()) {
      return;
    }
    away = "none";
    world.simulation().run(vanishing.nextInt(4) == 0 ? STALE_MS : VANISHED_MS);
    for (String topic : vanished) {
      if (!world.kafka().exists(topic)) {
        world.kafka().makeAgain(topic);
      }
      world.topicPartitions(topic).forEach(this::produce);
      world.reopen(topic);
    }
  }

  /**
   * The connector's own client may not describe a topic for some time, possibly from the beginning.
   * A topic gets a topic-partition, or a table gets a topic, and some brokers learn it later.
   */
  private void changeMetadata() {
    for (String topic : world.topics()) {
      if (metadata.nextInt(3) == 0) {
        boolean early = metadata.nextBoolean();
        world.kafka().hide(topic, early);
        for (int left = metadata.nextInt(3); left > 0; left--) {
          boolean so = metadata.nextBoolean();
          world
              .simulation()
              .after(metadata.nextLong(DISTURBED_MS), () -> world.kafka().hide(topic, so));
        }
      }
    }
    if (outdatedForLong || metadata.nextInt(3) == 0) {
      boolean isNew = world.landing().shared() && metadata.nextBoolean();
      String topic = isNew ? "topic2" : "topic0";
      long learnedMs =
          outdatedForLong ? OUTDATED_MS + DISTURBED_MS : metadata.nextLong(DISTURBED_MS);
      long assignedMs = metadata.nextLong(DISTURBED_MS / 2);
      world
          .simulation()
          .after(
              metadata.nextLong(DISTURBED_MS),
              () -> {
                if (!world.kafka().exists(topic)) {
                  return;
                }
                int before = world.topicPartitions(topic).size();
                TopicPartition added = new TopicPartition(topic, before);
                world.kafka().create(added);
                world.kafka().outdate(topic, before);
                produce(added);
                world.simulation().after(learnedMs, () -> world.kafka().update(topic));
                world.simulation().after(assignedMs, world::replaceAbsent);
              });
    }
  }

  private void sometime(Runnable what) {
    long left = Math.max(1, endMs - world.simulation().nowMs());
    world.simulation().after(random.nextLong(left), what);
  }

  /** Later records belong to other hours, which are new to the catalog. */
  private void switchCatalog(boolean on) {
    world.withCatalog(on);
    firstHour += 2;
    for (TopicPartition topicPartition : world.kafka().topicPartitions()) {
      sometime(() -> produce(topicPartition));
      sometime(() -> produce(topicPartition));
    }
  }

  private void produce(TopicPartition topicPartition) {
    if (world.kafka().answersFormerLife(topicPartition.topic())) {
      // Records of the new life that land after an answer of the former life cannot be identified.
      world.simulation().after(STALE_MS, () -> produce(topicPartition));
      return;
    }
    int records = random.nextInt(25);
    int laterIn = random.nextInt(25);
    for (int i = 0; i < records; i++) {
      RecordKind kind =
          random.nextInt(10) == 0
              ? random.nextInt(3) == 0 ? RecordKind.DROPPED : oddKind()
              : i > laterIn && random.nextBoolean() ? RecordKind.LATER : RecordKind.EARLIER;
      world.kafka().produce(topicPartition, timestamp(), kind);
      if (random.nextInt(10) == 0) {
        world.kafka().gap(topicPartition, 1 + random.nextInt(4));
      }
    }
  }

  /** A time near the present if the time matters. */
  private long timestamp() {
    return reckoned.isPresent()
        ? world.simulation().nowMs() + random.nextInt(SPREAD_MS) - SPREAD_MS / 2
        : (firstHour + random.nextInt(2)) * HOUR_MS;
  }

  /** A kind of record that does not land, and does not stop the task. */
  private RecordKind oddKind() {
    if (!world.landing().deadLetters()) {
      return world.landing().nullValues() == NullValues.IGNORE
          ? RecordKind.TOMBSTONE
          : RecordKind.EARLIER;
    }
    return ODD_KINDS.get(random.nextInt(ODD_KINDS.size()));
  }

  private Fate fate(String call) {
    if (call.startsWith(away)) {
      return Fate.FAILS;
    }
    if (random.nextDouble() >= faultsPerCall) {
      return Fate.SUCCEEDS;
    }
    noticeLater();
    return FAULTS.get(random.nextInt(FAULTS.size()));
  }

  private void disturb() {
    switch (random.nextInt(18)) {
      case 0, 1 -> rebalance();
      case 2 -> {
        world.startTask();
        rebalance();
      }
      case 3 -> sleep();
      case 4 -> {
        someTask().ifPresent(task -> task.process().die());
        noticeLater();
      }
      case 5 -> {
        away = SERVICES.get(random.nextInt(SERVICES.size()));
        world.simulation().after(random.nextLong(DISTURBED_MS / 2), () -> away = "none");
      }
      case 6 -> {
        TopicPartition rewound = someTopicPartition();
        world.owner(rewound).ifPresent(task -> task.rewind(rewound, 1 + random.nextInt(10)));
      }
      case 7 -> {
        TopicPartition shortened = someTopicPartition();
        long earliest = world.kafka().earliest(shortened);
        world.kafka().retain(shortened, earliest + random.nextInt(15));
      }
      case 8 -> world.kafka().elect(someTopicPartition());
      case 9 -> truncate();
      case 10 -> restoreOlderLog();
      case 11 -> setClock();
      case 12 -> {
        world.operator().removeLogs();
        noticeLater();
      }
      case 13 -> {
        world.operator().removeTable(someTopicPartition().topic());
        noticeLater();
      }
      case 14 -> openTransaction();
      case 15 -> world.kafka().compact(someTopicPartition(), random.nextLong());
      case 16 -> {
        world.operator().nameOtherCluster();
        noticeLater();
        sometime(world.operator()::nameOwnCluster);
      }
      default -> {
        String topic = someTopicPartition().topic();
        world.recreate(topic);
        answerFormerLifeForAWhile(topic);
        for (TopicPartition topicPartition : world.kafka().topicPartitions()) {
          if (topicPartition.topic().equals(topic)) {
            sometime(() -> produce(topicPartition));
          }
        }
        // The consumer learns from the metadata that the topic did not exist for a while.
        world.simulation().after(random.nextLong(DISTURBED_MS / 4), () -> world.reopen(topic));
      }
    }
  }

  private void disturbReckoners() {
    SimulatedReckoners reckoners = world.reckoners().orElseThrow();
    switch (random.nextInt(6)) {
      case 0 -> {
        reckoners.sleep(random.nextLong(DISTURBED_MS));
        noticeLater();
      }
      case 1 -> {
        reckoners.die();
        noticeLater();
      }
      case 2 -> reckoners.start();
      case 3 -> reckoners.setClock(offMs());
      case 4 -> reckoners.acknowledge();
      default -> reckoners.loseAccount();
    }
  }

  /** Some records wait for the end of their transaction, and delay records of other producers. */
  private void openTransaction() {
    TopicPartition held = someTopicPartition();
    if (!world.kafka().beginTransaction(held)) {
      return;
    }
    produce(held);
    sometime(() -> world.kafka().endTransaction(held));
  }

  /** An unclean leader election truncates the last records. New records get their offsets. */
  private void truncate() {
    TopicPartition truncated = someTopicPartition();
    long end = world.kafka().end(truncated);
    long earliest = world.kafka().earliest(truncated);
    world.kafka().truncate(truncated, Math.max(earliest, end - 1 - random.nextInt(15)));
    for (int more = random.nextInt(3); more > 0; more--) {
      sometime(() -> produce(truncated));
    }
  }

  private void restoreOlderLog() {
    TopicPartition restored = someTopicPartition();
    CopiedTree older = world.operator().copyOfLog(restored);
    if (older.hasFiles()) {
      sometime(
          () -> {
            // Calls that are on their way to the store take effect before the copy is put there.
            world.operator().restoreOlderLog(restored, older);
            noticeLater();
          });
    }
  }

  /** Records are delivered, and before they are committed their topic is recreated. */
  private void recreateWhileOpen() {
    List<String> topics = world.topics();
    String topic = topics.get(recreations.nextInt(topics.size()));
    List<TopicPartition> topicPartitions = world.topicPartitions(topic);
    topicPartitions.forEach(this::produce);
    world
        .simulation()
        .after(
            1 + recreations.nextLong(500),
            () -> {
              world.recreate(topic);
              for (TopicPartition each : topicPartitions) {
                world.simulation().after(recreations.nextLong(STALE_MS), () -> produce(each));
              }
              if (recreations.nextBoolean()) {
                world
                    .simulation()
                    .after(recreations.nextLong(DISTURBED_MS / 4), () -> world.reopen(topic));
              }
            });
  }

  /** Brokers learn one after another that a topic was recreated. */
  private void answerFormerLifeForAWhile(String topic) {
    if (random.nextBoolean()) {
      world.kafka().answerFormerLife(topic, true);
      world
          .simulation()
          .after(random.nextLong(STALE_MS), () -> world.kafka().answerFormerLife(topic, false));
    }
  }

  /** A process sleeps between two calls. Connect may or may not notice. */
  private void sleep() {
    someTask()
        .ifPresent(
            task -> {
              task.process().fallAsleep();
              task.hearsAfter(random.nextInt(4));
              world.simulation().after(random.nextLong(DISTURBED_MS), task.process()::wake);
              if (random.nextBoolean()) {
                noticeLater();
              }
            });
  }

  /** An operator sets the clock of a host forward or back, by up to two days. */
  private void setClock() {
    long byMs = offMs();
    someTask().ifPresent(task -> task.process().setClock(byMs));
  }

  private long offMs() {
    long hours = 1L + random.nextInt(MOST_HOURS_OFF);
    return (random.nextBoolean() ? hours : -hours) * HOUR_MS;
  }

  /** Some topic-partitions move to other tasks. */
  private void rebalance() {
    for (TopicPartition topicPartition : world.kafka().topicPartitions()) {
      if (world.owner(topicPartition).isEmpty() || random.nextBoolean()) {
        someTask()
            .ifPresent(task -> world.assign(List.of(topicPartition), task, random.nextBoolean()));
      }
    }
  }

  private void noticeLater() {
    world.simulation().after(random.nextLong(DISTURBED_MS / 4), world::replaceAbsent);
  }

  private Optional<SimulatedTask> someTask() {
    List<SimulatedTask> members = world.members();
    return members.isEmpty()
        ? Optional.empty()
        : Optional.of(members.get(random.nextInt(members.size())));
  }

  private TopicPartition someTopicPartition() {
    List<TopicPartition> all = world.kafka().topicPartitions();
    return all.get(random.nextInt(all.size()));
  }
}
