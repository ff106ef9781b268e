package io.tidemark.connect.faults;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.ledger.LedgerSettings;
import io.tidemark.connect.ledger.store.LedgerFolders;
import io.tidemark.connect.routing.Routing;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.table.MemoryCatalog;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka, a store and a catalog with what is in them, and the tasks of one connector, to which
 * Connect gives topic-partitions and from which it takes them again.
 */
final class World {
  static final String LOG_ID = "quotes";

  /** What the name of a topic's other table ends in. */
  private static final String OTHER = "_other";

  static final StoragePath LOGS = new StoragePath("/logs");
  static final LedgerFolders LEDGER = new LedgerFolders(new StoragePath("/ledger"), LOG_ID);
  static final StoragePath TOPICS = new StoragePath("/topics");

  private static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);
  private static final long SETTLED_WITHIN_MS = 3_600_000;
  static final long SETTLING_STEP_MS = 500;

  private final Simulation simulation;
  private final Landing landing;
  private final MemoryStorage storage;
  private final Storage storageOfTasks;
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final SimulatedKafka kafka;
  private final SimulatedDeadLetters deadLetters;
  private final List<SimulatedTask> tasks = new ArrayList<>();
  private final SimulatedOperator operator = new SimulatedOperator(this);
  private final Map<TopicPartition, SimulatedTask> owners = new LinkedHashMap<>();
  private boolean withCatalog = true;
  private boolean openedLater;
  private Optional<SimulatedReckoners> reckoners = Optional.empty();
  private Optional<SimulatedAnnouncements> announcements = Optional.empty();
  private BiFunction<SimulatedProcess, String, Fate> fates = (process, call) -> Fate.SUCCEEDS;

  World(long seed, Landing landing) {
    this(seed, landing, storage -> storage);
  }

  /** A world whose tasks see its store in another way than it is. */
  World(long seed, Landing landing, UnaryOperator<Storage> storageOfTasks) {
    this.simulation = new Simulation(seed);
    this.kafka = new SimulatedKafka(simulation::nowMs);
    this.landing = landing;
    this.storage = new MemoryStorage(simulation.wall(() -> 0));
    this.storageOfTasks = storageOfTasks.apply(storage);
    this.deadLetters = new SimulatedDeadLetters(simulation);
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

  /** The store as the tasks know it. */
  Storage storageOfTasks() {
    return storageOfTasks;
  }

  MemoryCatalog catalog() {
    return catalog;
  }

  /** Tasks that start now register what they land. */
  boolean withCatalog() {
    return withCatalog;
  }

  /** A catalog was switched on for tables that had files. */
  boolean openedLater() {
    return openedLater;
  }

  /** An operator switches the catalog on or off: all topic-partitions go to a new task. */
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

  SimulatedDeadLetters deadLetters() {
    return deadLetters;
  }

  /** The table that is named after a topic. */
  Table table(String topic) {
    return new Table(
        new TableName("default", topic), TableLayout.of(TOPICS, topic), landing.partitioning());
  }

  /** The tables in which a topic's records land. */
  List<Table> tables(String topic) {
    return routing(topic).tables();
  }

  /** The table in which a record of a topic lands. */
  Table table(String topic, SourceRecord record) {
    return table(landing.routes().other(record) ? topic + OTHER : topic);
  }

  /** The topic whose records land in a table. */
  static String topic(TableName table) {
    String name = table.table();
    return name.endsWith(OTHER) ? name.substring(0, name.length() - OTHER.length()) : name;
  }

  Routing routing(String topic) {
    return landing.routes().between(table(topic), table(topic + OTHER));
  }

  CommitLog log(TopicPartition topicPartition) {
    return CommitLog.of(storage, LOGS, LOG_ID, topicPartition);
  }

  /** Decides from now on what becomes of every call. */
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

  /** The tasks that Connect has contact with, and that have the present configuration. */
  List<SimulatedTask> members() {
    return livingTasks().stream()
        .filter(task -> task.process().awake() && task.withCatalog() == withCatalog)
        .toList();
  }

  /** The reckoners of the connector, where there are any. */
  Optional<SimulatedReckoners> reckoners() {
    return reckoners;
  }

  /** The batches that producers announce, where they do. */
  Optional<SimulatedAnnouncements> announcements() {
    return announcements;
  }

  /** Lets a worker run the connector, so that it says what is complete. */
  void reckon(LedgerSettings settings) {
    if (settings.batchesExpire().isPresent()) {
      announcements = Optional.of(new SimulatedAnnouncements(this));
    }
    var started = new SimulatedReckoners(this, settings);
    reckoners = Optional.of(started);
    started.start();
  }

  /** Whether a dead letter, a tombstone or what a transform drops is where it belongs. */
  boolean arrivesElsewhere(SourceRecord record) {
    return record.kind() == RecordKind.DROPPED || skips(record) || deadLetters.has(record);
  }

  /** Whether a record is counted as skipped. */
  boolean skips(SourceRecord record) {
    return record.kind() == RecordKind.TOMBSTONE && landing.nullValues() == NullValues.IGNORE;
  }

  /** Producers send a record of the present to each topic-partition. */
  void heartbeats() {
    for (TopicPartition each : kafka.topicPartitions()) {
      kafka.produce(each, simulation.nowMs(), RecordKind.EARLIER);
    }
  }

  /** A process whose calls have the fates of this world. */
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

  /** The topic-partitions that a task was assigned and that are no longer its own. */
  List<TopicPartition> takenFrom(SimulatedTask task) {
    return task.assigned().stream().filter(each -> owners.get(each) != task).sorted(ORDER).toList();
  }

  /** Gives topic-partitions to a task; those who had them are told, if they are awake to hear. */
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

  /** Takes the topic-partitions of a topic away and gives them back. */
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

  /** Gives what the dead and the sleeping hold to those who are there, or to a new task. */
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

  /** Lets all faults be over, and time pass until everything that Kafka holds is in the log. */
  void settle() {
    heal();
    kafka.settle();
    awaitLanded();
  }

  /** Lets time pass until everything that Kafka holds is in the log. */
  void awaitLanded() {
    long deadline = simulation.nowMs() + SETTLED_WITHIN_MS;
    do {
      kafka.topicPartitions().stream().filter(this::beginsBeyondEnd).forEach(this::produceOne);
      simulation.run(SETTLING_STEP_MS);
      tasks.forEach(
          task ->
              task.failure()
                  .ifPresent(
                      failure -> {
                        throw new AssertionError("a task stopped for good", failure);
                      }));
      replaceAbsent();
      if (simulation.nowMs() > deadline) {
        throw new AssertionError("not landed an hour after the last fault:" + unlanded());
      }
    } while (!landed());
  }

  /**
   * One last owner takes over and clears up, as after any restart. Everyone who sleeps wakes
   * before: what an owner of long ago stages when it wakes is left until the claim that follows.
   */
  void restart() {
    while (livingTasks().stream().anyMatch(task -> !task.process().awake())
        || reckoners.filter(SimulatedReckoners::sleeping).isPresent()) {
      simulation.run(SETTLING_STEP_MS);
    }
    simulation.run(SimulatedProcess.LATE_MS); // what is on its way comes before
    SimulatedTask last = startTask();
    assign(kafka.topicPartitions(), last, true);
    reckoners.ifPresent(SimulatedReckoners::restart);
    settle();
    if (reckoners.isPresent()) {
      reckoners.get().awaitCovered();
      awaitLanded(); // what came while it was awaited
    }
    simulation.run(100 * SETTLING_STEP_MS);
  }

  /**
   * The group was to begin behind records that were truncated before the log could say so. The next
   * record shows it.
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
            " %s from %d to %d, committed %d, group at %d, log %s"
                .formatted(
                    each,
                    kafka.earliest(each),
                    kafka.end(each),
                    owner(each).map(owner -> owner.committed(each)).orElse(-1L),
                    kafka.groupOffset(each),
                    lastState(each)));
      }
    }
    return told.toString();
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

  /** The owner has claimed the log in the topic's present life, and the log has all records. */
  private boolean landed(TopicPartition topicPartition) {
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
          // Else landed records were truncated, and the owner is about to stop for it.
          .filter(last -> last.entry().state().next() <= kafka.end(topicPartition) || end == 0)
          .isPresent();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }
}
