package io.tidemark.connect.kafka;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Requests end offsets with the connector's own client, in three requests for any number of topics,
 * and descriptions with new clients. It needs DESCRIBE on the topics. Not thread-safe.
 */
public final class KafkaEndOffsets implements EndOffsets {
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  /** The longest wait for the leaders of all topic-partitions; an election may be in progress. */
  private static final int LEADERS_WAIT_MS = 10_000;

  /** The right to list topics: Kafka lists only topics that may be described. */
  private static final OwnRight NAMES = new OwnRight("DESCRIBE", "the topics");

  private final RenewedAdmin admin;
  private final BrokersAgreement brokers;

  /** Creates the client, which connects at its first request. */
  public KafkaEndOffsets(Map<String, Object> properties) {
    this.admin = new RenewedAdmin(properties, CLOSE_TIMEOUT);
    this.brokers = new BrokersAgreement(properties, MonotonicClock.system());
  }

  /** Returns the topics of any of several brokers whose names match, without internal topics. */
  public Set<String> topics(Pattern pattern) throws IOException {
    return brokers
        .ask(
            client -> {
              KafkaFuture<Set<String>> names = client.listTopics().names();
              return () -> RenewedAdmin.await(names, "its topics", NAMES);
            })
        .stream()
        .flatMap(Set::stream)
        .filter(pattern.asMatchPredicate())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
    return admin.ask(client -> ask(client, topics, agreed));
  }

  private Answers ask(Admin admin, Collection<String> topics, boolean agreed) throws IOException {
    KafkaFuture<String> clusterId = admin.describeCluster().clusterId();
    Set<String> refused = new TreeSet<>();
    Set<String> unreadable = new TreeSet<>();
    Map<String, TopicDescription> before = described(request(admin, topics), refused, unreadable);
    // Request the high watermarks (uncommitted), which include the records of open transactions.
    Map<String, List<Long>> ends = ends(admin, before, IsolationLevel.READ_UNCOMMITTED);
    Map<String, TopicDescription> answering = new HashMap<>(before);
    answering.keySet().retainAll(ends.keySet());
    Map<String, List<Long>> stable = ends(admin, answering, IsolationLevel.READ_COMMITTED);
    List<Map<String, TopicDescription>> after = new ArrayList<>();
    after.add(described(request(admin, topics), refused, unreadable));
    if (agreed) {
      after.addAll(
          brokers.ask(
              client -> {
                DescribeTopicsResult asked = request(client, topics);
                return () -> described(asked, refused, unreadable);
              }));
    }
    return new Answers(
        RenewedAdmin.await(clusterId, "the cluster id", NAMES),
        before,
        ends,
        open(ends, stable),
        after,
        refused,
        unreadable);
  }

  /** Returns the first offsets of open transactions, which are the last stable offsets. */
  private static Map<String, Map<Integer, Long>> open(
      Map<String, List<Long>> ends, Map<String, List<Long>> stable) {
    Map<String, Map<Integer, Long>> open = new HashMap<>();
    stable.forEach(
        (topic, offsets) -> {
          List<Long> ofTopic = ends.getOrDefault(topic, List.of());
          for (int each = 0; each < Math.min(ofTopic.size(), offsets.size()); each++) {
            if (offsets.get(each) < ofTopic.get(each)) {
              open.computeIfAbsent(topic, first -> new HashMap<>()).put(each, offsets.get(each));
            }
          }
        });
    return open;
  }

  static DescribeTopicsResult request(Admin admin, Collection<String> topics) {
    return admin.describeTopics(
        TopicCollection.ofTopicNames(topics),
        new DescribeTopicsOptions().includeAuthorizedOperations(true));
  }

  /** Adds the topics that the client may not describe, or read, to the two sets. */
  static Map<String, TopicDescription> described(
      DescribeTopicsResult asked, Set<String> refused, Set<String> unreadable) throws IOException {
    Map<String, TopicDescription> described = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<org.apache.kafka.clients.admin.TopicDescription>> each :
        asked.topicNameValues().entrySet()) {
      try {
        org.apache.kafka.clients.admin.TopicDescription description =
            RenewedAdmin.await(
                each.getValue(),
                "the id of topic " + each.getKey(),
                OwnRight.describeTopic(each.getKey()));
        described.put(
            each.getKey(),
            new TopicDescription(
                description.topicId().toString(),
                description.partitions().size(),
                description.partitions().stream()
                    .map(of -> of.leader() == null ? -1 : of.leader().id())
                    .toList()));
        // Null if the broker does not return it.
        Set<AclOperation> allowed = description.authorizedOperations();
        if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.READ)) {
          unreadable.add(each.getKey());
        }
      } catch (IOException e) {
        if (e.getCause() instanceof TopicAuthorizationException) {
          refused.add(each.getKey());
        } else if (!isUnknown(e.getCause())) {
          throw e;
        }
      }
    }
    return described;
  }

  private static boolean isUnknown(@Nullable Throwable cause) {
    return cause instanceof UnknownTopicOrPartitionException
        || cause instanceof InvalidTopicException
        || (cause instanceof ExecutionException wrapped && isUnknown(wrapped.getCause()));
  }

  /**
   * Returns the end offsets of the topics whose topic-partitions all have an end offset. A
   * topic-partition without a leader does not delay other topics.
   *
   * @throws IOException no topic has all its end offsets
   */
  static Map<String, List<Long>> ends(
      Admin admin, Map<String, TopicDescription> topics, IsolationLevel isolation)
      throws IOException {
    Map<String, List<TopicPartition>> asked = new HashMap<>();
    topics.forEach(
        (topic, description) ->
            asked.put(
                topic,
                IntStream.range(0, description.topicPartitions())
                    .mapToObj(each -> new TopicPartition(topic, each))
                    .toList()));
    Map<TopicPartition, IOException> failed = new HashMap<>();
    Map<TopicPartition, Long> found =
        new OffsetsRequest(
                admin,
                asked.values().stream().flatMap(List::stream).toList(),
                OffsetSpec.latest(),
                new ListOffsetsOptions(isolation).timeoutMs(LEADERS_WAIT_MS))
            .await(failed);
    Map<String, List<Long>> ends = new HashMap<>();
    asked.forEach(
        (topic, topicPartitions) -> {
          if (found.keySet().containsAll(topicPartitions)) {
            ends.put(
                topic, topicPartitions.stream().map(each -> found.getOrDefault(each, 0L)).toList());
          }
        });
    for (IOException failure : failed.values()) {
      Throwable cause = failure.getCause();
      // A leader is unavailable, or the topic may not be described.
      boolean ofOneTopic =
          cause instanceof TimeoutException || cause instanceof TopicAuthorizationException;
      if (ofOneTopic ? ends.isEmpty() : !isUnknown(cause)) {
        throw failure;
      }
    }
    return ends;
  }

  @Override
  public void close() {
    admin.close();
  }
}
