package io.tidemark.connect.intake;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the topic's id from Kafka for the claims of a session. Throws once the session is not
 * {@code wanted}. Stores the first id, to detect that the topic was recreated: the consumer's
 * position may be an offset of the earlier topic. Also stores the offsets that the session has
 * discarded: if the topic is deleted or recreated before they are read again, they are lost. One
 * thread at a time uses it.
 */
public final class WantedTopic implements OwnedLog.Topic {
  private static final Logger LOG = LoggerFactory.getLogger(WantedTopic.class);

  private final TopicMetadata topics;
  private final TopicPartition topicPartition;
  private final BooleanSupplier wanted;
  private final TopicPartitionProgress progress;
  private volatile @Nullable TopicIdentity atFirst;
  private volatile @Nullable Discarded discarded;

  private record Discarded(Generation generation, OffsetRange offsets, boolean reported) {}

  public WantedTopic(
      TopicMetadata topics,
      TopicPartition topicPartition,
      BooleanSupplier wanted,
      TopicPartitionProgress progress) {
    this.topics = topics;
    this.topicPartition = topicPartition;
    this.wanted = wanted;
    this.progress = progress;
  }

  /**
   * Notes that records of a generation were delivered and discarded, to be read again.
   *
   * @param first the first offset that no entry covers. A note of earlier offsets ends.
   * @param next the first offset that was not delivered
   */
  public void discard(Generation generation, long first, long next) {
    Discarded before = discarded;
    if (before != null
        && before.generation().equals(generation)
        && first < before.offsets().next()
        && next <= before.offsets().next()) {
      return;
    }
    discarded =
        first < next ? new Discarded(generation, new OffsetRange(first, next), false) : null;
  }

  /** Returns the discarded offsets of the state's generation that its log does not cover. */
  Optional<OffsetRange> discarded(LogState state) {
    Discarded noted = discarded;
    if (noted == null || !noted.generation().equals(state.generation())) {
      return Optional.empty();
    }
    long first = state.next() == LogState.UNKNOWN ? noted.offsets().first() : state.next();
    return first < noted.offsets().next()
        ? Optional.of(new OffsetRange(first, noted.offsets().next()))
        : Optional.empty();
  }

  /**
   * Reports discarded offsets of an earlier generation that its entries do not cover. Another task
   * has begun the next one, so no entry can count them.
   */
  void reportEarlier(CommitLog log, LogState last) throws IOException, CorruptLogException {
    Discarded noted = discarded;
    if (noted == null || noted.generation().number() >= last.generation().number()) {
      return;
    }
    List<NumberedEntry<CommitEntry>> entries = log.all();
    Collections.reverse(entries);
    entries.stream()
        .map(each -> each.entry().state())
        .filter(state -> state.generation().equals(noted.generation()))
        .findFirst()
        .map(this::discarded)
        .orElse(Optional.of(noted.offsets()))
        .ifPresent(this::lost);
    discarded = null;
  }

  /** Reports that discarded offsets are lost, once: the append of their entry may be retried. */
  void lost(OffsetRange offsets) {
    Discarded noted = Objects.requireNonNull(discarded);
    if (noted.reported()) {
      return;
    }
    discarded = new Discarded(noted.generation(), noted.offsets(), true);
    LOG.warn(
        "{}: the topic was deleted or recreated before the offsets {} were committed: their records are lost",
        topicPartition,
        offsets);
    progress.committed(offsets.next(), new RecordCounts(0, 0, 0, 0, offsets.size()), 0, 0);
  }

  /** Reads the topic's first id. Call this method before all others. */
  void remember() throws IOException {
    if (atFirst == null) {
      atFirst = topics.identity(topicPartition.topic());
    }
  }

  @Override
  public TopicIdentity identity() throws IOException {
    if (!wanted.getAsBoolean()) {
      throw new CancellationException(topicPartition + ": the claim is no longer wanted");
    }
    TopicIdentity topic = topics.identity(topicPartition.topic());
    if (!topic.known()) {
      throw new LandingException(
          "%s: Kafka has no id for the topic (cluster \"%s\", topic id \"%s\"), so new records of a recreated topic would be skipped as if they had landed. Topics have ids since Kafka 2.8, with ZooKeeper once inter.broker.protocol.version is 2.8 or later. Upgrade the brokers."
              .formatted(topicPartition, topic.clusterId(), topic.topicId()));
    }
    return topic;
  }

  @Override
  public TopicIdentity agreed() throws IOException {
    return topics.agreedIdentity(topicPartition.topic());
  }

  @Override
  public boolean recreatedSincePositioned(TopicIdentity now) {
    return !now.equals(atFirst);
  }

  @Override
  public long firstOffset() throws IOException {
    return topics.retainedOffsets(topicPartition).earliest();
  }
}
