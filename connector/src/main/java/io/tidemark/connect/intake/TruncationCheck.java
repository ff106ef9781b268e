package io.tidemark.connect.intake;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.commit.Truncation;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks as a log is opened whether Kafka still has the records that have landed, unchanged. */
final class TruncationCheck {
  private static final Logger LOG = LoggerFactory.getLogger(TruncationCheck.class);

  /** Responses before records count as truncated: brokers may lack the metadata of a new topic. */
  private static final int ANSWERS = 10;

  private final TopicPartition topicPartition;
  private final TopicMetadata topics;
  private final OperatorConsent consent;
  private int answers;

  TruncationCheck(TopicPartition topicPartition, TopicMetadata topics, OperatorConsent consent) {
    this.topicPartition = topicPartition;
    this.topics = topics;
    this.consent = consent;
  }

  /**
   * Requires that no landed records were truncated. {@code retained} was read before this call: an
   * election in between is detected at the next commit.
   *
   * @throws IOException if the result is not certain yet: retry
   */
  void require(StoragePath log, LogState state, RetainedOffsets retained) throws IOException {
    long next = state.next();
    if (next == LogState.UNKNOWN) {
      return;
    }
    OptionalLong truncatedAt =
        state.leaderEpoch() == LogState.UNKNOWN
            ? OptionalLong.empty()
            : topics.truncatedAt(topicPartition, next, state.leaderEpoch(), retained.leaderEpoch());
    if (retained.end() >= next && truncatedAt.isEmpty()) {
      return;
    }
    long at = truncatedAt.orElse(retained.end());
    UUID step = Truncation.step(log, next, at);
    if (retained.end() >= next && consent.agreesTo(step)) {
      LOG.warn(
          "{}: with operator.consent={}, the task continues at {}; the records that Kafka now has from {} up to there are skipped",
          topicPartition,
          step,
          next,
          at);
      return;
    }
    boolean sameTopic = state.generation().isOf(topics.identity(topicPartition.topic()));
    if (!sameTopic || ++answers < ANSWERS) {
      throw new KafkaUnavailableException(
          "%s: Kafka does not have the records before offset %d that have landed, or the topic was recreated; the task retries"
              .formatted(topicPartition, next));
    }
    throw new LandingException(Truncation.message(topicPartition, log, state, retained, at));
  }
}
