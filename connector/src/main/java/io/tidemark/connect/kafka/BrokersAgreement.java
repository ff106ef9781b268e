package io.tidemark.connect.kafka;

import io.tidemark.connect.commit.KafkaUnavailableException;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.time.MonotonicClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * What several brokers say of a topic. Kafka has no question for a broker of one's choice, but a
 * new client asks one that it chooses at random; one that has asked before stays with it. Safe for
 * use by many threads, of which one asks at a time.
 */
final class BrokersAgreement {

  /** With one broker of three outdated, all of so many clients ask it once in 243 times. */
  private static final int CLIENTS = 5;

  /** The topic-partitions of a topic are claimed together, and ask once. */
  private static final Duration HOLDS = Duration.ofSeconds(5);

  private final Map<String, Object> properties;
  private final MonotonicClock clock;
  private final Map<String, Agreed> agreed = new HashMap<>();

  private record Agreed(TopicIdentity identity, long untilMs) {}

  BrokersAgreement(Map<String, Object> properties, MonotonicClock clock) {
    this.properties = Map.copyOf(properties);
    this.clock = clock;
  }

  /**
   * The identity that all told.
   *
   * @throws IOException they do not agree, or one did not answer
   */
  synchronized TopicIdentity identity(String topic) throws IOException {
    long now = clock.millis();
    agreed.values().removeIf(each -> each.untilMs() <= now);
    Agreed before = agreed.get(topic);
    if (before != null) {
      return before.identity();
    }
    TopicIdentity identity = asked(topic);
    agreed.put(topic, new Agreed(identity, clock.millis() + HOLDS.toMillis()));
    return identity;
  }

  private TopicIdentity asked(String topic) throws IOException {
    List<Admin> clients = new ArrayList<>();
    try {
      List<IdentityQuestion> questions = new ArrayList<>();
      for (int number = 1; number <= CLIENTS; number++) {
        Admin client = Admin.create(named(number));
        clients.add(client);
        questions.add(new IdentityQuestion(client, topic));
      }
      TopicIdentity first = questions.get(0).answer();
      for (IdentityQuestion question : questions) {
        TopicIdentity other = question.answer();
        if (!other.equals(first)) {
          throw new KafkaUnavailableException(
              "The brokers do not agree on topic %s: one tells of the topic id %s (cluster %s), one of %s (cluster %s)."
                      .formatted(
                          topic,
                          first.topicId(),
                          first.clusterId(),
                          other.topicId(),
                          other.clusterId())
                  + " A broker has not learned yet that the topic was made again; they are asked again.");
        }
      }
      return first;
    } catch (KafkaException e) {
      throw new KafkaUnavailableException("Kafka's clients cannot be made: " + e.getMessage(), e);
    } finally {
      clients.forEach(client -> client.close(Duration.ZERO));
    }
  }

  /** Clients of one id would take each other's place among the JVM's metrics. */
  private Map<String, Object> named(int number) {
    Map<String, Object> named = new HashMap<>(properties);
    named.computeIfPresent(
        CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-agreement-" + number);
    return named;
  }
}
