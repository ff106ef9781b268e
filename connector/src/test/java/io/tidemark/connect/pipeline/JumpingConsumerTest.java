package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A consumer whose position Kafka no longer has moves according to {@code auto.offset.reset}. With
 * {@code latest} it skips records that Kafka still has. These records must be read, and must not be
 * counted as not delivered.
 */
final class JumpingConsumerTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);

  private final Quotes quotes = new Quotes();

  @Test
  void recordsThatARestartBehindRetentionJumpsOverAreRead() throws Exception {
    quotes.produce(10);
    quotes.land(quotes.task(1_000));
    quotes.produce(40);
    quotes.topic.deleteBefore(0, 15);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
      // Retention deletes records between Kafka's answer and the first fetch.
      quotes.topic.deleteBefore(0, 20);
      task.poll();
      quotes.produce(5);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().get(1).notDelivered()).hasToString("");
    assertThat(notLanded().get(1).lost()).hasToString("10-19");
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(allBut(10, 20));
  }

  @Test
  void recordsThatARunningConsumerJumpsOverAreRead() throws Exception {
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      quotes.topic.groupOffsets.put(QUOTES, 0L);
      task.open(0);
      task.pollUntilLanded(0);
      quotes.produce(30);
      quotes.topic.deleteBefore(0, 20);
      task.poll();
      quotes.produce(5);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded()).extracting(each -> each.lost().toString()).contains("10-19");
    assertThat(notLanded()).extracting(each -> each.notDelivered().size()).containsOnly(0L);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(allBut(10, 20));
  }

  @Test
  void recordsThatAnEmptyLogHasNotSeenAreRead() throws Exception {
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      task.open(0);
      task.pollUntil(() -> quotes.topic.groupOffsets.containsKey(QUOTES));
    }
    quotes.produce(10);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      task.open(0);
      task.pollUntil(() -> !task.isPaused(0));
      quotes.produce(5);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(10, 25));
    assertThat(state().first()).isEqualTo(10);
  }

  @Test
  void offsetsThatRetentionTakesFromAnEmptyLogAreLost() throws Exception {
    quotes.produce(10);
    quotes.topic.groupOffsets.put(QUOTES, 3L);
    quotes.topic.deleteBefore(0, 6);
    try (TestTask task = quotes.task(1_000).resettingToLatest()) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(state().first()).isEqualTo(3);
    assertThat(notLanded().get(0).lost()).hasToString("3-5");
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(6, 10));
  }

  /** Retention has deleted all remaining records. No later record can cause the account. */
  @Test
  void whatIsLostIsAccountedForWhereNothingFollows() throws Exception {
    quotes.produce(10);
    quotes.land(quotes.task(1_000));
    quotes.produce(5);
    quotes.topic.deleteBefore(0, 15);
    quotes.land(quotes.task(1_000));

    assertThat(notLanded().get(notLanded().size() - 1).lost()).hasToString("10-14");
    assertThat(quotes.next()).isEqualTo(15);
  }

  /**
   * A gap of several offsets between two polls causes a request to Kafka. Nothing is read twice.
   */
  @Test
  void gapsOfACompactedTopicAreNotDelivered() throws Exception {
    quotes.produce(3);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      for (int i = 0; i < 3; i++) {
        quotes.topic.marker(0);
      }
      quotes.produce(2);
      quotes.topic.marker(0);
      quotes.topic.marker(0);
      quotes.produce(1);
      int seeks = task.seeks();
      task.pollUntilLanded(0);
      assertThat(task.seeks()).isEqualTo(seeks);
    }

    List<String> passed = new ArrayList<>();
    for (NotLanded each : notLanded()) {
      passed.add(each.notDelivered().toString());
      assertThat(each.lost()).hasToString("");
    }
    passed.removeIf(String::isEmpty);
    assertThat(String.join(",", passed)).isEqualTo("3-5,8-9");
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** Some brokers still name it as the leader: the end offset is another leader's answer. */
  @Test
  void recordsThatADeposedLeaderStillHasAreLost() throws Exception {
    quotes.produce(3);
    quotes.topic.keepFormerLeader(0);
    quotes.topic.elect(0);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      quotes.produce(4);
      quotes.topic.deleteBefore(0, 7);
      quotes.produce(1);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded()).extracting(each -> each.lost().toString()).contains("3-6");
    assertThat(notLanded()).extracting(each -> each.notDelivered().size()).containsOnly(0L);
  }

  /** Delivered records land even if retention deletes them during the request to Kafka. */
  @Test
  void recordThatIsHeldIsNotLost() throws Exception {
    quotes.produce(3);
    try (TestTask task = quotes.task(1_000)) {
      task.open(0);
      task.pollUntilLanded(0);
      quotes.topic.marker(0);
      quotes.topic.marker(0);
      quotes.produce(2);
      quotes.topic.beforeRetainedAreTold(() -> quotes.topic.deleteBefore(0, 7));
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(quotes.next()).isEqualTo(7);
  }

  /**
   * After the first record of a put() the consumer has read the following offsets: no request is
   * needed.
   */
  @Test
  void gapsWithinAPutNeedNoAnswer() throws Exception {
    quotes.produce(2);
    quotes.topic.marker(0);
    quotes.topic.marker(0);
    quotes.produce(1);
    try (TestTask task = quotes.task(3)) {
      task.open(0);
      long claimed = 1;
      quotes.topic.beforeRetainedAreTold(
          () -> {
            if (quotes.topic.retainedAsked() > claimed) {
              quotes.topic.deleteBefore(0, 5);
            }
          });
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().get(0).notDelivered()).hasToString("2-3");
    assertThat(notLanded().get(0).lost()).hasToString("");
  }

  private List<String> allBut(int from, int to) {
    List<String> keys = new ArrayList<>(quotes.produced);
    keys.subList(from, to).clear();
    return keys;
  }

  private LogState state() throws Exception {
    return quotes.log().last().orElseThrow().entry().state();
  }

  private List<NotLanded> notLanded() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .map(CommitEntry.Batch::notLanded)
        .toList();
  }
}
