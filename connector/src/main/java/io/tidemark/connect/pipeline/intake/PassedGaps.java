package io.tidemark.connect.pipeline.intake;

import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells offsets that were passed over, as they have no record, from those that Kafka had retained
 * away before they were read, under one claim. An offset that Kafka still retains after it was
 * passed had no record for us. So Kafka is asked for its first offset soon after a gap is met: by
 * the time of the commit retention may have come further.
 *
 * <p>The task's thread notes gaps and has Kafka asked; any thread may ask for the outcome.
 */
public final class PassedGaps {
  private static final Logger LOG = LoggerFactory.getLogger(PassedGaps.class);

  /** So long is the pause between two questions, where every transaction leaves a gap. */
  private static final long PAUSE_MS = 10_000;

  private final TopicPartition topicPartition;
  private final PipelineServices services;
  private final int leaderEpoch;

  // Kafka's first offset as it was told after all offsets before the key had been passed.
  private final NavigableMap<Long, Long> firstOffsets = new ConcurrentSkipListMap<>();

  // Used by the task's thread.
  private long met;
  private long nextQuestionMs = Long.MIN_VALUE;
  private @Nullable CompletableFuture<Void> asking;

  // Gaps before this offset need no more questions.
  private volatile long answered;

  /** {@code leaderEpoch} is the claim's: another leader's answer proves nothing. */
  PassedGaps(TopicPartition topicPartition, PipelineServices services, int leaderEpoch) {
    this.topicPartition = topicPartition;
    this.services = services;
    this.leaderEpoch = leaderEpoch;
  }

  /** Notes that the offsets before one were passed, the last of them without a record. */
  void met(long next) {
    met = Math.max(met, next);
  }

  /**
   * Has Kafka asked if a gap was met since the last question.
   *
   * @param passed all offsets before it were passed
   */
  void look(long passed) {
    if (met <= answered || (asking != null && !asking.isDone())) {
      return;
    }
    long nowMs = services.monotonic().millis();
    if (nowMs < nextQuestionMs) {
      return;
    }
    nextQuestionMs = nowMs + PAUSE_MS;
    asking =
        services
            .retries()
            .until(
                topicPartition.toString(),
                "ask for the first offset",
                () -> true,
                this::firstOffset)
            .handle(
                (first, failure) -> {
                  if (failure == null && first.isPresent()) {
                    firstOffsets.put(passed, first.getAsLong());
                    answered = passed;
                  }
                  return null;
                });
  }

  /** Empty where Kafka does not answer: the next question, or the commit's, will do. */
  private OptionalLong firstOffset() {
    try {
      RetainedOffsets retained = services.topics().retainedOffsets(topicPartition);
      return retained.leaderEpoch() == leaderEpoch
          ? OptionalLong.of(retained.earliest())
          : OptionalLong.empty();
    } catch (IOException e) {
      LOG.debug("{}: the first offset is not known: {}", topicPartition, PrintableText.of(e));
      return OptionalLong.empty();
    }
  }

  /**
   * Sorts the offsets of a batch that were not delivered.
   *
   * @param earliest Kafka's first offset now
   */
  public Split split(OffsetRanges missing, long earliest) {
    return split(missing, firstOffsets, earliest);
  }

  public static Split split(
      OffsetRanges missing, SortedMap<Long, Long> firstOffsets, long earliest) {
    // A question may be asked in the midst of a range.
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

  /** Forgets what was told of offsets that are committed. */
  public void committed(long next) {
    firstOffsets.headMap(next, true).clear();
  }

  /** The offsets of a batch that were passed over, and those that may have held records. */
  public record Split(OffsetRanges notDelivered, OffsetRanges lost) {}
}
