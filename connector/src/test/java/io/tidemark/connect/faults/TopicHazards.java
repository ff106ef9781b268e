package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What happens to topics in a schedule, at any moment and in any combination. They are deleted, and
 * created again at once, later, or never, with another number of topic-partitions. The
 * configuration leaves them out for a while or for ever. They get topic-partitions. Brokers and
 * consumers learn of each change late, and the connector's own client may not describe them.
 */
final class TopicHazards {
  private static final long STALE_MS = 1_000;

  /** Longer than a topic must be unknown to Kafka to count as deleted. */
  private static final long VANISHED_MS = 90_000;

  /** Longer than the time after which a snapshot leaves a topic out. */
  private static final long OUTDATED_MS = 80_000;

  private static final long LOOK_MS = 500;
  private static final int MOST_TOPIC_PARTITIONS = 3;

  private final Schedule schedule;
  private final World world;
  private final boolean reckoned;

  /** Off with a catalog that is switched on later: it gets the tables of the configuration only. */
  private final boolean renames;

  private final long faultsMs;
  private final Random random;

  /** Topics that do not exist until the faults have ended, with their numbers of partitions. */
  private final List<String> returning = new ArrayList<>();

  /** The topic that is deleted as soon as a committed file of it is to be published. */
  private Optional<String> condemned = Optional.empty();

  private boolean outdatedForLong;
  private boolean resized;

  /**
   * The hazards of a schedule.
   *
   * @param faultsMs the time in which faults happen
   */
  TopicHazards(long seed, Schedule schedule, World world, DrawnSettings settings, long faultsMs) {
    this.schedule = schedule;
    this.world = world;
    this.renames = !settings.catalogLater();
    this.reckoned = settings.reckoned().isPresent();
    this.faultsMs = faultsMs;
    this.random = new Random(seed * 0xD6E8FEB86659FD93L);
  }

  /** True if a topic was created again with another number of topic-partitions. */
  boolean resized() {
    return resized;
  }

  /** Plans everything that will happen. */
  void begin() {
    if (random.nextBoolean()) {
      world.operator().otherIsEmpty();
    }
    if (reckoned) {
      hideTopics();
      if (random.nextInt(3) == 0) {
        addTopicPartition();
      }
      if (random.nextInt(4) == 0) {
        nameOtherCluster();
      }
    }
    if (random.nextInt(4) == 0) {
      schedule.sometime(random, this::recreateWhileOpen);
    }
    for (int left = random.nextInt(reckoned ? 4 : 3); left > 0; left--) {
      schedule.sometime(random, this::happen);
    }
  }

  private void happen() {
    String topic = some();
    switch (random.nextInt(reckoned ? 9 : 7)) {
      case 0, 1 -> delete(topic);
      case 2 -> condemned = Optional.of(topic);
      case 3, 4 -> leaveOut(topic);
      case 5 -> recreate(topic);
      case 6 -> {
        if (renames) {
          world.operator().renameTable(topic);
          schedule.noticeLater();
        }
      }
      default -> retire(topic);
    }
  }

  private String some() {
    List<String> topics = world.topics();
    return topics.isEmpty() ? "topic0" : topics.get(random.nextInt(topics.size()));
  }

  // ---- deletion

  /** Deletes a topic for a while, until the faults have ended, or for ever. */
  private void delete(String topic) {
    if (!world.kafka().exists(topic)) {
      return;
    }
    outdateSome(topic);
    int before = world.topicPartitions(topic).size();
    world.delete(topic);
    informLater(topic);
    switch (random.nextInt(4)) {
      case 0 -> {} // It stays unavailable, unless it is the last one.
      case 1, 2 -> returning.add(topic);
      default -> world.simulation().after(random.nextLong(faultsMs), () -> create(topic, before));
    }
  }

  /** Deletes a topic, and creates it at once. */
  void recreate(String topic) {
    if (!world.kafka().exists(topic)) {
      return;
    }
    outdateSome(topic);
    int before = world.topicPartitions(topic).size();
    world.delete(topic);
    create(topic, before);
  }

  private void create(String topic, int before) {
    if (world.kafka().exists(topic)) {
      return;
    }
    outdateSome(topic);
    int number = otherNumber(before);
    resized |= number != before;
    world.kafka().create(topic, number);
    for (TopicPartition each : world.topicPartitions(topic)) {
      if (each.partition() >= before) {
        findLater(each, random.nextLong(faultsMs));
      }
      world.simulation().after(random.nextLong(STALE_MS), () -> schedule.produce(each));
    }
    informLater(topic);
  }

