package io.tidemark.connect.kafka;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.SharedAnswers;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.TopicIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Sends a request to several brokers, because the metadata of one broker may be outdated. The Admin
 * API cannot address one, but a new client selects a random broker and keeps it. Thread-safe.
 */
final class BrokersAgreement {

  /** If one broker of three is outdated, all clients select this broker once in 243 times. */
  private static final int CLIENTS = 5;

  /** A response is reused, because the topic-partitions of a topic are claimed together. */
  private static final Duration REUSED = Duration.ofSeconds(5);

  private final Map<String, Object> properties;
  private final MonotonicClock clock;
  private final SharedAnswers<String, TopicIdentity> identities;

  BrokersAgreement(Map<String, Object> properties, MonotonicClock clock) {
    this.properties = Map.copyOf(properties);
    this.clock = clock;
    this.identities = new SharedAnswers<>(clock);
  }

  /** Returns the identity; throws if brokers disagree, or a broker does not respond. */
  TopicIdentity identity(String topic) throws IOException {
    return identities.after(
        clock.millis() - REUSED.toMillis(),
        topic,
        () -> same(topic, ask(client -> identity(client, topic))));
  }

  /** Returns whether no broker knows the topic-partition. */
  boolean gone(String topic, int partition) throws IOException {
    return ask(client -> topicPartitions(description(client, topic))).stream()
        .allMatch(count -> count <= partition);
  }

  private static Answer<Integer> topicPartitions(Answer<TopicDescription> described) {
    return () -> {
      try {
        return described.await().partitions().size();
      } catch (NoSuchTopicException e) {
        return 0;
      }
    };
  }

  /** Requests the identity of a topic; does not wait. */
  static Answer<TopicIdentity> identity(Admin admin, String topic) {
    KafkaFuture<String> cluster = admin.describeCluster().clusterId();
    Answer<TopicDescription> described = description(admin, topic);
    return () ->
        new TopicIdentity(
            RenewedAdmin.await(cluster, "the cluster id", OwnRight.describeTopic(topic)),
            described.await().topicId().toString());
  }

  private static Answer<TopicDescription> description(Admin admin, String topic) {
    var described = admin.describeTopics(List.of(topic)).allTopicNames();
    OwnRight right = OwnRight.describeTopic(topic);
    return () -> {
      try {
        return Objects.requireNonNull(
            RenewedAdmin.await(described, "the id of topic " + topic, right).get(topic));
      } catch (KafkaUnavailableException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          throw new NoSuchTopicException(String.valueOf(e.getMessage()), e.getCause());
        }
        throw e;
      }
    };
  }

  /** A response that is not received yet. */
  interface Answer<T> {
    T await() throws IOException;
  }

  /** Returns the responses to a request by each client; {@code question} does not wait. */
  <T> List<T> ask(Function<Admin, Answer<T>> question) throws IOException {
    List<Admin> clients = new ArrayList<>();
    try {
      List<Answer<T>> answers = new ArrayList<>();
      for (int number = 1; number <= CLIENTS; number++) {
        Admin client = Admin.create(named(number));
        clients.add(client);
        answers.add(question.apply(client));
      }
      List<T> all = new ArrayList<>();
      for (Answer<T> answer : answers) {
        all.add(answer.await());
      }
      return all;
    } catch (KafkaException e) {
      throw new KafkaUnavailableException("Kafka clients cannot be created: " + e.getMessage(), e);
    } finally {
      clients.forEach(client -> client.close(Duration.ZERO));
    }
  }

  private static TopicIdentity same(String topic, List<TopicIdentity> answers)
      throws KafkaUnavailableException {
    TopicIdentity first = answers.get(0);
    for (TopicIdentity other : answers) {
      if (!other.equals(first)) {
        throw new KafkaUnavailableException(
            "Brokers return different ids of topic %s: %s (cluster %s) and %s (cluster %s). The metadata of one broker is outdated, because the topic was recreated. The task retries."
                .formatted(
                    topic, first.topicId(), first.clusterId(), other.topicId(), other.clusterId()));
      }
    }
    return first;
  }

  /** Clients with the same id would replace each other among the JVM's metrics. */
  private Map<String, Object> named(int number) {
    Map<String, Object> named = RenewedAdmin.quiet(properties);
    named.computeIfPresent(
        CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-agreement-" + number);
    return named;
  }
}
