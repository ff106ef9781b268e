package io.tidemark.connect.kafka;

import static io.tidemark.connect.kafka.OwnConsumer.TIMEOUT;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Requests metadata of topics with the connector's own clients. The clients need DESCRIBE on the
 * topics, DESCRIBE on the consumer group to detect that another tool changed its offsets, and READ
 * on the topics to detect that the last offsets are only markers. Thread-safe.
 */
public final class KafkaTopicMetadata implements TopicMetadata {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final RenewedAdmin admin;

  /** Requests the ends of leader epochs, one at a time, and reads no records. */
  private final OwnConsumer epochs;

  /** Requests first offsets, one at a time. Claims, which use {@link #epochs}, do not wait. */
  private final OwnConsumer firsts;

  private final BrokersAgreement agreement;
  private final KafkaRecordProbe records;
  private final String group;

  /** {@code readCommitted} says whether the worker's consumers read only committed records. */
  public KafkaTopicMetadata(Map<String, Object> properties, String group, boolean readCommitted) {
    this.admin = new RenewedAdmin(properties, CLOSE_TIMEOUT);
    this.epochs = new OwnConsumer(properties, Map.of());
    this.firsts = new OwnConsumer(properties, Map.of());
    this.agreement = new BrokersAgreement(properties, MonotonicClock.system());
    this.records = new KafkaRecordProbe(properties, readCommitted, MonotonicClock.system());
    this.group = group;
  }

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    return admin.ask(client -> BrokersAgreement.identity(client, topic).await());
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) throws IOException {
    return agreement.identity(topic);
  }

  @Override
  public boolean gone(TopicPartition topicPartition) throws IOException {
    return agreement.gone(topicPartition.topic(), topicPartition.partition());
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
    Set<TopicPartition> asked = Set.of(topicPartition);
    return admin.ask(
        client -> {
          OffsetsRequest first = request(client, asked, OffsetSpec.earliest());
          ListOffsetsResultInfo end =
              request(client, asked, OffsetSpec.latest()).await(topicPartition);
          return new RetainedOffsets(
              first.await(topicPartition).offset(),
              end.offset(),
              end.leaderEpoch().orElse(LogState.UNKNOWN));
        });
  }

  @Override
  public long earliest(TopicPartition topicPartition, int present) throws IOException {
    var asked = KafkaPartition.of(topicPartition);
    return firsts.ask(
        asked,
        present,
        "the first offset from a leader of the epoch " + present + " or later",
        asking -> asking.beginningOffsets(List.of(asked), TIMEOUT).getOrDefault(asked, 0L));
  }

  /** A deposed leader, which some brokers still name, may return an earlier end offset. */
  @Override
  public long greatestEnd(TopicPartition topicPartition) throws IOException {
    if (gone(topicPartition)) {
      return 0;
    }
    return Collections.max(
        agreement.ask(
            client -> {
              OffsetsRequest end = request(client, Set.of(topicPartition), OffsetSpec.latest());
              return () -> end.await(topicPartition).offset();
            }));
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    return admin.ask(
        client -> {
          Map<TopicPartition, IOException> failed = new HashMap<>();
          Map<TopicPartition, Long> ends =
              request(client, topicPartitions, OffsetSpec.latest()).await(failed);
          if (ends.isEmpty() && !failed.isEmpty()) {
            throw failed.values().iterator().next();
          }
          return ends;
        });
  }

  private static OffsetsRequest request(Admin client, Set<TopicPartition> of, OffsetSpec spec) {
    return new OffsetsRequest(client, of, spec, new ListOffsetsOptions());
  }

  @Override
  public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present)
      throws IOException {
    return records.look(KafkaPartition.of(topicPartition), offsets, present);
  }

  /** The position after a seek to offset and epoch shows whether it was truncated (KIP-320). */
  @Override
  public OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) throws IOException {
    var asked = KafkaPartition.of(topicPartition);
    return epochs.ask(
        asked,
        present,
        "the end of the leader epoch " + leaderEpoch,
        asking -> {
          asking.seek(asked, new OffsetAndMetadata(next, Optional.of(leaderEpoch), ""));
          try {
            long position = asking.position(asked, TIMEOUT);
            return position < next ? OptionalLong.of(position) : OptionalLong.empty();
          } catch (LogTruncationException e) {
            // Without an offset, no broker has the epoch or an earlier one any more.
            OffsetAndMetadata divergent = e.divergentOffsets().get(asked);
            return OptionalLong.of(divergent == null ? 0 : Math.min(divergent.offset(), next - 1));
          }
        });
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    var asked = KafkaPartition.of(topicPartition);
    Map<String, ListConsumerGroupOffsetsSpec> question =
        Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(asked)));
    var committed =
        admin.ask(
            client ->
                RenewedAdmin.await(
                    client.listConsumerGroupOffsets(question).partitionsToOffsetAndMetadata(group),
                    "the offset of the consumer group " + group + " in " + topicPartition,
                    OwnRight.describeGroup(group)));
    return Optional.ofNullable(committed.get(asked))
        .map(offset -> new GroupOffset(offset.offset(), offset.metadata()));
  }

  @Override
  public void close() {
    for (OwnConsumer each : List.of(epochs, firsts)) {
      each.stop();
      each.close();
    }
    records.close();
    admin.close();
  }
}
