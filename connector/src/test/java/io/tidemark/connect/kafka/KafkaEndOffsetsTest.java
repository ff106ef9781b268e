package io.tidemark.connect.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.TopicDescription;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Requests of end offsets with scripted answers of Kafka about topics with problems. CompletenessIT
 * uses a real Kafka.
 */
class KafkaEndOffsetsTest {
  private static final Map<String, TopicDescription> TWO =
      Map.of(
          "orders",
          new TopicDescription("o", 2, List.of(1, 2)),
          "payments",
          new TopicDescription("p", 1, List.of(1)));

  private final Map<String, ApiException> failures = new HashMap<>();
  private final Admin admin = new Admin();

  /** An admin client that sends no request over the network. */
  private final class Admin extends ForwardingAdmin {
    Optional<Integer> timeoutMs = Optional.empty();

    Admin() {
      super(Map.of("bootstrap.servers", "localhost:1"));
    }

    @Override
    public ListOffsetsResult listOffsets(
        Map<TopicPartition, OffsetSpec> question, ListOffsetsOptions options) {
      timeoutMs = Optional.ofNullable(options.timeoutMs());
      Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
      question
          .keySet()
          .forEach(
              each ->
                  answers.put(
                      each,
                      answer(each.toString(), new ListOffsetsResultInfo(7, -1, Optional.empty()))));
      return new ListOffsetsResult(answers);
    }

    @Override
    public DescribeTopicsResult describeTopics(
        TopicCollection topics, DescribeTopicsOptions options) {
      Map<String, KafkaFuture<org.apache.kafka.clients.admin.TopicDescription>> answers =
          new HashMap<>();
      Collection<String> names = ((TopicCollection.TopicNameCollection) topics).topicNames();
      names.forEach(
          name ->
              answers.put(
                  name,
                  answer(
                      name,
                      new org.apache.kafka.clients.admin.TopicDescription(
                          name, false, List.of()))));
      return new Described(answers);
    }
  }

  private static final class Described extends DescribeTopicsResult {
    Described(Map<String, KafkaFuture<org.apache.kafka.clients.admin.TopicDescription>> names) {
      super(null, names);
    }
  }

  private <T> KafkaFuture<T> answer(String place, T answer) {
    @Nullable ApiException failure = failures.get(place);
    KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
    if (failure == null) {
      future.complete(answer);
    } else {
      future.completeExceptionally(failure);
    }
    return future;
  }

  @AfterEach
  void close() {
    admin.close(Duration.ZERO);
  }

  private Map<String, List<Long>> ends() throws IOException {
    return KafkaEndOffsets.ends(admin, TWO, IsolationLevel.READ_UNCOMMITTED);
  }

  @Test
  void topicPartitionWithoutALeaderKeepsNoOtherTopicWaiting() throws Exception {
    failures.put("orders-1", new TimeoutException("no leader"));

    assertThat(ends()).containsExactly(Map.entry("payments", List.of(7L)));
    assertThat(admin.timeoutMs).contains(10_000);
  }

  @Test
  void topicThatMayNotBeAskedForKeepsNoOtherWaiting() throws Exception {
    failures.put("orders-0", new TopicAuthorizationException(Set.of("orders")));

    assertThat(ends()).containsOnlyKeys("payments");
  }

  @Test
  void clusterThatIsAwayIsNoAnswer() {
    for (String each : List.of("orders-0", "orders-1", "payments-0")) {
      failures.put(each, new TimeoutException("no broker"));
    }

    assertThatThrownBy(this::ends)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no broker");
  }

  @Test
  void deletedTopicIsMissing() throws Exception {
    failures.put("orders-0", new UnknownTopicOrPartitionException());
    failures.put("payments-0", new UnknownTopicOrPartitionException());

    assertThat(ends()).isEmpty();
  }

  /** The topic may exist, so it must not be regarded as deleted. */
  @Test
  void topicThatMayNotBeDescribedIsTold() throws Exception {
    failures.put("orders", new TopicAuthorizationException(Set.of("orders")));
    failures.put("returns", new UnknownTopicOrPartitionException());
    Set<String> refused = new TreeSet<>();

    assertThat(
            KafkaEndOffsets.described(
                KafkaEndOffsets.request(admin, List.of("orders", "payments", "returns")),
                refused,
                new TreeSet<>()))
        .containsOnlyKeys("payments");
    assertThat(refused).containsExactly("orders");
  }
}