  private int otherNumber(int before) {
    return random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_TOPIC_PARTITIONS) : before;
  }

  /** Some brokers do not learn a change of a topic for a while. */
  private void outdateSome(String topic) {
    if (random.nextBoolean()) {
      world.kafka().metadata().outdate(topic);
      world
          .simulation()
          .after(random.nextLong(STALE_MS), () -> world.kafka().metadata().update(topic));
    }
  }

  /** Consumers may learn from the metadata what has happened to a topic. */
  private void informLater(String topic) {
    if (random.nextInt(3) > 0) {
      world.simulation().after(random.nextLong(faultsMs / 4), () -> world.inform(topic));
    }
  }

  /** Records are delivered, and before they are committed their topic is deleted or recreated. */
  private void recreateWhileOpen() {
    String topic = some();
    world.topicPartitions(topic).forEach(schedule::produce);
    world
        .simulation()
        .after(
            1 + random.nextLong(500),
            () -> {
              if (random.nextInt(4) == 0) {
                delete(topic);
              } else {
                recreate(topic);
              }
            });
  }

  /** True if a worker dies before it publishes a file, and then the file's topic is deleted. */
  boolean condemns(String call) {
    if (condemned
        .filter(topic -> call.startsWith("storage rename " + World.TOPICS + "/"))
        .filter(topic -> call.contains("/" + topic + "+"))
        .isEmpty()) {
      return false;
    }
    String topic = condemned.get();
    condemned = Optional.empty();
    world.simulation().after(1, () -> delete(topic));
    schedule.noticeLater();
    return true;
  }

  /** The producers of a topic stop. Once the ledger has covered it, it is deleted. */
  private void retire(String topic) {
    SimulatedReckoners reckoners = world.reckoners().orElseThrow();
    if (!world.kafka().exists(topic) || !reckoners.mayEnd(topic) || !world.kafka().silence(topic)) {
      return;
    }
    new CompletenessOperator(world, reckoners).retire(topic);
    deleteOnceCovered(topic, world.kafka().topicId(topic));
  }

  private void deleteOnceCovered(String topic, String topicId) {
    boolean same = world.kafka().exists(topic) && world.kafka().topicId(topic).equals(topicId);
    if (!same || schedule.faultsAreOver()) {
      return;
    }
    if (world.reckoners().orElseThrow().check().retires(topic, topicId)) {
      delete(topic);
    } else {
      world.simulation().after(LOOK_MS, () -> deleteOnceCovered(topic, topicId));
    }
  }

  // ---- the configuration

  /**
   * The configuration leaves a topic out, for a while, until the faults have ended, or for ever.
   */
  private void leaveOut(String topic) {
    if (world.topics().stream().filter(world.connector()::consumes).count() < 2) {
      return;
    }
    world.connector().takeOut(topic);
    int way = random.nextInt(4);
    if (way > 1) {
      world
          .simulation()
          .after(random.nextLong(2 * faultsMs), () -> world.connector().putBack(topic));
    } else if (way == 1 && reckoned) {
      world.simulation().after(random.nextLong(faultsMs), () -> release(topic));
    }
  }

  private void release(String topic) {
    new CompletenessOperator(world, world.reckoners().orElseThrow()).release(topic);
  }

  /** The configuration names another cluster for a while. */
  private void nameOtherCluster() {
    schedule.sometime(
        random,
        () -> {
          world.operator().nameOtherCluster();
          schedule.noticeLater();
          if (random.nextBoolean()) {
            world
                .simulation()
                .after(random.nextLong(faultsMs), () -> world.operator().nameOwnCluster());
          }
        });
  }

  // ---- metadata

  /** The connector's own client may not describe a topic for some time, also from the beginning. */
  private void hideTopics() {
    for (String topic : world.topics()) {
      if (random.nextInt(3) == 0) {
        world.kafka().metadata().hide(topic, random.nextBoolean());
        for (int left = random.nextInt(3); left > 0; left--) {
          boolean so = random.nextBoolean();
          schedule.sometime(random, () -> world.kafka().metadata().hide(topic, so));
        }
      }
    }
  }

  /**
   * A topic gets a topic-partition, or a table gets a topic. Some brokers and the consumers learn
   * it later.
   */
  private void addTopicPartition() {
    outdatedForLong = random.nextInt(4) == 0;
    String topic = world.landing().shared() && random.nextBoolean() ? "topic2" : "topic0";
    schedule.sometime(
        random,
        () -> {
          if (!world.kafka().exists(topic) && world.kafka().everTopics().contains(topic)) {
            return; // It was deleted.
          }
          SimulatedMetadata metadata = world.kafka().metadata();
          TopicPartition added = new TopicPartition(topic, world.topicPartitions(topic).size());
          metadata.outdate(topic);
          world.kafka().create(added);
          schedule.produce(added);
          world
              .simulation()
              .after(
                  outdatedForLong ? OUTDATED_MS + faultsMs : random.nextLong(faultsMs),
                  () -> metadata.update(topic));
          findLater(added, random.nextLong(outdatedForLong ? OUTDATED_MS : faultsMs));
        });
  }

  private void findLater(TopicPartition topicPartition, long afterMs) {
    world.kafka().metadata().find(topicPartition, false);
    world
        .simulation()
        .after(
            afterMs,
            () -> {
              world.kafka().metadata().find(topicPartition, true);
              world.replaceAbsent();
            });
  }

  // ---- the end

  /**
   * Lets topics be unavailable, and metadata be outdated, for so long that they count as deleted.
   * Then creates those topics that return, and one topic if there would be none.
   */
  void end() {
    condemned = Optional.empty();
    List<String> absent = world.kafka().everTopics();
    absent = absent.stream().filter(topic -> !world.kafka().exists(topic)).toList();
    if (outdatedForLong) {
      world.simulation().run(OUTDATED_MS);
    } else if (reckoned && !absent.isEmpty()) {
      world.simulation().run(random.nextInt(3) == 0 ? STALE_MS : VANISHED_MS);
    }
    for (String topic : absent) {
      if (returning.contains(topic) || world.topics().isEmpty()) {
        create(topic, 1 + random.nextInt(2));
      }
    }
  }
}
