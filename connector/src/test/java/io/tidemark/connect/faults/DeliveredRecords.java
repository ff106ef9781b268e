package io.tidemark.connect.faults;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The records that tasks had accepted, and not committed, when their topic was deleted. No task can
 * read them again, so each must land or count as lost. Tasks that die, sleep, or lose the
 * topic-partition before they commit are not examined: their memory is gone.
 */
final class DeliveredRecords {
  private final World world;
  private final List<Delivered> all = new ArrayList<>();
  private int examined;

  DeliveredRecords(World world) {
    this.world = world;
  }

  private record Delivered(
      SimulatedTask task,
      int sleeps,
      TopicPartition topicPartition,
      int life,
      List<SourceRecord> records,
      TopicPartitionProgress progress,
      long lostBefore) {}

  /** A topic is about to be deleted. */
  void ends(String topic) {
    for (TopicPartition each : world.topicPartitions(topic)) {
      SimulatedTask task = world.owner(each).orElse(null);
      if (task == null || !task.lives() || !task.process().awake()) {
        continue;
      }
      List<SourceRecord> records = task.accepted(each);
      Optional<TopicPartitionProgress> progress = task.progress(each);
      if (!records.isEmpty() && progress.isPresent()) {
        all.add(
            new Delivered(
                task,
                task.process().fallenAsleep(),
                each,
                world.kafka().life(each.topic()),
                records,
                progress.get(),
                progress.get().counts().lost()));
      }
    }
  }

  /**
   * A task loses a topic-partition: if its records are not committed yet, they are gone. If the log
   * has a later generation, the task must have counted them. But not if it still had a claim of the
   * former one: it cannot know yet that another task has begun the later one.
   */
  void closed(SimulatedTask task, TopicPartition topicPartition) {
    all.removeIf(
        each ->
            each.task() == task
                && each.topicPartition().equals(topicPartition)
                && !committed(each)
                && !knows(each));
  }

  private boolean committed(Delivered delivered) {
    long last = delivered.records().get(delivered.records().size() - 1).offset();
    return entries(delivered).stream()
        .anyMatch(
            entry -> life(delivered, entry) == delivered.life() && entry.state().next() > last);
  }

  private boolean knows(Delivered delivered) {
    String claim = delivered.task().claim(delivered.topicPartition());
    List<CommitEntry> entries = entries(delivered);
    return entries.stream().anyMatch(entry -> life(delivered, entry) > delivered.life())
        && entries.stream()
            .filter(entry -> entry.identity().toString().equals(claim))
            .noneMatch(entry -> life(delivered, entry) == delivered.life());
  }

  private static int life(Delivered delivered, CommitEntry entry) {
    return SimulatedKafka.life(delivered.topicPartition(), entry.state().generation());
  }

  private List<CommitEntry> entries(Delivered delivered) {
    try {
      return world.log(delivered.topicPartition()).all().stream()
          .map(NumberedEntry::entry)
          .toList();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** The number of records that were examined by {@link #unaccounted}. */
  int examined() {
    return examined;
  }

  /** The records that have neither arrived nor count as lost. */
  List<String> unaccounted(Predicate<SourceRecord> arrived) {
    List<String> found = new ArrayList<>();
    for (Delivered each : all) {
      if (!each.task().lives() || each.task().process().fallenAsleep() != each.sleeps()) {
        continue;
      }
      examined += each.records().size();
      List<String> missing =
          each.records().stream().filter(arrived.negate()).map(SourceRecord::key).toList();
      long counted = each.progress().counts().lost() - each.lostBefore();
      if (missing.size() > counted) {
        found.add(
            "delivered before the topic was deleted, %d counted as lost: %s"
                .formatted(counted, missing));
      }
    }
    return found;
  }
}
