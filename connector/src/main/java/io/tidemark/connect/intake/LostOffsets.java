package io.tidemark.connect.intake;

import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each gap of one claim whether it had records that retention deleted before they were
 * read. If Kafka still retains an offset after the consumer has passed it, the offset had no record
 * for the task. Retention may delete more records before the commit, so this class requests Kafka's
 * first offset soon after a gap.
 *
 * <p>The task's thread adds gaps and starts the requests; any thread may read the result.
 */
public final class LostOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(LostOffsets.class);

  /** The minimum interval between two requests: every transaction leaves a gap. */
  private static final long PAUSE_MS = 10_000;

  private final TopicPartition topicPartition;
  private final PipelineServices services;
  private final int leaderEpoch;

  // Key: a passed offset. Value: Kafka's first offset, requested after that.
  private final NavigableMap<Long, Long> firstOffsets = new ConcurrentSkipListMap<>();

  // Used by the task's thread.
  private long gapsEnd;
  private long nextRequestMs = Long.MIN_VALUE;
  private @Nullable CompletableFuture<Void> asking;

  // Gaps before this offset need no more requests.
  private volatile long answered;

  /** Ignores responses of another leader than that of the claim. */
  LostOffsets(TopicPartition topicPartition, PipelineServices services, int leaderEpoch) {
    this.topicPartition = topicPartition;
    this.services = services;
    this.leaderEpoch = leaderEpoch;
  }

  void add(long next) {
    gapsEnd = Math.max(gapsEnd, next);
  }

  /** Requests Kafka's first offset after a new gap; {@code passed} is the consumer's position. */
  void requestFirstOffset(long passed) {
    if (gapsEnd <= answered || (asking != null && !asking.isDone())) {
      return;
    }
    long nowMs = services.monotonic().millis();
    if (nowMs < nextRequestMs) {
      return;
    }
    nextRequestMs = nowMs + PAUSE_MS;
    asking =
        services
            .retries()
            .of(topicPartition, () -> true)
            .until("ask for the first offset", this::firstOffset)
            .handle(
                (first, failure) -> {
                  if (failure == null && first.isPresent()) {
                    answered(passed, first.getAsLong());
                  }
                  return null;
                });
  }

  /** Adds Kafka's first offset, requested after the offsets below {@code passed} were passed. */
  void answered(long passed, long first) {
    firstOffsets.put(passed, first);
    answered = passed;
  }

  /** Returns Kafka's first offset; empty if Kafka does not respond: a later request follows. */
  private OptionalLong firstOffset() {
    try {
      RetainedOffsets retained = services.topics().retainedOffsets(topicPartition, leaderEpoch);
      return retained.leaderEpoch() == leaderEpoch
          ? OptionalLong.of(retained.earliest())
          : OptionalLong.empty();
    } catch (IOException e) {
      LOG.debug("{}: cannot read the first offset: {}", topicPartition, PrintableText.of(e));
      return OptionalLong.empty();
    }
  }

  /**
   * Divides the missing offsets of a batch.
   *
   * @param earliest Kafka's first offset now; empty if the topic has ended: then earlier responses
   *     may be about the topic that replaced it
   */
  public Split split(OffsetRanges missing, OptionalLong earliest) {
    return earliest.isPresent()
        ? split(missing, firstOffsets, earliest.getAsLong())
        : new Split(OffsetRanges.NONE, missing);
  }

  public static Split split(
      OffsetRanges missing, SortedMap<Long, Long> firstOffsets, long earliest) {
    // If the offset of a response lies within a missing range, it splits the range.
    OffsetRanges notDelivered = OffsetRanges.NONE;
    OffsetRanges lost = OffsetRanges.NONE;
    OffsetRanges rest = missing;
    for (Map.Entry<Long, Long> answer : firstOffsets.entrySet()) {
      OffsetRanges passed = rest.below(answer.getKey());
      rest = rest.from(answer.getKey());
      lost = lost.plus(passed.below(answer.getValue()));
      notDelivered = notDelivered.plus(passed.from(answer.getValue()));
    }
    return new Split(notDelivered.plus(rest.from(earliest)), lost.plus(rest.below(earliest)));
  }

  public void committed(long next) {
    firstOffsets.headMap(next, true).clear();
  }

  /** Offsets without a record, and those that possibly had records. */
  public record Split(OffsetRanges notDelivered, OffsetRanges lost) {}
}
