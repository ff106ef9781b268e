package io.tidemark.connect.kafka;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;

/**
 * Requests metadata of topics with the connector's own clients. The clients need DESCRIBE on the
 * topics, DESCRIBE on the consumer group to detect that another tool changed its offsets, and READ
 * on the topics to detect that the last offsets are only markers. Thread-safe.
 */
public final class KafkaTopicMetadata implements TopicMetadata {
  private static final long TIMEOUT_MS = 30_000;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final RenewedAdmin admin;
  private final LeaderEpochs epochs;
  private final BrokersAgreement agreement;
  private final KafkaTailProbe tails;
  private final String group;

  /**
   * Creates the client, which connects at its first request.
   *
   * @param properties Kafka's client properties, which include {@code bootstrap.servers}
   * @param group the consumer group of the connector
   * @param readCommitted whether the connector's consumers are known to read committed records only
   */
  public KafkaTopicMetadata(Map<String, Object> properties, String group, boolean readCommitted) {
    this.admin = new RenewedAdmin(properties, CLOSE_TIMEOUT);
    this.epochs = new LeaderEpochs(properties);
    this.agreement = new BrokersAgreement(properties, MonotonicClock.system());
    this.tails = new KafkaTailProbe(properties, readCommitted, MonotonicClock.system());
    this.group = group;
  }

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    return admin.ask(client -> new IdentityQuestion(client, topic).answer());
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) throws IOException {
    return agreement.identity(topic);
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
    return admin.ask(client -> retainedOffsets(client, topicPartition));
  }

  private static RetainedOffsets retainedOffsets(Admin client, TopicPartition topicPartition)
      throws IOException {
    // Both requests are sent before either is awaited.
    var earliest = offset(client, topicPartition, OffsetSpec.earliest());
    var latest = offset(client, topicPartition, OffsetSpec.latest());
    OwnRight needed = OwnRight.describeTopic(topicPartition.topic());
    ListOffsetsResultInfo end =
        RenewedAdmin.await(latest, "the end offset of " + topicPartition, needed);
    return new RetainedOffsets(
        RenewedAdmin.await(earliest, "the first offset of " + topicPartition, needed).offset(),
        end.offset(),
        end.leaderEpoch().orElse(LogState.UNKNOWN));
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    return admin.ask(client -> ends(client, topicPartitions));
  }

  private static Map<TopicPartition, Long> ends(Admin client, Set<TopicPartition> topicPartitions)
      throws IOException {
    Map<org.apache.kafka.common.TopicPartition, OffsetSpec> asked = new HashMap<>();
    topicPartitions.forEach(each -> asked.put(KafkaPartition.of(each), OffsetSpec.latest()));
    ListOffsetsResult answers = client.listOffsets(asked);
    Map<TopicPartition, Long> ends = new HashMap<>();
    IOException failure = null;
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    for (TopicPartition each : topicPartitions) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      try {
        ends.put(
            each,
            RenewedAdmin.await(
                    answers.partitionResult(KafkaPartition.of(each)),
                    "the end offset of " + each,
                    OwnRight.describeTopic(each.topic()),
                    Math.max(0, leftMs))
                .offset());
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) { // such as a deleted topic; the other results are valid
        failure = e;
      }
    }
    if (ends.isEmpty() && failure != null) {
      throw failure;
    }
    return ends;
  }

  @Override
  public Tail tail(TopicPartition topicPartition, OffsetRange offsets) throws IOException {
    return tails.look(KafkaPartition.of(topicPartition), offsets);
  }

  @Override
  public OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException {
    return epochs.truncatedAt(KafkaPartition.of(topicPartition), next, leaderEpoch);
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    org.apache.kafka.common.TopicPartition asked = KafkaPartition.of(topicPartition);
    Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> committed =
        admin.ask(
            client ->
                RenewedAdmin.await(
                    client
                        .listConsumerGroupOffsets(
                            Map.of(
                                group,
                                new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(asked))))
                        .partitionsToOffsetAndMetadata(group),
                    "the offset of the consumer group " + group + " in " + topicPartition,
                    OwnRight.describeGroup(group)));
    OffsetAndMetadata offset = committed.get(asked);
    return offset == null
        ? Optional.empty()
        : Optional.of(new GroupOffset(offset.offset(), offset.metadata()));
  }

  private static KafkaFuture<ListOffsetsResultInfo> offset(
      Admin client, TopicPartition topicPartition, OffsetSpec spec) {
    org.apache.kafka.common.TopicPartition asked = KafkaPartition.of(topicPartition);
    return client.listOffsets(Map.of(asked, spec)).partitionResult(asked);
  }

  @Override
  public void close() {
    epochs.close();
    tails.close();
    admin.close();
  }
}
