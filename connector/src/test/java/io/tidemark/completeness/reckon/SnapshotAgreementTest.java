package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.ledger.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The broker that the reckoner's client asks has outdated metadata. Its two descriptions agree with
 * each other, and with the ledger.
 */
class SnapshotAgreementTest {
  private static final String TABLE = "default.orders";

  private final ReckonedWorld world = new ReckonedWorld();
  private final Reckoner reckoner = world.reckoner("w1");

  private void landAndAskAtFivePastEight(String topicId) throws Exception {
    world.task(0, topicId).lands(SEVEN.plusSeconds(1800), 100);
    world.run(reckoner, Duration.ofMinutes(2));
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  @Test
  void topicPartitionThatOneBrokerLacksIsAwaited() throws Exception {
    world.kafka().set("orders", "id", 100);
    world.run(reckoner, Duration.ofMinutes(1));
    world.kafka().set("orders", "id", 100, 50);
    world.kafka().outdated("orders", Optional.of(new TopicDescription("id", 1, List.of(1))));
    landAndAskAtFivePastEight("id");
    assertThat(world.held(TABLE)).startsWith("TRUNCATED orders");

    world.kafka().upToDate();
    world.run(reckoner, Duration.ofMinutes(5));
    assertThat(world.isShown(SEVEN)).isFalse();
    world.task(1, "id").lands(SEVEN.plusSeconds(1800), 50);
    world.run(reckoner, Duration.ofMinutes(5));
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** Otherwise its table would be complete without it. */
  @Test
  void topicThatOneBrokerLacksIsNotDeleted() throws Exception {
    world.tables().set(0, new ReckonedTable(ReckonedWorld.TABLE, List.of("orders", "orders-eu")));
    world.kafka().set("orders", "id", 100);
    world.kafka().set("orders-eu", "ideu", 50);
    world.kafka().outdated("orders-eu", Optional.empty());
    landAndAskAtFivePastEight("id");
    world.run(reckoner, Duration.ofMinutes(30));

    assertThat(world.isShown(SEVEN)).isFalse();
    TableState orders = Objects.requireNonNull(world.ledger().state().tables().get(TABLE));
    assertThat(orders.topics()).containsExactly("orders", "orders-eu");
  }

  /** Its log began while it was empty, so 0 agrees with what has landed. */
  @Test
  void endOffsetOfZeroThatABrokerAnswersOnceIsAskedAgain() throws Exception {
    world.kafka().set("orders", "id", 100, 0);
    ReckonedTask second = world.task(1, "id");
    second.lands(SEVEN, 0);
    world.task(0, "id").lands(SEVEN.plusSeconds(1800), 100);
    world.run(reckoner, Duration.ofMinutes(2));
    world.kafka().set("orders", "id", 100, 50);
    world.kafka().inventEnd("orders", 1);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.isShown(SEVEN)).isFalse();

    second.lands(SEVEN.plusSeconds(1800), 50);
    world.run(reckoner, Duration.ofMinutes(5));
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** Two answers have as many zeros, and each has another topic-partition's. */
  @Test
  void endOffsetsOfZeroOfDifferentTopicPartitionsDoNotAgree() throws Exception {
    world.kafka().set("orders", "id", 0, 0);
    ReckonedTask first = world.task(0, "id");
    ReckonedTask second = world.task(1, "id");
    first.lands(SEVEN, 0);
    second.lands(SEVEN, 0);
    world.run(reckoner, Duration.ofMinutes(2));
    first.lands(SEVEN.plusSeconds(1800), 50);
    world.kafka().set("orders", "id", 50, 50);
    world.kafka().inventEnd("orders", 1);
    world.kafka().inventEnd("orders", 0);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.isShown(SEVEN)).isFalse();

    second.lands(SEVEN.plusSeconds(1800), 50);
    world.run(reckoner, Duration.ofMinutes(5));
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** A deposed leader that is cut off still answers, with its end offset of that time. */
  @Test
  void endOffsetOfALeaderThatOtherBrokersDoNotNameIsAskedAgain() throws Exception {
    world.kafka().set("orders", "id", 150);
    world.kafka().deposed("orders", 2, 100);
    landAndAskAtFivePastEight("id");
    assertThat(world.held(TABLE)).startsWith("TRUNCATED orders");

    world.kafka().upToDate();
    world.run(reckoner, Duration.ofMinutes(5));
    assertThat(world.held(TABLE)).startsWith("BEHIND orders-0: 50 offsets");
  }

  /** The end offsets are those of the present topic. */
  @Test
  void idThatOneBrokerHasIsNotTheTopics() throws Exception {
    world.kafka().set("orders", "new", 100);
    world.kafka().outdated("orders", Optional.of(new TopicDescription("old", 1, List.of(1))));
    landAndAskAtFivePastEight("old");

    assertThat(world.held(TABLE)).startsWith("TRUNCATED orders");
  }
}
