package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes of a topic: new topic-partitions, recreation, retention, and offsets that are not
 * records.
 */
@OnRealStack
@Tag("faults")
final class TopicFaultsIT {

  @Test
  void addedTopicPartitionsLandFromTheirFirstRecords(RealStack stack) {
    try (FaultScenario scenario =
        FaultScenario.begin(
            stack,
            "topic-partitions-added",
            // The time after which the consumer sees them; Kafka's default is five minutes.
            settings -> settings.with("consumer.override.metadata.max.age.ms", 2_000))) {
      scenario.quiesces();
      scenario.endsWith(
          () -> {
            scenario.topic().growTo(6);
            scenario.sendsOnce();
          });
      scenario.recovers();
    }
  }

  /** The running connector's topic is recreated, with fewer records than before. */
  @Test
  void bothLivesOfATopicMadeAgainLand(RealStack stack) {
    try (FaultScenario scenario = FaultScenario.begin(stack, "topic-made-again")) {
      scenario.quiesces();
      scenario.endsWith(
          () -> {
            scenario.topic().makeAgain();
            scenario.sendsOnce();
          });
      scenario.recovers();
    }
  }

  /**
   * Records that Kafka had deleted before the connector began are lost, and are reported as lost.
   */
  @Test
  void offsetsRetainedAwayAreCountedAsLost(RealStack stack) {
    try (FaultScenario scenario = FaultScenario.begin(stack, "retained-away")) {
      scenario.quiesces();
      scenario.connector().stop();
      long next = scenario.log().next(0);
      scenario.sendsOnce();
      scenario.sendsOnce();
      scenario.topic().forgetBefore(0, next + 60);
      scenario.leavesOut(scenario.keys(0, next, next + 60));
      scenario.endsWith(scenario.connector()::resume);
      scenario.recovers();
      assertThat(counted(scenario, "lost")).isEqualTo(60);
    }
  }

  /**
   * Aborted records never land. A marker at the end is accounted for with the next record or by a
   * check of the tail.
   */
  @Test
  void transactionsAreLandedIfTheyAreCommitted(RealStack stack) {
    try (FaultScenario scenario =
        FaultScenario.begin(
            stack,
            "transactions",
            settings -> settings.with("consumer.override.isolation.level", "read_committed"))) {
      scenario.quiesces();
      SourceTopic topic = scenario.topic();
      topic.sendInTransaction(Readings.V1, 1_000_000, 1_000_050, true);
      topic.sendInTransaction(Readings.V1, 2_000_000, 2_000_050, false);
      topic.sendInTransaction(Readings.V1, 3_000_000, 3_000_030, true);
      for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
        awaitAllButTheMarker(scenario, topicPartition);
      }
      scenario.endsWith(scenario::sendsOnce);
      scenario.recovers();
      assertThat(counted(scenario, "notDelivered"))
          .as("50 aborted records and 3 markers in each topic-partition")
          .isEqualTo(53L * topic.topicPartitions());
    }
  }

  private static void awaitAllButTheMarker(FaultScenario scenario, int topicPartition) {
    long end = scenario.topic().end(topicPartition) - 1;
    Polling.until(
        "the log of " + topicPartition + " has come to " + end,
        RealStack.DEADLINE,
        () -> {
          long next = scenario.log().next(topicPartition);
          return next >= end ? Optional.empty() : Optional.of("it stands at " + next);
        });
  }

  private static long counted(FaultScenario scenario, String offsetClass) {
    return scenario.log().batches().stream()
        .mapToLong((LogEntry batch) -> batch.count(offsetClass))
        .sum();
  }
}
