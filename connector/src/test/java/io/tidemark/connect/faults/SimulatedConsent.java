package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator who has only an older copy of a log, or none. The older log continues as {@code
 * docs/OPERATIONS.md}, "An older log", describes: the files of missing entries are moved away, and
 * their records land again. Without a copy, all files are moved away, the group's offsets are
 * reset, and all records land again.
 */
final class SimulatedConsent {
  private static final Pattern STEP = Pattern.compile("operator\\.consent=([0-9a-f-]{36})");

  private final World world;
  private final Set<UUID> steps = new HashSet<>();
  private final Set<TopicPartition> given = new HashSet<>();
  private boolean pending;
  private boolean anew;

  SimulatedConsent(World world) {
    this.world = world;
  }

  /** The setting of tasks that start now. */
  OperatorConsent consent() {
    return new OperatorConsent(steps);
  }

  /** True if the operator continues the older log of a topic-partition. */
  boolean isGiven(TopicPartition topicPartition) {
    return given.contains(topicPartition);
  }

  /** True while the operator waits, and then stops all tasks again. */
  boolean isPending() {
    return pending;
  }

  /**
   * True if all records that the older log lacks can land again: they are of the same topic, and
   * Kafka has them.
   */
  boolean mayContinue(TopicPartition topicPartition, LogState newest) {
    Optional<LogState> older = world.lastState(topicPartition);
    return older.isPresent()
        && older.get().first() != LogState.UNKNOWN
        && older.get().generation().equals(newest.generation())
        && world.kafka().isLife(topicPartition, older.get().generation().topicId())
        && world.kafka().earliest(topicPartition) <= older.get().next()
        && !world.landing().wallclock()
        && world.landing().refusal() == Refusal.NONE;
  }

  /** Moves the later files away, and agrees to what the message asks. */
  void give(TopicPartition topicPartition, String message) {
    given.add(topicPartition);
    whileStopped(() -> moveLaterFiles(topicPartition), message);
  }

  /** True if the operator has begun new logs. */
  boolean isAnew() {
    return anew;
  }

  /** True if all records that have landed can land again in new logs. */
  boolean mayBeginAnew() {
    return world.kafka().everTopicPartitions().stream()
            .allMatch(
                each ->
                    world.kafka().exists(each)
                        && world.kafka().life(each.topic()) == 1
                        && world.kafka().earliest(each) == 0
                        && world.kafka().of(each).compacted() == 0
                        && !world.kafka().isPositionedBlindly(each)
                        && !world.tables().isRenamed(each.topic())
                        && world.connector().consumes(each.topic()))
        && !world.kafka().resetsToLatest()
        && !world.landing().wallclock()
        && world.landing().refusal() == Refusal.NONE;
  }

  /** Moves all files away, resets the group's offsets, and agrees to what the message asks. */
  void beginAnew(String message) {
    if (anew) {
      agree(message); // The topics have a step each.
      return;
    }
    anew = true;
    whileStopped(
        () -> {
          // A call that was late may have put an entry into the removed directory.
          world.storage().deleteTree(World.LOGS);
          world.kafka().resetGroup();
          world.tables().all().forEach(table -> removeFiles(table.layout().root()));
          world.reckoners().ifPresent(each -> each.check().lookAgain());
        },
        message);
  }

  private void whileStopped(Runnable step, String message) {
    pending = true;
    world.operator().stopTasks();
    world
        .simulation()
        .after(
            SimulatedProcess.LATE_MS, // after the calls that are on their way
            () -> {
              pending = false;
              world.operator().stopTasks();
              step.run();
              agree(message);
            });
  }

  /** Agrees to what the message asks. */
  void agree(String message) {
    Matcher step = STEP.matcher(message);
    if (step.find()) {
      steps.add(UUID.fromString(step.group(1)));
    }
  }

  /** Removes the data files of a table, and its staging directories. */
  private void removeFiles(StoragePath directory) {
    try {
      for (StoredFile existing : world.storage().list(directory)) {
        StoragePath path = existing.path();
        if (path.name().equals(".staging")) {
          world.storage().deleteTree(path);
        } else if (existing.directory() && !VisibleRows.hidden(path)) {
          removeFiles(path);
        } else if (path.name().endsWith(".avro")) {
          world.storage().delete(path);
        }
      }
    } catch (IOException e) {
      throw new AssertionError("the store in memory cannot be read", e);
    }
  }

  private void moveLaterFiles(TopicPartition topicPartition) {
    LogState state = world.lastState(topicPartition).orElseThrow();
    String files = "%s+%d+g".formatted(topicPartition.topic(), topicPartition.partition());
    try {
      for (Table table : world.tables().ever(topicPartition.topic())) {
        moveLaterFiles(table.layout().root(), files, state);
      }
    } catch (IOException e) {
      throw new AssertionError("the store in memory cannot be read", e);
    }
    world.reckoners().ifPresent(each -> each.check().lookAgain());
  }

  /** The names of files end with {@code +gGENERATION+FIRST+LAST.avro}. */
  private void moveLaterFiles(StoragePath directory, String files, LogState state)
      throws IOException {
    for (StoredFile existing : world.storage().list(directory)) {
      String name = existing.path().name();
      if (existing.directory() && !VisibleRows.hidden(existing.path())) {
        moveLaterFiles(existing.path(), files, state);
      } else if (name.startsWith(files)) {
        String[] parts = name.substring(files.length()).split("\\+", -1);
        int generation = Integer.parseInt(parts[0]);
        if (generation > state.generation().number()
            || (generation == state.generation().number()
                && Long.parseLong(parts[1]) >= state.next())) {
          world.storage().delete(existing.path());
        }
      }
    }
  }
}
