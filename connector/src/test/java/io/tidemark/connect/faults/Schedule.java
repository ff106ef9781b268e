package io.tidemark.connect.faults;

import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A run of random steps and faults that follows from a seed. Some tasks land some topics. Meanwhile
 * topic-partitions move, tasks die or sleep and wake late, clocks are set, services are
 * unavailable, and calls have every fate. Records are delivered again or deleted by retention,
 * leaders change, records are truncated, logs are restored from older copies, topics come and go
 * ({@link TopicHazards}), another cluster answers, and a catalog is switched on later. The tables
 * of one topic may refuse some of its records. Then all faults end. All other topics must have
 * landed while this topic waits for an operator. Finally each record must have landed, or be a dead
 * letter or skipped if it cannot land.
 */
final class Schedule {
  private static final long FAULTS_MS = 8_000;
  private static final int MOST_HOURS_OFF = 48;

  private static final List<Fate> FAULTS =
      Stream.of(Fate.values())
          .filter(fate -> fate != Fate.SUCCEEDS && fate != Fate.REPEATED)
          .toList();
  private static final List<String> SERVICES =
      List.of("storage", "catalog", "kafka", "registry", "letters");

  private final DrawnSettings settings;
  private final World world;
  private final SimulatedProducers producers;
  private final TopicHazards topics;
  private final CombinedHazards together;
  private final BrokerHazards brokers;
  private final Random random;
  private final double faultsPerCall;
  private final long endMs;

  /** Decides about hazards that were added later, so that older seeds keep their meaning. */
  private final Random hostile;

  /** Decides about records that their tables refuse. */
  private final Random refusing;

  /** Decides which calls the store's client repeats after their answer was lost. */
  private final Random repeating;

  /**
   * Whether the name node returns the first answer for a repeated call. Otherwise the client may
   * get another answer. A client of a single name node repeats no such call.
   */
  private final boolean retryCache;

  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private String away = "none";

  private Schedule(long seed, UnaryOperator<Storage> storageOfTasks) {
    settings = DrawnSettings.of(seed);
    hostile = new Random(seed * 0xE7037ED1A0B428DBL);
    refusing = new Random(seed * 0x94D049BB133111EBL);
    repeating = new Random(seed * 0x1D8E4E27C47D124FL);
    retryCache = repeating.nextBoolean();
    world = new World(settings.worldSeed(), settings.landing(), storageOfTasks);
    producers = new SimulatedProducers(world, settings.reckoned().isPresent());
    topics = new TopicHazards(seed, this, world, settings, FAULTS_MS);
    together = new CombinedHazards(seed, this, world, settings.reckoned().isPresent(), FAULTS_MS);
    brokers = new BrokerHazards(seed, this, world, FAULTS_MS);
    if (settings.latest()) {
      world.kafka().resetToLatest();
    }
    if (settings.byNames()) {
      world.connector().byNames();
    }
    random = world.simulation().random();
    endMs = world.simulation().nowMs() + FAULTS_MS;
    faultsPerCall = random.nextInt(4) * 0.005;
  }

  /** Runs a schedule and judges the outcome of its records. */
  static Verdict run(long seed) {
    return run(seed, storage -> storage);
  }

  /** Runs a schedule as {@link #run(long)} does, with a store that the tasks see differently. */
  static Verdict run(long seed, UnaryOperator<Storage> storageOfTasks) {
    var schedule = new Schedule(seed, storageOfTasks);
    schedule.begin();
    schedule.world.simulation().run(FAULTS_MS);
    schedule.end();
    Verdict verdict = Verdict.of(schedule.world);
    verdict.reached().addAll(schedule.reached);
    verdict.reached().addAll(schedule.together.reached());
    if (schedule.topics.resized()) {
      verdict.reached().add(Hazard.RESIZED_TOPIC);
    }
    return verdict;
  }

