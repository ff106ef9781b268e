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

  /** Sends the request without waiting; {@code spec} is the earliest or the latest offset. */
  OffsetsRequest(
      Admin admin,
      Collection<TopicPartition> topicPartitions,
      OffsetSpec spec,
      ListOffsetsOptions options) {
    this.topicPartitions = List.copyOf(topicPartitions);
    this.what =
        spec instanceof OffsetSpec.EarliestSpec ? "the first offset of " : "the end offset of ";
    this.result =
        admin.listOffsets(
            this.topicPartitions.stream().collect(Collectors.toMap(KafkaPartition::of, of -> spec)),
            options);
  }

  ListOffsetsResultInfo await(TopicPartition topicPartition) throws IOException {
    return await(topicPartition, TIMEOUT_MS);
  }

  /** Waits for all results; {@code failed} receives the failures, which do not delay others. */
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
