package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.MemoryCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Kafka, a store and a catalog with their content, and one connector with its tasks. Connect
 * assigns topic-partitions to the tasks and revokes them.
 */
final class World {
  static final String LOG_ID = "quotes";
  static final StoragePath LOGS = new StoragePath("/logs");
  static final LedgerDirectories LEDGER = new LedgerDirectories(new StoragePath("/ledger"), LOG_ID);
  static final StoragePath TOPICS = new StoragePath("/topics");

  static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);

  private static final long RESTARTED_AFTER_MS = 500;

  private final Simulation simulation;
  private final Landing landing;
  private final MemoryStorage storage;
  private final Storage storageOfTasks;
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final SimulatedKafka kafka;
  private final SimulatedDeadLetters deadLetters;
  private final LandingTables tables;
  private final SimulatedConnector connector = new SimulatedConnector(this);
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final List<SimulatedTask> tasks = new ArrayList<>();
  private final SimulatedOperator operator = new SimulatedOperator(this);
  private final SimulatedRefusals refusals;
  private final Map<TopicPartition, SimulatedTask> owners = new LinkedHashMap<>();
  private final DeliveredRecords delivered = new DeliveredRecords(this);
  private final AfterFaults after = new AfterFaults(this);
  private Optional<SimulatedAnnouncements> announcements = Optional.empty();
  private boolean replacing;
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
    this.tables = new LandingTables(this);
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

  /** The store as a process sees it. */
  Storage storageOf(SimulatedProcess process) {
    return new StorageOfProcess(storageOfTasks, process);
  }

  MemoryCatalog catalog() {
    return catalog;
  }

  SimulatedKafka kafka() {
    return kafka;
  }

  LandingTables tables() {
    return tables;
  }

  /** The connector without its tasks: its configuration, and what the connector's worker runs. */
  SimulatedConnector connector() {
    return connector;
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

  /** The records that were delivered before their topic was deleted or recreated. */
  DeliveredRecords delivered() {
    return delivered;
  }

  /** The end of all faults. */
  AfterFaults after() {
    return after;
  }

  /** The reckoners of the connector, if it has any. */
  Optional<SimulatedReckoners> reckoners() {
    return connector.reckoners();
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
    connector.reckon(settings);
  }

  /** All topics that exist. */
  List<String> topics() {
    return kafka.topicPartitions().stream().map(TopicPartition::topic).distinct().toList();
  }

  List<TopicPartition> topicPartitions(String topic) {
    return kafka.topicPartitions(topic);
  }

  CommitLog log(TopicPartition topicPartition) {
    return CommitLog.of(storage, LOGS, LOG_ID, topicPartition);
  }

  /** True unless the log is that of a former topic of this name. */
  boolean isNoticed(TopicPartition topicPartition) {
    return lastState(topicPartition)
        .filter(state -> !kafka.isLife(topicPartition, state.generation().topicId()))
        .isEmpty();
  }

  /** False if the log has never named the life of the topic that had a record. */
  boolean hasNoticed(String key) {
    RecordHistory.Held held = kafka.history().find(key).orElseThrow();
    TopicPartition topicPartition = held.topicPartition();
    return lastState(topicPartition).stream()
        .flatMap(
            state ->
                Stream.concat(
                    Stream.of(state.generation().topicId()),
                    state.former().stream().map(TopicIdentity::topicId)))
        .anyMatch(id -> SimulatedKafka.lifeOf(topicPartition.topic(), id) == held.life());
  }

  Optional<LogState> lastState(TopicPartition topicPartition) {
    return last(topicPartition).map(last -> last.entry().state());
  }

  Optional<NumberedEntry<CommitEntry>> last(TopicPartition topicPartition) {
    try {
      return log(topicPartition).last();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** Sets the function that decides the fate of each call from now on. */
  void fates(BiFunction<SimulatedProcess, String, Fate> decided) {
    fates = decided;
  }

  /** All calls succeed from now on. */
  void heal() {
    fates = (process, call) -> Fate.SUCCEEDS;
  }

  /** Starts a process. Its calls have the fates of this world. */
  SimulatedProcess startProcess() {
    var process = new SimulatedProcess(simulation, (caller, call) -> fates.apply(caller, call));
    processes.add(process);
    return process;
  }

  List<SimulatedProcess> processes() {
    return List.copyOf(processes);
  }

  SimulatedTask startTask() {
    var task = new SimulatedTask(this, startProcess(), freeNumber());
    tasks.add(task);
    return task;
  }

  /** The least number that no task has which Connect can reach. A sleeping task may have it. */
  private int freeNumber() {
    Set<Integer> taken = new HashSet<>();
    livingTasks().stream()
        .filter(task -> task.process().awake())
        .forEach(task -> taken.add(task.number()));
    int number = 0;
    while (taken.contains(number)) {
      number++;
    }
    return number;
  }

  List<SimulatedTask> tasks() {
    return List.copyOf(tasks);
  }

  /** The tasks that have not died. */
  List<SimulatedTask> livingTasks() {
    return tasks.stream().filter(SimulatedTask::lives).toList();
  }

  /** The tasks that Connect can reach and that have the present configuration. */
  List<SimulatedTask> members() {
    return livingTasks().stream()
        .filter(task -> task.process().awake() && task.withCatalog() == connector.withCatalog())
        .toList();
  }

  Optional<SimulatedTask> owner(TopicPartition topicPartition) {
    return Optional.ofNullable(owners.get(topicPartition));
  }

  /** The topic-partitions that were assigned to a task and now belong to others. */
  List<TopicPartition> takenFrom(SimulatedTask task) {
    return task.assigned().stream().filter(each -> owners.get(each) != task).sorted(ORDER).toList();
  }

  /** The topic-partitions that Connect assigns: consumers find them, and they are configured. */
  List<TopicPartition> assignable() {
    return kafka.metadata().found().stream()
        .filter(each -> connector.consumes(each.topic()))
        .toList();
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

  private void revoke(TopicPartition topicPartition) {
    SimulatedTask from = owners.remove(topicPartition);
    if (from != null && from.lives() && from.process().awake()) {
      from.process().run(() -> from.close(List.of(topicPartition), false));
    }
  }

  /** Deletes a topic, with what tasks have not read of it. */
  void delete(String topic) {
    if (kafka.exists(topic)) {
      delivered.ends(topic);
      connector.deletes(topic);
      kafka.delete(topic);
    }
  }

  /** The worker's consumers use another cluster from now on. No task runs meanwhile. */
  void move() {
    topics().forEach(connector::deletes);
    kafka.move();
    topics().forEach(this::inform);
  }

  /** Deletes a topic, and creates it with a number of topic-partitions. */
  void recreate(String topic, int topicPartitions) {
    delete(topic);
    kafka.create(topic, topicPartitions);
  }

  /**
   * The consumers learn which topic-partitions of a topic they consume: the others are revoked, and
   * these are revoked and assigned again.
   */
  void inform(String topic) {
    for (TopicPartition each : List.copyOf(owners.keySet())) {
      SimulatedTask owner = owners.get(each);
      if (!each.topic().equals(topic) || owner == null) {
        continue;
      }
      if (!kafka.exists(each) || !connector.consumes(topic)) {
        revoke(each);
      } else if (!owner.lives() || !owner.process().awake()) {
        assign(List.of(each), startTask(), false);
      } else {
        owner.process().run(() -> owner.reopen(List.of(each)));
      }
    }
    replaceAbsent();
  }

  /** The topics that no longer have all topic-partitions which tasks have. */
  List<String> uninformed() {
    return owners.keySet().stream()
        .filter(each -> !kafka.exists(each))
        .map(TopicPartition::topic)
        .distinct()
        .toList();
  }

  /** Replaces a task that died: somebody restarts it, once for all that die meanwhile. */
  void replaceAbsentLater() {
    if (!replacing) {
      replacing = true;
      simulation.after(
          RESTARTED_AFTER_MS,
          () -> {
            replacing = false;
            replaceAbsent();
          });
    }
  }

  /** Assigns the topic-partitions of dead and sleeping tasks to the others, or to a new task. */
  void replaceAbsent() {
    List<TopicPartition> free =
        assignable().stream()
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
    connector.replaceAbsent();
  }
}
