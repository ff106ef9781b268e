package io.tidemark.connect.kafka;

import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;

/** A pending request for the first or the end offsets of topic-partitions. */
final class OffsetsRequest {
  private static final long TIMEOUT_MS = 30_000;

  private final List<TopicPartition> topicPartitions;
  private final String what;
  private final ListOffsetsResult result;

  private OffsetsRequest(
      Admin admin,
      Collection<TopicPartition> topicPartitions,
      OffsetSpec spec,
      String what,
      ListOffsetsOptions options) {
    this.topicPartitions = List.copyOf(topicPartitions);
    this.what = what;
    this.result =
        admin.listOffsets(
            this.topicPartitions.stream().collect(Collectors.toMap(KafkaPartition::of, of -> spec)),
            options);
  }

  /** Does not wait. */
  static OffsetsRequest first(Admin admin, Collection<TopicPartition> topicPartitions) {
    return new OffsetsRequest(
        admin,
        topicPartitions,
        OffsetSpec.earliest(),
        "the first offset of ",
        new ListOffsetsOptions());
  }

  /** Does not wait. */
  static OffsetsRequest end(
      Admin admin, Collection<TopicPartition> topicPartitions, ListOffsetsOptions options) {
    return new OffsetsRequest(
        admin, topicPartitions, OffsetSpec.latest(), "the end offset of ", options);
  }

  /** Waits for the result of one topic-partition. */
  ListOffsetsResultInfo await(TopicPartition topicPartition) throws IOException {
    return await(topicPartition, TIMEOUT_MS);
  }

  /**
   * Waits for all results. A topic-partition without a result does not delay others.
   *
   * @param failed receives the failures, by topic-partition
   */
  Map<TopicPartition, Long> await(Map<TopicPartition, IOException> failed)
      throws InterruptedIOException {
    Map<TopicPartition, Long> found = new HashMap<>();
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    for (TopicPartition each : topicPartitions) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      try {
        found.put(each, await(each, Math.max(0, leftMs)).offset());
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) { // such as a deleted topic; the other results are valid
        failed.put(each, e);
      }
    }
    return found;
  }

  private ListOffsetsResultInfo await(TopicPartition topicPartition, long timeoutMs)
      throws IOException {
    return RenewedAdmin.await(
        result.partitionResult(KafkaPartition.of(topicPartition)),
        what + topicPartition,
        OwnRight.describeTopic(topicPartition.topic()),
        timeoutMs);
  }
}
