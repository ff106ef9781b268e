package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Leaders of a schedule that do not know that they were deposed, rights that are withdrawn, and a
 * move to another cluster.
 */
final class BrokerHazards {
  private static final long DEPOSED_MS = 4_000;

  private static final int MOST_TRUNCATED = 15;
  private static final int MOST_PRODUCED = 4;
  private static final long DELIVERED_MS = 500;

  /** Until then stopped tasks are not restarted more often than an operator cures them. */
  private static final long MOVE_MS = 3_000;

  private final Schedule schedule;
  private final World world;
  private final long faultsMs;

  private final Random random;

  /** Decides about retention under a new leader, so that older seeds keep their meaning. */
  private final Random retaining;

  BrokerHazards(long seed, Schedule schedule, World world, long faultsMs) {
    this.schedule = schedule;
    this.world = world;
    this.faultsMs = faultsMs;
    this.random = new Random(seed * 0xC6A4A7935BD1E995L);
    this.retaining = new Random(seed * 0xBF58476D1CE4E5B9L);
  }

  void begin() {
    for (int left = random.nextInt(3); left > 0; left--) {
      schedule.sometime(random, this::depose);
    }
    if (random.nextInt(4) == 0) {
      schedule.sometime(random, this::withdraw);
    }
    if (random.nextInt(6) == 0) {
      schedule.sometime(random, this::move);
    }
    if (random.nextInt(3) == 0) {
      schedule.sometime(random, this::recreateAndDepose);
    }
    if (retaining.nextInt(3) == 0) {
      schedule.sometime(retaining, this::deposeAndRetain);
    }
  }

  /**
   * Another broker becomes the leader of a topic-partition and gets records. It may lack the last
   * ones. The former leader is cut off from the others, but not from the connector's clients.
   */
  private void depose() {
    Optional<TopicPartition> some = some(world.kafka().topicPartitions());
    if (some.filter(world.kafka()::hasLeader).isEmpty()) {
      return;
    }
    TopicPartition deposed = some.get();
    long lastsMs = 1 + random.nextLong(DEPOSED_MS);
    world.kafka().metadata().depose(deposed);
    if (random.nextInt(3) == 0 && world.isNoticed(deposed)) {
      world.kafka().truncate(deposed, truncatedTo(deposed));
    } else {
      world.kafka().elect(deposed);
    }
    for (int left = random.nextInt(4); left > 0; left--) {
      world.simulation().after(random.nextLong(lastsMs), () -> schedule.produce(deposed));
    }
    world.simulation().after(lastsMs, () -> world.kafka().metadata().update(deposed.topic()));
  }

  /**
   * Records are delivered, and before they are committed their topic is recreated. The first
   * leaders of the new topic are deposed before it has records, of which it then gets many.
   */
  private void recreateAndDepose() {
    Optional<String> some = some(world.topics());
    if (some.isEmpty()) {
      return;
    }
    String topic = some.get();
    world.topicPartitions(topic).forEach(schedule::produce);
    world
        .simulation()
        .after(
            1 + random.nextLong(DELIVERED_MS),
            () -> {
              schedule.recreate(topic);
              world.topicPartitions(topic).forEach(this::deposeOfNewTopic);
            });
  }

  private void deposeOfNewTopic(TopicPartition topicPartition) {
    SimulatedMetadata metadata = world.kafka().metadata();
    metadata.depose(topicPartition);
    world.kafka().elect(topicPartition);
    for (int left = MOST_PRODUCED; left > 0; left--) {
      schedule.produce(topicPartition);
    }
    world
        .simulation()
        .after(1 + random.nextLong(DEPOSED_MS), () -> metadata.update(topicPartition.topic()));
  }

  /**
   * A leader is deposed. Of the records that its successor gets, retention deletes some before
   * anybody has read them. The former leader answers as if nothing was deleted.
   */
  private void deposeAndRetain() {
    List<TopicPartition> led =
        world.kafka().topicPartitions().stream().filter(world.kafka()::hasLeader).toList();
    if (led.isEmpty()) {
      return;
    }
    TopicPartition deposed = led.get(retaining.nextInt(led.size()));
    long lastsMs = 1 + retaining.nextLong(DEPOSED_MS);
    world.kafka().metadata().depose(deposed);
    world.kafka().elect(deposed);
    for (int left = 2 + retaining.nextInt(5); left > 0; left--) {
      world
          .simulation()
          .after(
              retaining.nextLong(lastsMs),
              () -> {
                schedule.produce(deposed);
                world.kafka().of(deposed).retain(world.kafka().end(deposed));
                schedule.produce(deposed);
              });
    }
    world.simulation().after(lastsMs, () -> world.kafka().metadata().update(deposed.topic()));
  }

  private long truncatedTo(TopicPartition topicPartition) {
    long end = world.kafka().end(topicPartition);
    return Math.max(world.kafka().earliest(topicPartition), end - random.nextInt(MOST_TRUNCATED));
  }

  /**
   * The connector's own client may no longer read a topic, for a while, or until an operator gives
   * the right back.
   */
  private void withdraw() {
    some(world.topics())
        .ifPresent(
            topic -> {
              world.kafka().metadata().forbid(topic, true);
              if (random.nextBoolean()) {
                world
                    .simulation()
                    .after(
                        random.nextLong(faultsMs),
                        () -> world.kafka().metadata().forbid(topic, false));
              }
            });
  }

  /** The connector is moved to another cluster. Some of its workers ask the former one. */
  private void move() {
    world.operator().moveToOtherCluster(random.nextLong(MOVE_MS));
    for (TopicPartition each : world.kafka().topicPartitions()) {
      for (int left = random.nextInt(3); left > 0; left--) {
        schedule.sometime(random, () -> schedule.produce(each));
      }
    }
    schedule.noticeLater();
  }

  private <T> Optional<T> some(List<T> all) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }
}