  private void begin() {
    int chosen = 1 + random.nextInt(2);
    Landing landing = world.landing();
    int number = landing.shared() || landing.refusal() != Refusal.NONE ? 2 : chosen;
    for (int topic = 0; topic < number; topic++) {
      world.kafka().create("topic" + topic, 1 + random.nextInt(2));
      for (TopicPartition each : world.topicPartitions("topic" + topic)) {
        produce(each);
        sometime(random, () -> produce(each));
      }
    }
    if (settings.catalogLater()) {
      world.connector().withCatalog(false);
      sometime(random, () -> switchCatalog(true));
      sometime(random, () -> switchCatalog(false));
    }
    int tasks = 1 + random.nextInt(3);
    for (int task = 0; task < tasks; task++) {
      world.startTask();
    }
    rebalance();
    settings.reckoned().ifPresent(world::reckon);
    world.connector().startSettling(random.nextLong(FAULTS_MS));
    topics.begin();
    if (settings.reckoned().isPresent()) {
      for (int left = 1 + random.nextInt(5); left > 0; left--) {
        sometime(random, this::disturbReckoners);
      }
      beHostile();
    }
    landing.refusal().kind().ifPresent(this::refuse);
    world.fates((process, call) -> fate(call));
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      sometime(random, this::disturb);
    }
    for (int left = repeating.nextInt(4); left > 0; left--) {
      sometime(repeating, this::hangNameNode);
    }
    together.begin();
    brokers.begin();
  }

  /**
   * Another name node becomes active while the active one hangs. When that one wakes, the clients
   * of some processes still read from it, until an operator stops it.
   */
  private void hangNameNode() {
    Optional<Storage> former = Optional.of(world.storage().copy());
    for (SimulatedProcess process : world.processes()) {
      if (repeating.nextBoolean()) {
        process.readFrom(former);
        reached.add(Hazard.FORMER_NAME_NODE);
        sometime(repeating, () -> process.leave(former));
      }
    }
  }

  private void end() {
    topics.end();
    together.end();
    away = "none";
    world.processes().forEach(process -> process.readFrom(Optional.empty()));
    world.kafka().metadata().settle();
    world.connector().withCatalog(true);
    world.operator().restoreTable();
    world.refusals().awaitHeld();
    world.refusals().act();
    world.after().settle();
    world.after().restart();
  }

  boolean faultsAreOver() {
    return world.simulation().nowMs() >= endMs;
  }

  /** Lets something happen at a time that is drawn. */
  void sometime(Random choice, Runnable what) {
    long left = Math.max(1, endMs - world.simulation().nowMs());
    world.simulation().after(choice.nextLong(left), what);
  }

  /**
   * Some records of the first topic are refused, with other records behind them. The operator may
   * act during the faults.
   */
  private void refuse(RecordKind kind) {
    for (int left = 1 + refusing.nextInt(3); left > 0; left--) {
      List<TopicPartition> refused = world.topicPartitions("topic0");
      TopicPartition one = refused.get(refusing.nextInt(refused.size()));
      sometime(refusing, () -> produceRefused(one, kind));
    }
    if (refusing.nextBoolean()) {
      sometime(refusing, world.refusals()::act);
    }
  }

  private void produceRefused(TopicPartition topicPartition, RecordKind kind) {
    if (!world.kafka().metadata().showsFormerLife(topicPartition.topic())) {
      world.kafka().produce(topicPartition, producers.timestamp(), kind);
      produce(topicPartition);
    }
  }

  /** Topic-partitions have no leader for a while, and batches are announced. */
  private void beHostile() {
    boolean leadersGo = hostile.nextInt(3) == 0;
    for (int left = leadersGo ? 1 + hostile.nextInt(4) : 0; left > 0; left--) {
      long lastsMs = 1 + hostile.nextLong(FAULTS_MS);
      sometime(
          hostile,
          () ->
              someTopicPartition()
                  .ifPresent(
                      lost -> {
                        world.kafka().lead(lost, false);
                        world.simulation().after(lastsMs, () -> world.kafka().lead(lost, true));
                      }));
    }
    world
        .announcements()
        .ifPresent(
            batches -> {
              for (int left = 1 + hostile.nextInt(6); left > 0; left--) {
                sometime(hostile, () -> batches.announce(hostile));
              }
            });
  }

  /** Later records belong to other hours, which are new to the catalog. */
  private void switchCatalog(boolean on) {
    world.connector().withCatalog(on);
    producers.laterHours();
    for (TopicPartition topicPartition : world.kafka().topicPartitions()) {
      sometime(random, () -> produce(topicPartition));
      sometime(random, () -> produce(topicPartition));
    }
  }

  /** Deletes a topic, and creates it at once. */
  void recreate(String topic) {
    topics.recreate(topic);
  }

  void produce(TopicPartition topicPartition) {
    producers.produce(topicPartition);
  }

  private Fate fate(String call) {
    if (topics.condemns(call)) {
      return Fate.DIES_BEFORE;
    }
    if (call.startsWith(away) || together.fails(call)) {
      return Fate.FAILS;
    }
    if (random.nextDouble() >= faultsPerCall) {
      return Fate.SUCCEEDS;
    }
    noticeLater();
    Fate fate = FAULTS.get(random.nextInt(FAULTS.size()));
    if (fate != Fate.LOSES_ITS_ANSWER || retryCache || repeating.nextBoolean()) {
      return fate;
    }
    if (call.startsWith("storage ")) {
      reached.add(Hazard.REPEATED_CHANGE);
    } else if (call.startsWith("catalog ")) {
      reached.add(Hazard.REPEATED_REGISTRATION);
    }
    return Fate.REPEATED;
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
        world.simulation().after(random.nextLong(FAULTS_MS / 2), () -> away = "none");
      }
      case 11 -> setClock();
      case 12 -> {
        world.operator().removeLogs();
        noticeLater();
      }
      case 16 -> {
        world.operator().nameOtherCluster();
        noticeLater();
        sometime(random, world.operator()::nameOwnCluster);
      }
      default -> someTopicPartition().ifPresent(this::disturb);
    }
  }

  private void disturb(TopicPartition some) {
    switch (random.nextInt(9)) {
      case 0 -> world.owner(some).ifPresent(task -> task.rewind(some, 1 + random.nextInt(10)));
      case 1 -> world.kafka().of(some).retain(world.kafka().earliest(some) + random.nextInt(15));
      case 2 -> world.kafka().elect(some);
      case 3 -> truncate(some);
      case 4 -> restoreOlderLog(some, () -> {});
      case 5 -> {
        world.operator().removeTable(some.topic());
        noticeLater();
      }
      case 6 -> openTransaction(some);
      case 7 -> world.kafka().of(some).compact(random.nextLong());
      default -> topics.recreate(some.topic());
    }
  }

  private void disturbReckoners() {
    SimulatedReckoners reckoners = world.reckoners().orElseThrow();
    switch (random.nextInt(10)) {
      case 0 -> {
        reckoners.sleep(random.nextLong(FAULTS_MS));
        noticeLater();
      }
      case 1 -> {
        reckoners.die();
        noticeLater();
      }
      case 2 -> reckoners.start();
      case 3 -> reckoners.setClock(offMs());
      case 4 -> new CompletenessOperator(world, reckoners).acknowledgeAll();
      case 5 -> reckoners.putAgain();
      case 7 -> {
        var older = random.nextInt(3) == 0 ? reckoners.none() : reckoners.copy();
        sometime(random, () -> reckoners.restore(older));
      }
      case 8 -> {
        var older = reckoners.copy();
        someTopicPartition().ifPresent(log -> restoreOlderLog(log, () -> reckoners.restore(older)));
      }
      default -> reckoners.loseAccount();
    }
  }

  /** Some records wait for the end of their transaction, and delay records of other producers. */
  private void openTransaction(TopicPartition held) {
    if (!world.kafka().beginTransaction(held)) {
      return;
    }
    produce(held);
    sometime(random, () -> world.kafka().of(held).endTransaction());
  }

  /** An unclean leader election truncates the last records. New records get their offsets. */
  private void truncate(TopicPartition truncated) {
    if (!world.isNoticed(truncated)) {
      return; // A record that was delivered may land for the former topic.
    }
    long end = world.kafka().end(truncated);
    long earliest = world.kafka().earliest(truncated);
    world.kafka().truncate(truncated, Math.max(earliest, end - 1 - random.nextInt(15)));
    for (int more = random.nextInt(3); more > 0; more--) {
      sometime(random, () -> produce(truncated));
    }
  }

  /** Restores an older copy of a log, and of what belongs to it. */
  private void restoreOlderLog(TopicPartition restored, Runnable withIt) {
    CopiedTree older = world.operator().copyOfLog(restored);
    if (older.hasFiles()) {
      sometime(
          random,
          () -> {
            // Calls that are on their way to the store take effect before the copy is put there.
            world.operator().restoreOlderLog(restored, older);
            withIt.run();
            noticeLater();
          });
    }
  }

  /** A process sleeps between two calls. Connect may or may not notice. */
  private void sleep() {
    someTask()
        .ifPresent(
            task -> {
              task.process().fallAsleep();
              task.hearsAfter(random.nextInt(4));
              world.simulation().after(random.nextLong(FAULTS_MS), task.process()::wake);
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
    return (random.nextBoolean() ? hours : -hours) * DrawnSettings.HOUR_MS;
  }

  /** Some topic-partitions move to other tasks. */
  private void rebalance() {
    for (TopicPartition topicPartition : world.assignable()) {
      if (world.owner(topicPartition).isEmpty() || random.nextBoolean()) {
        someTask()
            .ifPresent(task -> world.assign(List.of(topicPartition), task, random.nextBoolean()));
      }
    }
  }

  /** Connect notices that tasks are absent. */
  void noticeLater() {
    world.simulation().after(random.nextLong(FAULTS_MS / 4), world::replaceAbsent);
  }

  private Optional<SimulatedTask> someTask() {
    List<SimulatedTask> members = world.members();
    return members.isEmpty()
        ? Optional.empty()
        : Optional.of(members.get(random.nextInt(members.size())));
  }

  private Optional<TopicPartition> someTopicPartition() {
    List<TopicPartition> all = world.kafka().topicPartitions();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }
}
