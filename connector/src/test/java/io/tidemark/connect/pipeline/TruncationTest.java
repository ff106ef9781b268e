package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.log.OperatorConsent;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A topic-partition that Kafka truncated below the log's next offset, as after an unclean leader
 * election. It has grown beyond that offset since. Offsets that have landed therefore have other
 * records now.
 */
final class TruncationTest {
  private static final int LANDED = 50;
  private static final int TRUNCATED_TO = 30;

  private final Quotes quotes = new Quotes();

  @Test
  void newRecordsAtLandedOffsetsStopTheNextTask() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    truncateAndProduce(40);

    requireThatTheNextTaskStops();
  }

  @Test
  void consumerThatGoesBackToNewRecordsAtLandedOffsetsStopsItsTask() throws Exception {
    quotes.produce(LANDED);
    try (TestTask task = quotes.task(10)) {
      task.open(0);
      task.pollUntilLanded(0);
      truncateAndProduce(40);
      // A consumer moves by itself to the first offset that differs (KIP-320).
      task.seek(new TopicPartition("quotes", 0), TRUNCATED_TO);

      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining(Integer.toString(LANDED))
          .hasMessageContaining(Integer.toString(TRUNCATED_TO));
    }
    assertThat(quotes.next()).isEqualTo(LANDED);
  }

  @Test
  void truncationUnderAnIdleTaskStopsItBeforeAnyRecordComes() throws Exception {
    quotes.topic.groupOffsets.put(new TopicPartition("quotes", 0), 0L);
    quotes.produce(LANDED);
    // With earliest the consumer would deliver the rest again, and that alone would reveal it.
    try (TestTask task = quotes.task(10).resettingToLatest()) {
      task.open(0);
      task.pollUntilLanded(0);
      long delivered = task.delivered();
      quotes.topic.truncate(0, TRUNCATED_TO);

      assertThatThrownBy(() -> task.reaches(10_000, () -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining(Integer.toString(LANDED))
          .hasMessageContaining(Integer.toString(TRUNCATED_TO));
      assertThat(task.delivered()).isEqualTo(delivered);
    }
  }

  /** The log does not begin at the first delivered offset, because that offset was truncated. */
  @Test
  void recordBelowOneThatWasTakenBackBeforeTheFirstBatchLands() throws Exception {
    for (int i = 0; i < 3; i++) {
      quotes.topic.marker(0);
    }
    quotes.produce("taken back");
    try (TestTask task =
        quotes.task(1_000, new TestTask.Limits(64 << 20, 100, 1_000, 1_000), Clock.systemUTC())) {
      task.open(0);
      task.pollUntil(() -> task.delivered() > 0);
      quotes.topic.truncate(0, 1);
      quotes.produce(5);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys())
        .containsExactlyElementsOf(quotes.produced.subList(1, quotes.produced.size()));
    assertThat(quotes.log().last().orElseThrow().entry().state().first()).isZero();
  }

  @Test
  void operatorWhoAgreesGoesOnBehindWhatHasLanded() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    truncateAndProduce(40);
    LandingException refusal = quotes.landOrStop(quotes.task(10)).orElseThrow();

    quotes.land(quotes.task(10, Quotes.consentTo(refusal)));

    List<String> kept = new ArrayList<>(quotes.produced);
    kept.subList(LANDED, LANDED + LANDED - TRUNCATED_TO).clear();
    assertThat(quotes.keys()).containsExactlyElementsOf(kept);
  }

  @Test
  void alteredOffsetHidesNoTruncation() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    truncateAndProduce(40);
    TopicPartition topicPartition = new TopicPartition("quotes", 0);
    OperatorSkip skip = new OperatorSkip(quotes.topic, OperatorConsent.NONE, Clock.systemUTC());

    assertThatThrownBy(
            () ->
                skip.apply(
                    List.of(
                        new OperatorSkip.OffsetRequest(
                            topicPartition, Optional.of(LANDED + 1L), quotes.log()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("operator.consent=");
    assertThat(quotes.next()).isEqualTo(LANDED);
  }

  @Test
  void electionWithoutLossTakesNothingFromTheLog() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    quotes.topic.elect(0);
    quotes.produce(20);

    quotes.land(quotes.task(10));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(quotes.log().last().orElseThrow().entry().state().leaderEpoch()).isEqualTo(1);
  }

  /** With its epoch in the log, the records of the new leader would count as truncated later. */
  @Test
  void answersOfADeposedLeaderAreNoEvidenceForRecordsOfTheNewOne() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    quotes.topic.depose(0, 3);
    quotes.produce(20);

    quotes.land(quotes.task(10));
    assertThat(quotes.log().last().orElseThrow().entry().state().leaderEpoch()).isEqualTo(1);

    quotes.produce(20);
    quotes.land(quotes.task(10));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** Another client of the same task has already had an answer of the new leader. */
  @Test
  void deposedLeaderThatStillHasTheLandedRecordsHidesNoTruncation() throws Exception {
    quotes.produce(LANDED);
    quotes.land(quotes.task(10));
    quotes.topic.keepFormerLeader(0);
    truncateAndProduce(40);

    requireThatTheNextTaskStops();
  }

  private void requireThatTheNextTaskStops() throws Exception {
    assertThatThrownBy(() -> quotes.land(quotes.task(10)))
        .isInstanceOf(LandingException.class)
        .hasMessageContaining(Integer.toString(LANDED))
        .hasMessageContaining(Integer.toString(TRUNCATED_TO));
    assertThat(quotes.next()).isEqualTo(LANDED);
  }

  private void truncateAndProduce(int count) throws Exception {
    quotes.topic.truncate(0, TRUNCATED_TO);
    quotes.produce(count);
  }
}
