package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Faults of several services that come together in a schedule, and answers that brokers invent. */
final class CombinedHazards {
  private static final List<String> SERVICES = List.of("storage", "catalog", "kafka", "registry");

  private final Schedule schedule;
  private final World world;
  private final boolean reckoned;
  private final long faultsMs;
  private final Random random;
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);

  /** The beginning of calls that fail, and a file that cannot be read. */
  private String cut = "none";

  private String rotten = "none";

  CombinedHazards(long seed, Schedule schedule, World world, boolean reckoned, long faultsMs) {
    this.schedule = schedule;
    this.world = world;
    this.reckoned = reckoned;
    this.faultsMs = faultsMs;
    this.random = new Random(seed * 0x589965CC75374CC3L);
  }

  Set<Hazard> reached() {
    return reached;
  }

  void begin() {
    for (int left = random.nextInt(4); left > 0; left--) {
      schedule.sometime(random, this::happen);
    }
  }

  void end() {
    cut = "none";
    rotten = "none";
  }

  boolean fails(String call) {
    return call.startsWith(cut) || call.equals(rotten);
  }

  private void happen() {
    switch (random.nextInt(reckoned ? 6 : 4)) {
      case 0 -> losePower();
      case 1 -> pauseCutAndRot();
      case 2 -> outliveRetention();
      case 3 -> inventMarker();
      default -> inventEnd();
    }
  }

  /** Data nodes and name nodes restart. Meanwhile the store does not answer. */
  private void losePower() {
    reached.add(Hazard.POWER_LOSS);
    world.storage().losePower();
    cut("storage ", random.nextLong(faultsMs / 4));
  }

  private void cut(String calls, long lastsMs) {
    cut = calls;
    world.simulation().after(lastsMs, () -> cut = "none");
    schedule.noticeLater();
  }

  private void pauseCutAndRot() {
    Optional<SimulatedTask> paused = some(world.members());
    List<StoragePath> files = new ArrayList<>();
    addFiles(World.LOGS, files);
    addFiles(World.TOPICS, files);
    Optional<StoragePath> file = some(files);
    if (paused.isEmpty() || file.isEmpty()) {
      return;
    }
    reached.add(Hazard.PAUSE_CUT_AND_ROT);
    sleep(paused.get());
    cut(SERVICES.get(random.nextInt(SERVICES.size())) + " ", random.nextLong(faultsMs / 2));
    rotten = "storage open " + file.get().value();
    world.simulation().after(random.nextLong(faultsMs), () -> rotten = "none");
  }

  private void addFiles(StoragePath directory, List<StoragePath> files) {
    try {
      for (StoredFile each : world.storage().list(directory)) {
        if (each.directory()) {
          addFiles(each.path(), files);
        } else {
          files.add(each.path());
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void sleep(SimulatedTask task) {
    task.process().fallAsleep();
    task.hearsAfter(random.nextInt(4));
    world.simulation().after(random.nextLong(faultsMs), task.process()::wake);
    schedule.noticeLater();
  }

  /** A task sleeps with records. Kafka deletes them, and others take over. */
  private void outliveRetention() {
    for (SimulatedTask task : world.members()) {
      for (TopicPartition each : task.assigned().stream().sorted(World.ORDER).toList()) {
        if (world.kafka().exists(each) && !task.accepted(each).isEmpty()) {
          reached.add(Hazard.ZOMBIE_AFTER_RETENTION);
          sleep(task);
          world.kafka().of(each).retain(world.kafka().end(each));
          schedule.produce(each);
          return;
        }
      }
    }
  }

  /**
   * A marker of an earlier transaction of the same producer arrives late, and ends the present one.
   * Its other records are in no transaction.
   */
  private void inventMarker() {
    some(world.kafka().topicPartitions())
        .filter(world.kafka()::beginTransaction)
        .ifPresent(
            each -> {
              schedule.produce(each);
              boolean commits = random.nextBoolean();
              schedule.sometime(
                  random,
                  () -> {
                    if (world.kafka().of(each).openTransaction().isPresent()) {
                      reached.add(Hazard.INVENTED_MARKER);
                    }
                    if (commits) {
                      world.kafka().of(each).endTransaction();
                    } else {
                      world.kafka().of(each).abortTransaction();
                    }
                    schedule.produce(each);
                  });
            });
  }

  private void inventEnd() {
    some(world.kafka().topicPartitions().stream()
            .filter(each -> world.kafka().end(each) > 0)
            .toList())
        .ifPresent(
            each -> {
              reached.add(Hazard.INVENTED_END);
              world.kafka().inventEnd(each);
            });
  }

  private <T> Optional<T> some(List<T> all) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }
}
