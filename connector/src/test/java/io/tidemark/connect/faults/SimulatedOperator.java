package io.tidemark.connect.faults;

import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An operator who makes mistakes, reads why a task has stopped, and does what the message says.
 * Each mistake is made while all tasks are stopped, as for a deployment or a restore. A log is
 * removed only once, so that the copy taken then is the newest. A log and its table are never
 * removed together, because each of them shows what is missing in the other.
 */
final class SimulatedOperator {
  /** The cure of a missing right, before the topic's name. */
  static final String READ_RIGHT = "Allow the principal of the kafka.* settings to READ the topic ";

  private static final int MOST_CURES = 50;

  private final World world;
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final Map<TopicPartition, CopiedTree> newestLogs = new LinkedHashMap<>();
  private final Map<TopicPartition, CopiedTree> restoredLogs = new HashMap<>();
  private final Map<TopicPartition, NumberedEntry<CommitEntry>> newestEntries = new HashMap<>();
  private final SimulatedConsent consent;
  private Optional<CopiedTree> newestOfAll = Optional.empty();
  private OptionalLong restoredAllMs = OptionalLong.empty();
  private Optional<CopiedTree> removedTable = Optional.empty();
  private Optional<TableName> nameOfRemovedTable = Optional.empty();
  private boolean otherIsEmpty;
  private boolean otherCluster;
  private boolean namedOtherCluster;
  private long agreesMs;
  private int cures;

  SimulatedOperator(World world) {
    this.world = world;
    this.consent = new SimulatedConsent(world);
  }

  /** The setting {@code operator.consent} of tasks that start now. */
  OperatorConsent consent() {
    return consent.consent();
  }

  /** The hazards for which tasks have stopped, and which were cured. */
  Set<Hazard> reached() {
    return reached;
  }

  /** From now on the other cluster has the same topics without any record. */
  void otherIsEmpty() {
    otherIsEmpty = true;
  }

  private long otherEnd() {
    return otherIsEmpty ? 0 : 1_000;
  }

  /** The end offsets of the cluster whose address the configuration has now. */
  EndOffsets endOffsets(CallGate gate) {
    return otherCluster
        ? new SimulatedEndOffsets.Other(world.kafka(), gate, otherEnd())
        : new SimulatedEndOffsets(world.kafka(), gate);
  }

  /** The cluster whose address the configuration has now; {@code own} is the consumer's one. */
  TopicMetadata directory(SimulatedDirectory own, CallGate gate) {
    return otherCluster ? new OtherCluster(gate, otherEnd()) : own;
  }

  /** True if the configuration has named another cluster for a while. */
  boolean namedOtherCluster() {
    return namedOtherCluster;
  }

  /** Changes the configuration to another cluster, which has topics of the same names. */
  void nameOtherCluster() {
    stopTasks();
    otherCluster = true;
    namedOtherCluster = true;
    world.connector().reconfigure();
  }

  /** Changes the configuration back to the cluster from which the worker consumes. */
  void nameOwnCluster() {
    if (otherCluster) {
      stopTasks();
      otherCluster = false;
      world.connector().reconfigure();
    }
  }

  /**
   * Moves the connector to another cluster, as {@code docs/OPERATIONS.md} describes. The operator
   * agrees for each topic, once its tasks have stopped, but not at once.
   */
  void moveToOtherCluster(long agreesAfterMs) {
    if (world.kafka().former().isEmpty()) {
      stopTasks();
      otherCluster = false;
      agreesMs = world.simulation().nowMs() + agreesAfterMs;
      world.move();
      world.connector().reconfigure();
    }
  }

  /** Replaces a log by an older copy. */
  void restoreOlderLog(TopicPartition topicPartition, CopiedTree older) {
    if (newestLogs.containsKey(topicPartition)
        || newestOfAll.isPresent()
        || removedTable.isPresent()) {
      return;
    }
    stopTasks();
    newestLogs.put(topicPartition, copyOfLog(topicPartition));
    world.last(topicPartition).ifPresent(last -> newestEntries.put(topicPartition, last));
    restoreLog(topicPartition, older);
  }

  private void restoreLog(TopicPartition topicPartition, CopiedTree copy) {
    restoredLogs.put(topicPartition, copy);
    copy.replace(world.storage());
  }

