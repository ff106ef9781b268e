package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.commit.CommitEntry;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Offsets at the end of a topic-partition, without a later record. The log passes over them. */
final class EndOffsetWatchTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);
  private static final long A_WHILE_MS = 1_500;

  private final Quotes quotes = new Quotes();

  @Test
  void markersAtTheEndArePassed() throws Exception {
    quotes.produce(10);
    quotes.topic.marker(0);
    quotes.topic.marker(0);
    quotes.land(quotes.task(1_000));

    assertThat(quotes.next()).isEqualTo(12);
    assertThat(notDelivered()).isEqualTo("10-11");
    assertThat(lost()).isEmpty();
  }

  @Test
  void groupFollowsTheLog() throws Exception {
    quotes.produce(10);
    quotes.topic.marker(0);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntil(() -> Long.valueOf(11).equals(quotes.topic.groupOffsets.get(QUOTES)));
    }
  }

  @Test
  void recordsAtTheEndThatATransformDropsArePassedWithoutALook() throws Exception {
    quotes.produce(10);
    quotes.land(quotes.task(1_000).dropping(offset -> offset >= 6));

    assertThat(quotes.next()).isEqualTo(10);
    assertThat(notDelivered()).isEqualTo("6-9");
    assertThat(quotes.keys()).hasSize(6);
    assertThat(quotes.topic.checksBelowEnd()).isZero();
  }

  @Test
  void topicOfWhichATransformDropsAllIsPassed() throws Exception {
    quotes.produce(10);
    quotes.land(quotes.task(1_000).dropping(offset -> true));

    assertThat(quotes.next()).isEqualTo(10);
    assertThat(notDelivered()).isEqualTo("0-9");
  }

  @Test
  void openTransactionIsNotPassed() throws Exception {
    quotes.produce(5);
    quotes.topic.hold(0);
    quotes.produce(5);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntil(() -> quotes.topic.checksBelowEnd() > 1);
      assertThat(task.committedOffsets()).containsEntry(QUOTES, 5L);
      quotes.topic.release(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(notDelivered()).isEqualTo("10");
  }

  /** The new leader has records where the deposed one has markers. They are not yet delivered. */
  @Test
  void recordsOfTheNewLeaderLandAlthoughADeposedOneHasNone() throws Exception {
    quotes.produce(10);
    quotes.land(quotes.task(1_000));
    for (int marker = 0; marker < 5; marker++) {
      quotes.topic.marker(0);
    }
    quotes.topic.keepFormerLeader(0);
    quotes.topic.truncate(0, 10);
    quotes.topic.hold(0);
    quotes.produce(5);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntil(() -> quotes.topic.checksBelowEnd() > 2);
      quotes.topic.release(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** The consumer skipped to the end offset, and no later record shows it. */
  @Test
  void recordsThatAnIdleConsumerJumpedOverAreRead() throws Exception {
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      quotes.topic.groupOffsets.put(QUOTES, 0L);
      task.open(0);
      task.pollUntilLanded(0);
      quotes.produce(30);
      quotes.topic.deleteBefore(0, 20);
      task.pollUntilLanded(0);
    }

    assertThat(lost()).isEqualTo("10-19");
    assertThat(notDelivered()).isEmpty();
    assertThat(quotes.keys()).hasSize(30);
  }

  @Test
  void whatWasRetainedAwayUnderAnIdleTaskIsLost() throws Exception {
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      quotes.topic.hold(0);
      quotes.produce(5);
      quotes.topic.deleteBefore(0, 15);
      task.pollUntilLanded(0);
    }

    assertThat(lost()).isEqualTo("10-14");
    assertThat(notDelivered()).isEmpty();
  }

  @Test
  void markersThatAreRetainedAwayAfterTheLookAreNotLost() throws Exception {
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      quotes.topic.marker(0);
      quotes.topic.marker(0);
      quotes.topic.beforeRetainedAreTold(() -> quotes.topic.deleteBefore(0, 12));
      task.pollUntilLanded(0);
    }

    assertThat(notDelivered()).isEqualTo("10-11");
    assertThat(lost()).isEmpty();
  }

  /** The group's offset is above the log's. The framework reports it once more after the seek. */
  @Test
  void positionThatIsToldBeforeASeekTakesEffectPassesNothing() throws Exception {
    quotes.produce(5);
    quotes.land(quotes.task(1_000));
    quotes.topic.hold(0);
    quotes.produce(5);
    quotes.topic.groupOffsets.put(QUOTES, 10L);
    try (TestTask task = quotes.task(1_000).committingBeforeSeeks()) {
      task.open(0);
      task.pollUntil(() -> quotes.topic.checksBelowEnd() > 1);
      assertThat(task.committedOffsets()).containsEntry(QUOTES, 5L);
      quotes.topic.release(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void tailThatMayNotBeReadHoldsUntilItMay() throws Exception {
    quotes.produce(10);
    quotes.topic.marker(0);
    quotes.topic.refuseTails(true);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntil(() -> quotes.topic.checksBelowEnd() > 1);
      assertThat(task.committedOffsets()).containsEntry(QUOTES, 10L);
      quotes.topic.refuseTails(false);
      task.pollUntilLanded(0);
    }

    assertThat(notDelivered()).isEqualTo("10");
  }

  /** A record that arrives during the check makes the result of the check invalid. */
  @Test
  void recordsThatComeDuringTheLookLand() throws Exception {
    quotes.produce(3);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      for (int i = 0; i < 40; i++) {
        quotes.topic.marker(0);
        task.reaches(i * 7L % 50, () -> false);
        quotes.produce(1);
      }
      quotes.topic.marker(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(lost()).isEmpty();
  }

  /** Between two checks nothing is requested, and a complete log is not written to. */
  @Test
  void idleLogIsLeftAlone() throws Exception {
    quotes.produce(3);
    quotes.topic.marker(0);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      long entries = quotes.log().last().orElseThrow().number();
      long looks = quotes.topic.checksBelowEnd();
      task.reaches(A_WHILE_MS, () -> false);
      assertThat(quotes.log().last().orElseThrow().number()).isEqualTo(entries);
      assertThat(quotes.topic.checksBelowEnd()).isEqualTo(looks);
    }
  }

  private String notDelivered() throws Exception {
    return notLanded().stream()
        .map(each -> each.notDelivered().toString())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(","));
  }

  private String lost() throws Exception {
    return notLanded().stream()
        .map(each -> each.lost().toString())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(","));
  }

  private List<NotLanded> notLanded() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .map(CommitEntry.Batch::notLanded)
        .toList();
  }
}
