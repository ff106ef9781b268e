package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerFolders;
import io.tidemark.connect.staging.Routing;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Kafka, a store and a catalog with their content, and the tasks of one connector. Connect assigns
 * topic-partitions to the tasks and revokes them.
 */
final class World {
  static final String LOG_ID = "quotes";

  /** The suffix of the name of a topic's other table. */
  private static final String OTHER = "_other";

  /** The suffix of the name of the table for which a rule is added. */
  private static final String ADDED = "_added";

  static final StoragePath LOGS = new StoragePath("/logs");
  static final LedgerFolders LEDGER = new LedgerFolders(new StoragePath("/ledger"), LOG_ID);
  static final StoragePath TOPICS = new StoragePath("/topics");

  private static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);
  private static final long SETTLED_WITHIN_MS = 3_600_000;
  static final long SETTLING_STEP_MS = 500;
  private static final int TOLD_RECORDS = 5;

  private final Simulation simulation;
  private final Landing landing;
  private final MemoryStorage storage;
  private final Storage storageOfTasks;
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final SimulatedKafka kafka;
  private final SimulatedDeadLetters deadLetters;
  private final List<SimulatedTask> tasks = new ArrayList<>();
  private final SimulatedOperator operator = new SimulatedOperator(this);
  private final SimulatedRefusals refusals;
  private final Map<TopicPartition, SimulatedTask> owners = new LinkedHashMap<>();
  private boolean withCatalog = true;
  private boolean openedLater;

  /** By topic, when the first account that has it was put. */
  private final Map<String, Long> accountedMs = new HashMap<>();

  private final DeliveredRecords delivered = new DeliveredRecords(this);
  private Optional<SimulatedReckoners> reckoners = Optional.empty();
  private Optional<SimulatedAnnouncements> announcements = Optional.empty();
  private BiFunction<SimulatedProcess, String, Fate> fates = (process, call) -> Fate.SUCCEEDS;

  World(long seed, Landing landing) {
    this(seed, landing, storage -> storage);
  }

  /** A world in which the tasks see the store in another way than it is. */
  World(long seed, Landing landing, UnaryOperator<Storage> storageOfTasks) {
    this.simulation = new Simulation(seed);
    this.kafka = new SimulatedKafka(simulation::nowMs);
    this.landing = landing;
    this.storage = new MemoryStorage(simulation.wall(() -> 0));
    this.storageOfTasks = storageOfTasks.apply(storage);
    this.deadLetters = new SimulatedDeadLetters(simulation);
    this.refusals = new SimulatedRefusals(this);
  }

  Simulation simulation() {
    return simulation;
  }

  Landing landing() {
    return landing;
  }

  MemoryStorage storage() {
    return storage;
  }

  /** The store as the tasks see it. */
  Storage storageOfTasks() {
    return storageOfTasks;
  }

  MemoryCatalog catalog() {
    return catalog;
  }

  /** True if tasks that start now register Hive partitions. */
  boolean withCatalog() {
    return withCatalog;
  }

  /** True if a catalog was switched on for tables that already had files. */
  boolean openedLater() {
    return openedLater;
  }

  /** Switches the catalog on or off, as an operator does: all topic-partitions go to a new task. */
  void withCatalog(boolean on) {
    if (withCatalog == on) {
      return;
    }
    withCatalog = on;
    for (TopicPartition each : kafka.topicPartitions()) {
      openedLater |= on && tables(each.topic()).stream().anyMatch(this::hasFiles);
    }
    assign(kafka.topicPartitions(), startTask(), false);
    reckoners.ifPresent(SimulatedReckoners::reconfigure);
  }

  private boolean hasFiles(Table table) {
    try {
      return storage.list(table.layout().root()).stream()
          .anyMatch(existing -> !existing.path().name().startsWith("."));
    } catch (IOException e) {
      throw new AssertionError("the store in memory cannot be read", e);
    }
  }

  SimulatedKafka kafka() {
    return kafka;
  }

  SimulatedOperator operator() {
    return operator;
  }

  /** The records that tables refuse, and the operator who acts on them. */
  SimulatedRefusals refusals() {
    return refusals;
  }

  SimulatedDeadLetters deadLetters() {
    return deadLetters;
  }

  /** All topics. */
  List<String> topics() {
    return kafka.topicPartitions().stream().map(TopicPartition::topic).distinct().toList();
  }

  List<TopicPartition> topicPartitions(String topic) {
    return kafka.topicPartitions().stream().filter(each -> each.topic().equals(topic)).toList();
  }

  /** The table that is named after a topic, or the table of all topics. */
  Table table(String topic) {
    return named(base(topic));
  }

  private String base(String topic) {
    return landing.shared() ? "all" : topic;
  }

  private Table named(String name) {
    return new Table(
        new TableName("default", name), TableLayout.of(TOPICS, name), landing.partitioning());
  }

  /** The tables in which a topic's records land. */
  List<Table> tables(String topic) {
    return routing(topic).tables();
  }

  /** The table in which a record of a topic lands. */
  Table table(String topic, SourceRecord record) {
    return record.kind() == RecordKind.UNROUTED
        ? named(base(topic) + ADDED)
        : landing.routes().other(record) ? named(base(topic) + OTHER) : table(topic);
  }

  /** The topics whose records land in a table. */
  List<String> topics(TableName table) {
    return topics().stream()
        .filter(topic -> tables(topic).stream().anyMatch(each -> each.name().equals(table)))
        .toList();
  }

  Routing routing(String topic) {
    boolean added = landing.refusal() == Refusal.RULE_ADDED && refusals.remedied();
    return landing
        .routes()
        .between(
            table(topic),
            named(base(topic) + OTHER),
            added ? Optional.of(named(base(topic) + ADDED)) : Optional.empty(),
            landing.refusal() == Refusal.UNROUTED_DEAD_LETTERS);
  }

  CommitLog log(TopicPartition topicPartition) {
    return CommitLog.of(storage, LOGS, LOG_ID, topicPartition);
  }

  /** Sets the function that decides the fate of each call from now on. */
  void fates(BiFunction<SimulatedProcess, String, Fate> decided) {
    fates = decided;
  }

  /** All calls succeed from now on. */
  void heal() {
    fates = (process, call) -> Fate.SUCCEEDS;
  }

  /** The tasks that have not died. */
  List<SimulatedTask> livingTasks() {
    return tasks.stream().filter(SimulatedTask::lives).toList();
  }

  /** The tasks that Connect can reach and that have the present configuration. */
  List<SimulatedTask> members() {
    return livingTasks().stream()
        .filter(task -> task.process().awake() && task.withCatalog() == withCatalog)
        .toList();
  }

  /** The reckoners of the connector, if it has any. */
  Optional<SimulatedReckoners> reckoners() {
    return reckoners;
  }

  /** The announced batches, if producers announce them. */
  Optional<SimulatedAnnouncements> announcements() {
    return announcements;
  }

  /** Lets a worker run the connector and its reckoner. */
  void reckon(LedgerSettings settings) {
    if (settings.batchesExpire().isPresent()) {
      announcements = Optional.of(new SimulatedAnnouncements(this));
    }
    var started = new SimulatedReckoners(this, settings);
    reckoners = Optional.of(started);
    started.start();
  }

  /** True if the record becomes a row, at once or after an operator has acted. */
  boolean lands(SourceRecord record) {
    return record.kind().lands()
        || (landing.refusal().lands()
            && landing.refusal().kind().equals(Optional.of(record.kind())));
  }

  /** True if a record that does not land is in its place. */
  boolean arrivesElsewhere(SourceRecord record) {
    return !lands(record)
        && (record.kind() == RecordKind.DROPPED || skips(record) || deadLetters.has(record));
  }

  /** True if the record is counted as skipped. */
  boolean skips(SourceRecord record) {
    return (record.kind() == RecordKind.TOMBSTONE && landing.nullValues() == NullValues.IGNORE)
        || refusals.skipped(record);
  }

  /** True if the record is counted as a dead letter. */
  boolean deadLettered(SourceRecord record) {
    return !skips(record)
        && (record.kind().odd()
            || (record.kind() == RecordKind.UNROUTED
                && landing.refusal() == Refusal.UNROUTED_DEAD_LETTERS));
  }

  /** Sends a record with the present time to each topic-partition, as producers do. */
  void heartbeats() {
    for (TopicPartition each : kafka.topicPartitions()) {
      kafka.produce(each, simulation.nowMs(), RecordKind.EARLIER);
    }
  }

  /** Notes an account that was put. */
  void accounted(Account account) {
    account
        .assigned()
        .keySet()
        .forEach(topic -> accountedMs.putIfAbsent(topic, simulation.nowMs()));
  }

  /** Notes an account that was removed. */
  void lost(Account account) {
    accountedMs.keySet().removeAll(account.assigned().keySet());
  }

  /** True if an account that was put before a time has a topic. */
  boolean isAccounted(String topic, long atMs) {
    return accountedMs.getOrDefault(topic, Long.MAX_VALUE) < atMs;
  }

  /** Starts a process. Its calls have the fates of this world. */
  SimulatedProcess startProcess() {
    return new SimulatedProcess(simulation, (caller, call) -> fates.apply(caller, call));
  }

  SimulatedTask startTask() {
    var task = new SimulatedTask(this, startProcess(), tasks.size());
    tasks.add(task);
    return task;
  }

  Optional<SimulatedTask> owner(TopicPartition topicPartition) {
    return Optional.ofNullable(owners.get(topicPartition));
  }

  /** The topic-partitions that were assigned to a task and now belong to others. */
  List<TopicPartition> takenFrom(SimulatedTask task) {
    return task.assigned().stream().filter(each -> owners.get(each) != task).sorted(ORDER).toList();
  }

  /** Assigns topic-partitions to a task. Their former owners are informed if they are awake. */
  void assign(Collection<TopicPartition> topicPartitions, SimulatedTask to, boolean patient) {
    for (TopicPartition topicPartition : topicPartitions) {
      SimulatedTask from = owners.put(topicPartition, to);
      if (from != null && from != to && from.lives() && from.process().awake()) {
        from.process().run(() -> from.close(List.of(topicPartition), patient));
      }
      if (from != to) {
        to.process().run(() -> to.reopen(List.of(topicPartition)));
      }
    }
  }

  /** Deletes a topic, with what tasks have read of it, and recreates it. */
  void recreate(String topic) {
    delivered.ends(topic);
    kafka.makeAgain(topic);
  }

  /** The records that were delivered before their topic was recreated. */
  DeliveredRecords delivered() {
    return delivered;
  }

  /** Revokes the topic-partitions of a topic and assigns them again. */
  void reopen(String topic) {
    for (TopicPartition each : kafka.topicPartitions()) {
      SimulatedTask owner = owners.get(each);
      if (!each.topic().equals(topic) || owner == null) {
        continue;
      }
      if (!owner.lives() || !owner.process().awake()) {
        assign(List.of(each), startTask(), false);
      } else {
        owner.process().run(() -> owner.reopen(List.of(each)));
      }
    }
  }

  /** Assigns the topic-partitions of dead and sleeping tasks to the others, or to a new task. */
  void replaceAbsent() {
    List<TopicPartition> free =
        kafka.topicPartitions().stream()
            .filter(
                each -> {
                  SimulatedTask owner = owners.get(each);
                  return owner == null || !owner.lives() || !owner.process().awake();
                })
            .toList();
    for (TopicPartition each : free) {
      List<SimulatedTask> members = members();
      SimulatedTask to =
          members.isEmpty()
              ? startTask()
              : members.get(simulation.random().nextInt(members.size()));
      assign(List.of(each), to, false);
    }
    reckoners.ifPresent(SimulatedReckoners::replaceAbsent);
  }

  /** Ends all faults, and lets time pass until all records of Kafka are in the log. */
  void settle() {
    heal();
    kafka.settle();
    kafka.settleMetadata();
    awaitLanded();
  }

  /** Lets time pass until all records of Kafka are in the log. */
  void awaitLanded() {
    await(this::landed);
  }

  /** Lets time pass until something is true, as it must be an hour after the last fault. */
  void await(BooleanSupplier reached) {
    long deadline = simulation.nowMs() + SETTLED_WITHIN_MS;
    do {
      kafka.topicPartitions().stream().filter(this::beginsBeyondEnd).forEach(this::produceOne);
      simulation.run(SETTLING_STEP_MS);
      tasks.forEach(
          task ->
              task.failure()
                  .ifPresent(
                      failure -> {
                        throw new AssertionError("a task stopped for good; " + refusals, failure);
                      }));
      replaceAbsent();
      if (simulation.nowMs() > deadline) {
        throw new AssertionError(
            "not landed an hour after the last fault:%s; %s".formatted(unlanded(), refusals));
      }
    } while (!reached.getAsBoolean());
  }

  /**
   * Lets one last owner claim the logs and delete leftovers, as after any restart. All sleeping
   * processes wake before: files that a former owner stages when it wakes are left until the next
   * claim.
   */
  void restart() {
    while (livingTasks().stream().anyMatch(task -> !task.process().awake())
        || reckoners.filter(SimulatedReckoners::sleeping).isPresent()) {
      simulation.run(SETTLING_STEP_MS);
    }
    simulation.run(SimulatedProcess.LATE_MS); // after the calls that are on their way
    SimulatedTask last = startTask();
    assign(kafka.topicPartitions(), last, true);
    reckoners.ifPresent(SimulatedReckoners::restart);
    settle();
    if (reckoners.isPresent()) {
      reckoners.get().awaitCovered();
      awaitLanded(); // for what took effect meanwhile
    }
    simulation.run(100 * SETTLING_STEP_MS);
  }

  /**
   * True if the group's offset is above the end, because records were truncated before the log
   * could record it. The next record reveals it.
   */
  private boolean beginsBeyondEnd(TopicPartition topicPartition) {
    return kafka.groupOffset(topicPartition) > kafka.end(topicPartition)
        && lastState(topicPartition).filter(state -> state.first() != LogState.UNKNOWN).isEmpty();
  }

  private void produceOne(TopicPartition topicPartition) {
    kafka.produce(topicPartition, simulation.nowMs(), RecordKind.EARLIER);
  }

  private String unlanded() {
    var told = new StringBuilder();
    for (TopicPartition each : kafka.topicPartitions()) {
      if (!landed(each)) {
        told.append(
            " %s from %d to %d, committed %d, group at %d, next %s, task waits for \"%s\", log %s"
                .formatted(
                    each,
                    kafka.earliest(each),
                    kafka.end(each),
                    owner(each).map(owner -> owner.committed(each)).orElse(-1L),
                    kafka.groupOffset(each),
                    next(each),
                    owner(each).map(SimulatedTask::waitsFor).orElse(""),
                    lastState(each)));
      }
    }
    return told.toString();
  }

  /** The first records that the log does not have, with their kinds. */
  private String next(TopicPartition topicPartition) {
    long committed =
        owner(topicPartition).map(owner -> owner.committed(topicPartition)).orElse(-1L);
    return kafka.records(topicPartition).stream()
        .filter(record -> record.offset() >= committed)
        .limit(TOLD_RECORDS)
        .map(record -> record.offset() + " " + record.kind())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private Optional<LogState> lastState(TopicPartition topicPartition) {
    try {
      return log(topicPartition).last().map(last -> last.entry().state());
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private boolean landed() {
    return kafka.topicPartitions().stream().allMatch(this::landed);
  }

  /**
   * True if the owner has claimed the log in the topic's present life and the log has all records.
   */
  boolean landed(TopicPartition topicPartition) {
    long end = kafka.end(topicPartition);
    SimulatedTask owner = owners.get(topicPartition);
    if (owner == null
        || !owner.process().awake()
        || (end > 0 && owner.committed(topicPartition) < end)) {
      return false;
    }
    try {
      return log(topicPartition)
          .last()
          .filter(last -> kafka.isLife(topicPartition, last.entry().state().generation().topicId()))
          .filter(last -> last.entry().state().next() >= end || end == 0)
          // Otherwise landed records were truncated, and the owner is about to stop because of it.
          .filter(last -> last.entry().state().next() <= kafka.end(topicPartition) || end == 0)
          .isPresent();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }
}
