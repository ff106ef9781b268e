package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The end of all faults: what must happen then, within an hour. */
final class AfterFaults {
  private static final long WITHIN_MS = 3_600_000;
  private static final int TOLD_RECORDS = 5;

  /** The time after which consumers have read the metadata of all topics again. */
  private static final long INFORMED_MS = 600_000;

  /** Longer than a published batch waits for its registration. */
  private static final long REGISTERED_MS = 20_000;

  static final long STEP_MS = 500;

  private final World world;

  AfterFaults(World world) {
    this.world = world;
  }

  /** The topic-partitions whose records must land. */
  List<TopicPartition> expected() {
    return world.kafka().topicPartitions().stream()
        .filter(each -> world.connector().consumes(each.topic()))
        .toList();
  }

  /** Ends all faults, and lets time pass until all records of Kafka are in the log. */
  void settle() {
    world.heal();
    world.kafka().settle();
    world.kafka().metadata().settle();
    world.uninformed().forEach(world::inform);
    awaitLanded();
  }

  /** Lets time pass until all records of Kafka are in the log. */
  void awaitLanded() {
    await(() -> expected().stream().allMatch(this::landed));
  }

  /** Lets time pass until something is true, as it must be an hour after the last fault. */
  void await(BooleanSupplier reached) {
    long begunMs = world.simulation().nowMs();
    boolean informed = false;
    do {
      expected().stream().filter(this::beginsBeyondEnd).forEach(this::produceOne);
      world.simulation().run(STEP_MS);
      world
          .tasks()
          .forEach(
              task ->
                  task.failure()
                      .ifPresent(
                          failure -> {
                            throw new AssertionError(
                                "a task stopped for good; " + world.refusals(), failure);
                          }));
      world.replaceAbsent();
      long waitedMs = world.simulation().nowMs() - begunMs;
      if (waitedMs > INFORMED_MS && !informed) {
        informed = true;
        inform();
      }
      if (waitedMs > WITHIN_MS) {
        throw new AssertionError(
            "not landed or settled an hour after the last fault:%s; %s"
                .formatted(unlanded(), world.refusals()));
      }
    } while (!reached.getAsBoolean());
  }

  /** Connect finds the topics that were created, moved or deleted in the meantime. */
  void inform() {
    world.topics().forEach(world::inform);
    world.uninformed().forEach(world::inform);
  }

  /**
   * Lets one last owner claim the logs and delete leftovers, as after any restart. All sleeping
   * processes wake before: files that a former owner stages when it wakes are left until the next
   * claim.
   */
  void restart() {
    while (world.livingTasks().stream().anyMatch(task -> !task.process().awake())
        || world.connector().sleeps()) {
      world.simulation().run(STEP_MS);
    }
    world.simulation().run(SimulatedProcess.LATE_MS); // after the calls that are on their way
    SimulatedTask last = world.startTask();
    world.assign(world.assignable(), last, true);
    world.connector().restart();
    settle();
    await(world.connector()::isSettled);
    if (world.reckoners().isPresent()) {
      world.reckoners().get().awaitCovered();
      awaitLanded(); // for what took effect meanwhile
    }
    world.simulation().run(100 * STEP_MS);
    if (!expected().stream().allMatch(this::landed)) {
      awaitLanded(); // for a topic that came back meanwhile
      world.simulation().run(REGISTERED_MS);
    }
  }

  /**
   * True if the group's offset is above the end, because records were truncated before the log
   * could record it. The next record reveals it.
   */
  private boolean beginsBeyondEnd(TopicPartition topicPartition) {
    return world.kafka().groupOffset(topicPartition) > world.kafka().end(topicPartition)
        && world
            .lastState(topicPartition)
            .filter(state -> state.first() != LogState.UNKNOWN)
            .isEmpty();
  }

  private void produceOne(TopicPartition topicPartition) {
    world.kafka().of(topicPartition).produce(world.simulation().nowMs(), RecordKind.EARLIER);
  }

  /** Sends a record with the present time to each topic-partition of a topic, as producers do. */
  void heartbeats(String topic) {
    world.topicPartitions(topic).forEach(this::produceOne);
  }

  private String unlanded() {
    var told = new StringBuilder();
    for (TopicPartition each : expected()) {
      if (!landed(each)) {
        Optional<SimulatedTask> owner = world.owner(each);
        told.append(
            " %s from %d to %d, committed %d, group at %d, next %s, task waits for \"%s\", log %s"
                .formatted(
                    each,
                    world.kafka().earliest(each),
                    world.kafka().end(each),
                    owner.map(task -> task.committed(each)).orElse(-1L),
                    world.kafka().groupOffset(each),
                    next(each),
                    owner.map(SimulatedTask::waitsFor).orElse(""),
                    world.lastState(each)));
      }
    }
    if (!world.connector().isSettled()) {
      told.append(" not settled among %s".formatted(world.connector().unassigned()));
    }
    return told.toString();
  }

  /** The first records that the log does not have, with their kinds. */
  private String next(TopicPartition topicPartition) {
    long committed =
        world.owner(topicPartition).map(owner -> owner.committed(topicPartition)).orElse(-1L);
    return world.kafka().records(topicPartition).stream()
        .filter(record -> record.offset() >= committed)
        .limit(TOLD_RECORDS)
        .map(record -> record.offset() + " " + record.kind())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * True if the owner has claimed the log in the topic's present life and the log has all records.
   */
  boolean landed(TopicPartition topicPartition) {
    long end = world.kafka().end(topicPartition);
    Optional<SimulatedTask> owner = world.owner(topicPartition);
    if (owner.isEmpty()
        || !owner.get().process().awake()
        || (end > 0 && owner.get().committed(topicPartition) < end)) {
      return false;
    }
    return world
        .lastState(topicPartition)
        .filter(last -> world.kafka().isLife(topicPartition, last.generation().topicId()))
        .filter(last -> last.next() >= end || end == 0)
        // Otherwise landed records were truncated, and the owner is about to stop because of it.
        .filter(last -> last.next() <= end || end == 0)
        .isPresent();
  }
}
