package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The connector without its tasks: its configuration, and what the worker that runs it does. A
 * worker may not know yet that it no longer runs the connector.
 */
final class SimulatedConnector {
  private final World world;
  private final Set<String> takenOut = new HashSet<>();
  private final List<SimulatedSettling> settlings = new ArrayList<>();
  private boolean withCatalog = true;
  private boolean byNames;
  private boolean openedLater;
  private boolean deletedUnpublished;
  private Optional<SimulatedReckoners> reckoners = Optional.empty();

  SimulatedConnector(World world) {
    this.world = world;
  }

  Optional<SimulatedReckoners> reckoners() {
    return reckoners;
  }

  void reckon(LedgerSettings settings) {
    var started = new SimulatedReckoners(world, settings);
    reckoners = Optional.of(started);
    started.start();
  }

  // ---- the configuration

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
    openedLater |= on && world.tables().all().stream().anyMatch(world.tables()::hasFiles);
    world.assign(world.assignable(), world.startTask(), false);
    reconfigure();
  }

  /** The configuration lists the topics, so it has them also when Kafka does not. */
  void byNames() {
    byNames = true;
  }

  boolean isByNames() {
    return byNames;
  }

  /** True unless the configuration leaves the topic out. */
  boolean consumes(String topic) {
    return !takenOut.contains(topic);
  }

  /** The topics that the configuration leaves out. */
  Set<String> takenOut() {
    return Set.copyOf(takenOut);
  }

  /** Takes a topic out of the configuration. */
  void takeOut(String topic) {
    if (takenOut.add(topic)) {
      world.inform(topic);
      reconfigure();
    }
  }

  /** Puts a topic back into the configuration. */
  void putBack(String topic) {
    if (takenOut.remove(topic)) {
      reconfigure();
      world.replaceAbsent();
    }
  }

  /** The connector restarts with a changed configuration. */
  void reconfigure() {
    reckoners.ifPresent(SimulatedReckoners::reconfigure);
    if (!settlings.isEmpty()) {
      endSettlings();
      startSettling(1);
    }
  }

  // ---- logs that no task is given

  /** Starts the thread of the connector that settles logs which no task is given. */
  void startSettling(long pauseMs) {
    SimulatedSettling started = new SimulatedSettling(world, world.startProcess());
    settlings.add(started);
    started.start(pauseMs);
  }

  private void endSettlings() {
    settlings.stream()
        .map(SimulatedSettling::process)
        .filter(SimulatedProcess::awake)
        .forEach(SimulatedProcess::die);
  }

  /** Lets a new worker run the connector if no reachable worker does. */
  void replaceAbsent() {
    reckoners.ifPresent(SimulatedReckoners::replaceAbsent);
    if (!settlings.isEmpty()
        && settlings.stream()
            .map(SimulatedSettling::process)
            .noneMatch(process -> process.awake() && !process.dead())) {
      startSettling(1);
    }
  }

  /** True if a worker sleeps that runs the connector, or did. */
  boolean sleeps() {
    return reckoners.filter(SimulatedReckoners::sleeping).isPresent()
        || settlings.stream()
            .map(SimulatedSettling::process)
            .anyMatch(process -> !process.dead() && !process.awake());
  }

  /** Lets one last worker run the connector. */
  void restart() {
    reckoners.ifPresent(SimulatedReckoners::restart);
    endSettlings();
    startSettling(1);
  }

  /** A topic is about to be deleted. */
  void deletes(String topic) {
    deletedUnpublished |= !isPublished(world.topicPartitions(topic));
  }

  /** True if a topic was deleted while a file of a committed entry was not in its table. */
  boolean deletedUnpublished() {
    return deletedUnpublished;
  }

  /** The topic-partitions that no task is given, although they may have a log. */
  List<TopicPartition> unassigned() {
    List<TopicPartition> all = new ArrayList<>(world.kafka().gone());
    world.kafka().topicPartitions().stream()
        .filter(each -> !consumes(each.topic()))
        .forEach(all::add);
    return all;
  }

  /** True if tasks are given a topic of a table. */
  boolean hasTasks(TableName table) {
    return world.tables().topics(table).stream()
        .anyMatch(topic -> consumes(topic) && world.kafka().exists(topic));
  }

  /** True if the logs that no task is given are settled, and the ledger has their entries. */
  boolean isSettled() {
    List<TopicPartition> all =
        unassigned().stream().filter(each -> !world.operator().changedLog(each)).toList();
    return isPublished(all)
        && all.stream()
            .allMatch(
                each -> reckoners.isEmpty() || !reckoners.get().isBefore(each, lastNumber(each)));
  }

  private long lastNumber(TopicPartition topicPartition) {
    return world.last(topicPartition).map(NumberedEntry::number).orElse(0L);
  }

  private List<NumberedEntry<CommitEntry>> entries(TopicPartition topicPartition) {
    try {
      return world.log(topicPartition).after(0);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** True if the files of all committed entries are in their tables, and registered. */
  private boolean isPublished(List<TopicPartition> topicPartitions) {
    return topicPartitions.stream()
        .flatMap(each -> entries(each).stream())
        .flatMap(entry -> entry.entry().asBatch().stream())
        .flatMap(batch -> batch.files().stream())
        .allMatch(this::isShown);
  }

  private boolean isShown(DataFile file) {
    boolean registered =
        !withCatalog
            || mayLack(file.table())
            || file.hivePartition().columns().isEmpty()
            || world.catalog().location(file.table(), file.hivePartition()).isPresent();
    return registered && world.storage().find(file.path()).isPresent();
  }

  /**
   * True if the catalog may lack what no task registers: files that landed without a catalog and
   * have no owner, or whose entries an operator took out of a log that has no owner; and without a
   * ledger a table that is not in the catalog, because an operator may have dropped it.
   */
  boolean mayLack(TableName table) {
    List<String> topics = world.tables().topics(table);
    return unassigned().stream()
            .filter(each -> openedLater || world.operator().changedLog(each))
            .map(TopicPartition::topic)
            .anyMatch(topics::contains)
        || (reckoners.isEmpty() && !hasTasks(table) && !world.catalog().exists(table));
  }
}
