package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.connect.commit.entry.LogState;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks, for one opening of a log, whether Kafka still has the records before the log's next offset
 * as they were when they landed.
 */
final class TruncationCheck {
  /** So often Kafka must answer that records are gone: of a new topic some brokers know nothing. */
  private static final int ANSWERS = 10;

  private final TopicPartition topicPartition;
  private final TopicMetadata topics;
  private int answers;

  TruncationCheck(TopicPartition topicPartition, TopicMetadata topics) {
    this.topicPartition = topicPartition;
    this.topics = topics;
  }

  /**
   * Requires that nothing was truncated.
   *
   * @param retained asked for before this: an election in between is noticed at the next commit
   * @throws IOException it is not certain yet: try again
   * @throws LandingException records that have landed were truncated
   */
  void require(OwnedLog owned, RetainedOffsets retained) throws IOException {
    LogState state = owned.state();
    long next = state.next();
    if (next == LogState.UNKNOWN) {
      return;
    }
    OptionalLong truncatedAt =
        state.leaderEpoch() == LogState.UNKNOWN
            ? OptionalLong.empty()
            : topics.truncatedAt(topicPartition, next, state.leaderEpoch());
    if (retained.end() >= next && truncatedAt.isEmpty()) {
      return;
    }
    boolean sameTopic = state.generation().isOf(topics.identity(topicPartition.topic()));
    if (!sameTopic || ++answers < ANSWERS) {
      throw new IOException(
          topicPartition
              + ": Kafka does not have the records before offset "
              + next
              + " that have landed, or the topic was made again; it is asked again");
    }
    throw truncated(owned, retained, truncatedAt.orElse(retained.end()));
  }

  private LandingException truncated(OwnedLog owned, RetainedOffsets retained, long at) {
    LogState state = owned.state();
    return new LandingException(
        ("%s: the log %s has landed offsets up to %d (leader epoch %d), but Kafka has not kept those from offset %d on (end"
                + " offset %d, leader epoch %d, the same topic id %s): it lost records that it had delivered, as by an"
                + " unclean leader election or a restored broker, and gives their offsets to new ones. Landing on at %d"
                + " would leave out the new records from %d up to there. Find out which records they are. To leave them"
                + " out, wait until Kafka's end offset is %d or later, stop the connector and alter its offset to %d or"
                + " beyond by the REST API. To land all that Kafka has, delete and make the topic anew and produce them"
                + " again.")
            .formatted(
                topicPartition,
                owned.log().directory(),
                state.next(),
                state.leaderEpoch(),
                at,
                retained.end(),
                retained.leaderEpoch(),
                state.generation().topicId(),
                state.next(),
                at,
                state.next(),
                state.next()));
  }
}