  /** Removes the directory of all logs, once every table has recorded its log. */
  void removeLogs() {
    if (changedLogs() || removedTable.isPresent() || !allTablesAreBound()) {
      return;
    }
    stopTasks();
    newestOfAll = Optional.of(CopiedTree.of(world.storage(), World.LOGS));
    world.storage().deleteTree(World.LOGS);
  }

  /** Moves a table's directory elsewhere, with its whole content. */
  void removeTable(String topic) {
    if (removedTable.isEmpty() && !changedLogs()) {
      stopTasks();
      StoragePath root = world.tables().of(topic).layout().root();
      world.reckoners().ifPresent(each -> each.check().look(topic));
      removedTable = Optional.of(CopiedTree.of(world.storage(), root));
      nameOfRemovedTable = Optional.of(world.tables().of(topic).name());
      world.storage().deleteTree(root);
    }
  }

  /**
   * Lets the later records of a topic land in a table of another name. Not while the logs are
   * removed: the new table would not know them, and the connector would begin new ones.
   */
  void renameTable(String topic) {
    if (!world.tables().isRenamed(topic) && removedTable.isEmpty() && newestOfAll.isEmpty()) {
      stopTasks();
      world.tables().rename(topic);
      world.connector().reconfigure();
      reached.add(Hazard.RENAMED_TABLE);
    }
  }

  /** Moves the table's directory back, into the directory of the records that have landed since. */
  void restoreTable() {
    if (removedTable.isPresent()) {
      stopTasks();
      removedTable.get().putBeside(world.storage());
      removedTable = Optional.empty();
    }
  }

  /** True if the table of a topic is at the moment moved elsewhere, with its metadata. */
  boolean hasRemovedTable(String topic) {
    return removedTable.isPresent()
        && nameOfRemovedTable.equals(Optional.of(world.tables().of(topic).name()));
  }

  /** True if a log was removed or replaced by an older copy. It may have been restored since. */
  boolean changedLogs() {
    return !newestLogs.isEmpty() || newestOfAll.isPresent();
  }

  /** True if the log of a topic-partition was removed or replaced; see {@link #changedLogs}. */
  boolean changedLog(TopicPartition topicPartition) {
    return newestLogs.containsKey(topicPartition) || newestOfAll.isPresent();
  }

  /** True if all logs are removed, or were within this time: then none names a former table. */
  boolean lackedLogs(Duration within) {
    return newestOfAll.isPresent()
        && (restoredAllMs.isEmpty()
            || world.simulation().nowMs() - restoredAllMs.getAsLong() <= within.toMillis());
  }

  private boolean allTablesAreBound() {
    return world.kafka().everTopicPartitions().stream()
        .map(TopicPartition::topic)
        .allMatch(
            topic ->
                world.tables().all(topic).stream()
                    .map(table -> table.layout().metadataDirectory().child("logs"))
                    .allMatch(
                        logs -> world.storage().find(logs.child(topic + ".json")).isPresent()));
  }

  /** Stops all tasks, which are started again later. */
  void stopTasks() {
    world.livingTasks().forEach(task -> task.process().die());
  }

  /**
   * Cures an error if it is one of those that have a cure here.
   *
   * @return true if the error was cured
   */
  boolean cured(String message) {
    return world.refusals().cured(OnRefusal.STOP_TASK, message)
        || consent.isPending()
        || (isOfMove(message) && world.simulation().nowMs() < agreesMs)
        || (++cures <= MOST_CURES && cures(message));
  }

  /** Reads why a task has paused topics or the reckoner fails, and cures it if it can here. */
  void read(String because) {
    if (!world.refusals().cured(OnRefusal.HOLD_TOPIC, because)
        && !consent.isPending()
        && cures <= MOST_CURES
        && cures(because)) {
      cures++;
    }
  }

  private static boolean isOfMove(String message) {
    return message.contains("but now Kafka is the cluster moved ");
  }

