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
      TopicPartition partition, StoragePath log, LogState state, RetainedOffsets offsets, long at) {
    return "%1$s: the log %2$s has landed offsets up to %3$d (leader epoch %4$d), but Kafka has not kept offset %5$d and the later ones (end offset %6$d, leader epoch %7$d, the same topic id %8$s). It has lost records that it had delivered, for example by an unclean leader election or a restored broker, and reuses their offsets for new records. To continue at %3$d would leave out the new records from %5$d up to that offset. Find out which records they are. To leave them out, set operator.consent=%9$s, which takes effect once Kafka's end offset is %3$d or later. To land all that Kafka has, delete and recreate the topic, and produce the records again."
        .formatted(
            partition,
            log,
            state.next(),
            state.leaderEpoch(),
            at,
            offsets.end(),
            offsets.leaderEpoch(),
            state.generation().topicId(),
            step(log, state.next(), at));
  }
}
