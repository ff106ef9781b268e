package io.tidemark.connect.kafka;

import io.tidemark.connect.ledger.TopicDescription;
import io.tidemark.connect.reckon.EndOffsets;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * End offsets as a client of our own sees them: three questions for any number of topics. It needs
 * DESCRIBE on the topics. Used by one thread.
 */
public final class KafkaEndOffsets implements EndOffsets {
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  /** So long the leaders of all topic-partitions are waited for, which may be elected just now. */
  private static final int LEADERS_WAIT_MS = 10_000;

  /** Names are told of those topics that may be described; whoever may describe none has none. */
  private static final OwnRight NAMES = new OwnRight("DESCRIBE", "the topics");

  private final RenewedAdmin admin;

  /**
   * Makes the client; it connects when it is first asked.
   *
   * @param properties Kafka's client properties, {@code bootstrap.servers} among them
   */
  public KafkaEndOffsets(Map<String, Object> properties) {
    this.admin = new RenewedAdmin(properties, CLOSE_TIMEOUT);
  }

  /**
   * The topics whose names match as a whole, for {@code topics.regex}; internal ones are left out.
   */
  public Set<String> topics(Pattern pattern) throws IOException {
    Set<String> matching = new TreeSet<>();
    for (String name :
        admin.ask(client -> RenewedAdmin.await(client.listTopics().names(), "its topics", NAMES))) {
      if (pattern.matcher(name).matches()) {
        matching.add(name);
      }
    }
    return matching;
  }

  @Override
  public Answers ask(Collection<String> topics) throws IOException {
    return admin.ask(client -> ask(client, topics));
  }

  private static Answers ask(Admin admin, Collection<String> topics) throws IOException {
    KafkaFuture<String> clusterId = admin.describeCluster().clusterId();
    Set<String> refused = new TreeSet<>();
    Set<String> unreadable = new TreeSet<>();
    Map<String, TopicDescription> before = describe(admin, topics, refused, unreadable);
    // Uncommitted: the high watermark, which the records of open transactions are below.
    Map<String, List<Long>> ends = ends(admin, before, IsolationLevel.READ_UNCOMMITTED);
    Map<String, TopicDescription> answering = new HashMap<>(before);
    answering.keySet().retainAll(ends.keySet());
    Map<String, List<Long>> stable = ends(admin, answering, IsolationLevel.READ_COMMITTED);
    Map<String, TopicDescription> after = describe(admin, topics, refused, unreadable);
    return new Answers(
        RenewedAdmin.await(clusterId, "the cluster id", NAMES),
        before,
        ends,
        open(ends, stable),
        after,
        refused,
        unreadable);
  }

  /** The last stable offset is where the first open transaction begins. */
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

  /**
   * Describes topics.
   *
   * @param refused gets the topics that may not be described
   * @param unreadable gets those that may not be read
   */
  static Map<String, TopicDescription> describe(
      Admin admin, Collection<String> topics, Set<String> refused, Set<String> unreadable)
      throws IOException {
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    Map<String, KafkaFuture<org.apache.kafka.clients.admin.TopicDescription>> asked =
        admin.describeTopics(TopicCollection.ofTopicNames(topics), options).topicNameValues();
    Map<String, TopicDescription> described = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<org.apache.kafka.clients.admin.TopicDescription>> each :
        asked.entrySet()) {
      try {
        org.apache.kafka.clients.admin.TopicDescription description =
            RenewedAdmin.await(
                each.getValue(),
                "the id of topic " + each.getKey(),
                OwnRight.describeTopic(each.getKey()));
        described.put(
            each.getKey(),
            new TopicDescription(
                description.topicId().toString(), description.partitions().size()));
        // Null where the broker does not say so.
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
   * The end offsets of those topics of which all topic-partitions answer. One without a leader
   * keeps no other topic waiting.
   *
   * @throws IOException none answers
   */
  static Map<String, List<Long>> ends(
      Admin admin, Map<String, TopicDescription> topics, IsolationLevel isolation)
      throws IOException {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    topics.forEach(
        (topic, description) -> {
          for (int each = 0; each < description.topicPartitions(); each++) {
            question.put(new TopicPartition(topic, each), OffsetSpec.latest());
          }
        });
    ListOffsetsOptions options = new ListOffsetsOptions(isolation);
    ListOffsetsResult asked = admin.listOffsets(question, options.timeoutMs(LEADERS_WAIT_MS));
    Map<String, List<Long>> ends = new HashMap<>();
    Optional<IOException> silence = Optional.empty();
    for (Map.Entry<String, TopicDescription> topic : topics.entrySet()) {
      try {
        List<Long> ofTopic = new ArrayList<>();
        for (int each = 0; each < topic.getValue().topicPartitions(); each++) {
          TopicPartition topicPartition = new TopicPartition(topic.getKey(), each);
          ofTopic.add(
              RenewedAdmin.await(
                      asked.partitionResult(topicPartition),
                      "the end offset of " + topicPartition,
                      OwnRight.describeTopic(topic.getKey()))
                  .offset());
        }
        ends.put(topic.getKey(), ofTopic);
      } catch (IOException e) {
        if (isOfOneTopic(e.getCause())) {
          silence = Optional.of(e);
        } else if (!isUnknown(e.getCause())) { // Else it was deleted meanwhile.
          throw e;
        }
      }
    }
    if (ends.isEmpty() && silence.isPresent()) {
      throw silence.get();
    }
    return ends;
  }

  /** The leader of a topic-partition is away, or the topic may not be described. */
  private static boolean isOfOneTopic(@Nullable Throwable cause) {
    return cause instanceof TimeoutException || cause instanceof TopicAuthorizationException;
  }

  @Override
  public void close() {
    admin.close();
  }
}