  private boolean cures(String message) {
    // An entry that took effect late may be the only one.
    boolean logsMissing =
        message.contains("is landed in this table by the log")
            || message.contains("identity.json is missing")
            || message.contains("there is no log directory");
    if (logsMissing && newestOfAll.isPresent()) {
      reached.add(Hazard.REMOVED_LOG);
      if (consent.isAnew() || beginsAnew(message)) {
        reached.add(Hazard.BEGUN_ANEW);
        consent.beginAnew(message);
      } else if (restoredAllMs.isEmpty()) {
        stopTasks();
        newestOfAll.get().replace(world.storage());
        restoredAllMs = OptionalLong.of(world.simulation().nowMs());
      }
      return true;
    }
    if (isOfMove(message)) {
      reached.add(Hazard.MOVED_CLUSTER);
      consent.agree(message);
      return true;
    }
    boolean misdirected =
        message.contains("but now Kafka is the cluster")
            || message.contains("the two use different Kafka clusters");
    if (misdirected && otherCluster) {
      reached.add(Hazard.OTHER_CLUSTER);
      nameOwnCluster();
      return true;
    }
    boolean filesMissing =
        message.contains("Restore it from a copy")
            || message.contains("Restore them from a snapshot")
            || message.contains("from a snapshot or the trash");
    if (filesMissing && removedTable.isPresent()) {
      reached.add(Hazard.REMOVED_TABLE);
      restoreTable();
      return true;
    }
    for (String topic : world.kafka().metadata().unreadable()) {
      if (message.contains(READ_RIGHT + topic + ".")) {
        reached.add(Hazard.NOT_READABLE);
        world.kafka().metadata().forbid(topic, false);
        return true;
      }
    }
    for (TopicPartition each : world.kafka().everTopicPartitions()) {
      if (message.startsWith(each + ": ") && cures(each, message)) {
        return true;
      }
    }
    return false;
  }

  private boolean cures(TopicPartition topicPartition, String message) {
    String topic = topicPartition.topic();
    boolean present = message.contains("the same topic id " + world.kafka().topicId(topic) + ")");
    if (message.contains("lost records that it had delivered")
        && (!present || world.kafka().history().isTruncated(topicPartition))) {
      reached.add(Hazard.TRUNCATED);
      if (!world.kafka().exists(topic)) {
        return true; // It was deleted meanwhile.
      }
      world.recreate(topic, world.topicPartitions(topic).size());
      world
          .simulation()
          .after(
              world.simulation().random().nextLong(AfterFaults.STEP_MS), () -> world.inform(topic));
      return true;
    }
    if (message.contains("shows that it had entry")) {
      reached.add(Hazard.OLDER_LOG);
      if (consent.isGiven(topicPartition) || continues(topicPartition)) {
        reached.add(Hazard.CONTINUED_LOG);
        consent.give(topicPartition, message);
      } else if (isOlder(topicPartition)) {
        restoreLog(topicPartition, Objects.requireNonNull(newestLogs.get(topicPartition)));
      }
      return true;
    }
    CopiedTree restored = restoredLogs.get(topicPartition);
    if (message.contains("A file of the log was removed. Restore ") && restored != null) {
      // A late call has removed it from the copy.
      restored.putBeside(world.storage());
      return true;
    }
    if (message.contains("the place of a file in table") && consent.isGiven(topicPartition)) {
      consent.give(topicPartition, message);
      return true;
    }
    return false;
  }

  /** True if the copies of all logs are lost too. */
  private boolean beginsAnew(String message) {
    return restoredAllMs.isEmpty()
        && message.contains("operator.consent=")
        && world.simulation().random().nextBoolean()
        && consent.mayBeginAnew();
  }

  /** True unless the newest copy was put back since the error was printed. */
  private boolean isOlder(TopicPartition topicPartition) {
    long number = world.last(topicPartition).map(NumberedEntry::number).orElse(0L);
    NumberedEntry<CommitEntry> newest = newestEntries.get(topicPartition);
    return newest != null && number < newest.number();
  }

  /** True if the newest copy of a log is lost too. */
  private boolean continues(TopicPartition topicPartition) {
    NumberedEntry<CommitEntry> newest = newestEntries.get(topicPartition);
    return newest != null
        && isOlder(topicPartition)
        && world.simulation().random().nextBoolean()
        && consent.mayContinue(topicPartition, newest.entry().state());
  }

  /** A copy of a log, as a person makes it by copying directories. */
  CopiedTree copyOfLog(TopicPartition topicPartition) {
    return CopiedTree.of(world.storage(), world.log(topicPartition).directory());
  }
}
