package io.tidemark.connect.faults;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.completeness.reckon.OperatorRepairs;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An operator who reads why tables are not complete, and does what the reason says. Each reason has
 * the cures of {@code docs/COMPLETENESS.md}, "Why a table waits". Where several are named, one is
 * drawn.
 */
final class CompletenessOperator {
  private static final int LOOKS_BEFORE_RESTART = 50;

  /** Longer than a reckoner waits for a topic that is missing: leaving a topic out restarts it. */
  private static final int LOOKS_BEFORE_RELEASE = 300;

  private final World world;
  private final SimulatedReckoners reckoners;
  private final Random random;
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);

  /** How often each reason was cured. */
  private final Map<String, Integer> cures = new LinkedHashMap<>();

  /** How often a topic was shown to the connector. */
  private final Map<String, Integer> shown = new HashMap<>();

  CompletenessOperator(World world, SimulatedReckoners reckoners) {
    this.world = world;
    this.reckoners = reckoners;
    this.random = world.simulation().random();
  }

  Set<Hazard> reached() {
    return reached;
  }

  @Override
  public String toString() {
    return cures.toString();
  }

  /** Reads the reasons of all tables, and acts on them. */
  void act() {
    LedgerState state = reckoners.check().state();
    state.tables().values().stream()
        .flatMap(table -> table.held().stream())
        .distinct()
        .forEach(this::cure);
    state.announcements().stream()
        .flatMap(all -> all.open().values().stream())
        .flatMap(batch -> batch.records().keySet().stream())
        .flatMap(topic -> state.topic(topic).held().stream())
        .distinct()
        .forEach(this::cure);
  }

  private void cure(HeldBecause held) {
    cures.merge(held.reason(), 1, Integer::sum);
    switch (held.reason()) {
      case "LOST", "DELETED", "UNSEEN", "GAP", "DEAD_LETTERED" -> acknowledge(held);
      case "NOT_OPENED", "NOT_REGISTERED" -> restartTasks(held.reason());
      case "IDLE" -> {
        world.livingTasks().forEach(task -> task.process().correctClock());
        topic(held).ifPresent(topic -> world.after().heartbeats(topic));
      }
      case "TRUNCATED" ->
          topic(held).filter(each -> !world.kafka().exists(each)).ifPresent(this::removeAndRelease);
      case "NOT_CONFIGURED" -> topic(held).ifPresent(this::putBackOrRelease);
      case "HIDDEN" -> topic(held).ifPresent(this::showOrRelease);
      case "UNREADABLE" ->
          topic(held).ifPresent(topic -> world.kafka().metadata().forbid(topic, false));
      case "OTHER_CLUSTER" -> {
        world.operator().nameOwnCluster();
        topic(held)
            .ifPresent(
                topic -> {
                  if (world.kafka().exists(topic)) {
                    release(topic);
                  } else {
                    removeAndRelease(topic);
                  }
                });
      }
      default -> {} // "wait", and look at the tasks and services, which are well
    }
  }

  private void restartTasks(String reason) {
    if (cures.getOrDefault(reason, 0) % LOOKS_BEFORE_RESTART == 0) {
      world.operator().stopTasks();
      world.replaceAbsent();
    }
  }

  private void acknowledge(HeldBecause held) {
    repair(
        repair -> {
          Predicate<Hold> meant =
              hold ->
                  hold.open()
                      && hold.kind().name().equals(held.reason())
                      && held.detail().startsWith(place(hold) + ":");
          if (repair.open().stream().anyMatch(meant)) {
            OperatorRepairs.acknowledge(repair, meant, "operator", "looked at");
          }
        });
  }

  private static String place(Hold hold) {
    return hold.topicPartition() == Hold.ALL
        ? hold.topic()
        : hold.topic() + "-" + hold.topicPartition();
  }

  private void putBackOrRelease(String topic) {
    if (random.nextBoolean()) {
      world.connector().putBack(topic);
    } else {
      release(topic);
    }
  }

  /**
   * Lets the connector describe a topic. If that does not help, no task will have its
   * topic-partition again: leaves the topic out, and releases it.
   */
  private void showOrRelease(String topic) {
    world.kafka().metadata().hide(topic, false);
    if (shown.merge(topic, 1, Integer::sum) > LOOKS_BEFORE_RELEASE) {
      shown.put(topic, -LOOKS_BEFORE_RELEASE);
      world.connector().takeOut(topic);
      release(topic);
      world.connector().putBack(topic);
    }
  }

  private void removeAndRelease(String topic) {
    if (world.connector().isByNames()) {
      world.connector().takeOut(topic);
    }
    release(topic);
  }

  /** Takes a topic out of the tables that wait for it, if no task reads it. */
  void release(String topic) {
    if (world.connector().consumes(topic) && world.kafka().exists(topic)) {
      return;
    }
    repair(repair -> OperatorRepairs.release(repair, topic, "operator", "no longer wanted"));
    reached.add(Hazard.RELEASED);
  }

  /** Something that an operator does to the ledger. */
  private interface Change {
    void apply(OperatorRepair repair) throws IOException, CorruptLogException;
  }

  private void repair(Change change) {
    try {
      change.apply(reckoners.repair());
    } catch (IllegalArgumentException e) {
      cures.merge("refused: " + e.getMessage(), 1, Integer::sum);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError("an operator cannot repair the ledger", e);
    }
  }

  /** Acknowledges all open holds, whether a table shows them or not. */
  void acknowledgeAll() {
    repair(
        repair -> {
          List<Hold> open = repair.open();
          if (!open.isEmpty()) {
            OperatorRepairs.acknowledge(repair, open::contains, "operator", "looked at");
            cures.merge("listed", 1, Integer::sum);
          }
        });
  }

  /** Declares that producers no longer write to a topic. */
  void retire(String topic) {
    repair(repair -> OperatorRepairs.retire(repair, topic, "operator", "has ended"));
  }

  private Optional<TopicPartition> place(HeldBecause held) {
    return world.kafka().everTopicPartitions().stream()
        .filter(each -> held.detail().startsWith(each + ":"))
        .findFirst();
  }

  private Optional<String> topic(HeldBecause held) {
    return place(held)
        .map(TopicPartition::topic)
        .or(
            () ->
                world.kafka().everTopics().stream()
                    .filter(topic -> held.detail().startsWith(topic + ":"))
                    .findFirst());
  }
}
