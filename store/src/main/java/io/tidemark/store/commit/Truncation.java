package io.tidemark.store.commit;

import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import io.tidemark.store.log.OperatorConsent;
import java.util.UUID;

/** The error for landed records that Kafka has truncated, and the operator's step to resolve it. */
public final class Truncation {
  private Truncation() {}

  /** The operator's step: skip the new records at offsets that have landed. */
  public static UUID step(StoragePath log, long next, long at) {
    return OperatorConsent.step("truncated", log, next, at);
  }

  /** Returns place, problem, cause and cures; {@code at} is the first truncated offset. */
  public static String message(
      TopicPartition topicPartition,
      StoragePath log,
      LogState state,
      RetainedOffsets retained,
      long at) {
    return "%s: the log %s has landed offsets up to %d (leader epoch %d), but Kafka has not kept offset %d and the later ones (end offset %d, leader epoch %d, the same topic id %s). It has lost records that it had delivered, for example by an unclean leader election or a restored broker, and reuses their offsets for new records. To continue at %d would leave out the new records from %d up to that offset. Find out which records they are. To leave them out, set operator.consent=%s, which takes effect once Kafka's end offset is %d or later. To land all that Kafka has, delete and recreate the topic, and produce the records again."
        .formatted(
            topicPartition,
            log,
            state.next(),
            state.leaderEpoch(),
            at,
            retained.end(),
            retained.leaderEpoch(),
            state.generation().topicId(),
            state.next(),
            at,
            step(log, state.next(), at),
            state.next());
  }
}
