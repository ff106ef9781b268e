package io.tidemark.store.commit;

import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogEnd;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A claimed log: the claim, and the number and state of the log's last entry. Not thread-safe. */
public final class OwnedLog {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedLog.class);
  private static final int CLAIM_ATTEMPTS = 20;

  private final CommitLog log;
  private final UUID claim;
  private final Clock clock;
  private long number;
  private UUID last;
  private LogState state;

  private OwnedLog(CommitLog log, UUID claim, long number, LogState state, Clock clock) {
    this.log = log;
    this.claim = claim;
    this.number = number;
    this.last = claim;
    this.state = state;
    this.clock = clock;
  }

  public interface Topic {
    TopicIdentity identity() throws IOException;

    /** Returns the {@link #identity} on which several brokers must agree. */
    default TopicIdentity agreed() throws IOException {
      return identity();
    }

    /** Returns whether the consumer's position is of an earlier topic of this name. */
    default boolean recreatedSincePositioned(TopicIdentity now) {
      return false;
    }

    /** Returns the first offset that Kafka retains. */
    default long firstOffset() throws IOException {
      return 0;
    }
  }

  /**
   * Acquires the topic-partition by appending a claim. Then the former owner can commit no more.
   *
   * <p>The topic's identity is read after the log's last entry. An owner that was suspended in
   * between could otherwise begin a generation for a deleted topic, and the next owner would land
   * the new topic's records a second time.
   *
   * @throws IOException if Kafka or the store is unavailable, or the claim collided: retry
   * @throws FencedException if another task claimed the log after this task's claim
   * @throws LogRefusedException if the operator has not agreed to another cluster
   */
  public static OwnedLog claim(
      CommitLog log, Topic topic, Claimant claimant, OperatorConsent consent, Clock clock)
      throws IOException, CorruptLogException, FencedException, LogRefusedException {
    log.create();
    for (int attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
      Optional<LogEnd<CommitEntry>> end = log.end();
      long number = end.map(each -> each.last().number()).orElse(0L) + 1;
      TopicIdentity identity = topic.identity();
      LogState state =
          end.isEmpty()
              ? beginning(log, topic, identity)
              : takenOver(log, end.get(), identity, consent, topic::firstOffset);
      if (end.isEmpty() || !end.get().last().entry().state().generation().isOf(identity)) {
        requireAgreed(log, identity, topic.agreed());
      }
      UUID claim = UUID.randomUUID();
      AppendOutcome<CommitEntry> outcome =
          log.append(
              number,
              new CommitEntry.Claim(
                  claim,
                  end.map(each -> each.last().entry().identity()),
                  state,
                  clock.instant(),
                  claimant));
      if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
        if (appended.fencedBy().isPresent()) {
          throw new FencedException(log.directory(), appended.fencedBy().get());
        }
        return new OwnedLog(log, claim, number, state, clock);
      }
      LOG.info(
          "{}: the claim with number {} was not appended: {}",
          log.directory(),
          number,
          PrintableText.line(outcome.toString()));
    }
    throw new IOException(
        "%s: %d claims in a row collided with another task's entries; the task retries"
            .formatted(log.directory(), CLAIM_ATTEMPTS));
  }

  /** Begins at the group's offset, or at Kafka's first if that is of an earlier topic. */
  private static LogState beginning(CommitLog log, Topic topic, TopicIdentity identity)
      throws IOException {
    LogState state = LogState.initial(identity);
    if (!topic.recreatedSincePositioned(identity)) {
      return state;
    }
    long first = topic.firstOffset();
    LOG.warn(
        "{}: the topic was recreated before the log began, so the consumer's position does not belong to the new topic; landing begins at Kafka's first offset, {}",
        log.directory(),
        first);
    return state.beginningAt(first);
  }

  /** Asks for the first offset that Kafka retains. */
  interface FirstOffset {
    long ask() throws IOException;
  }

  /**
   * Checks that several brokers return the same topic id: an id that is new to the log may belong
   * to a topic of the same name that was deleted before the log began.
   */
  static void requireAgreed(CommitLog log, TopicIdentity answered, TopicIdentity agreed)
      throws IOException {
    if (!agreed.equals(answered)) {
      throw new KafkaUnavailableException(
          "%s: brokers return different topic ids (%s, %s): the metadata of one of them is outdated, because the topic was recreated. The task asks them again."
              .formatted(log.directory(), answered.topicId(), agreed.topicId()));
    }
  }

  /**
   * Returns the state from which a log continues, for the present topic. Rejects a last entry that
   * contradicts the entry before it, so that one of the two was damaged.
   */
  static LogState takenOver(
      CommitLog log,
      LogEnd<CommitEntry> end,
      TopicIdentity topic,
      OperatorConsent consent,
      FirstOffset firstOffset)
      throws IOException, CorruptLogException, LogRefusedException {
    NumberedEntry<CommitEntry> last = end.last();
    Succession.require(log.directory(), end.before(), last);
    LogState state = last.entry().state();
    if (state.generation().isOf(topic)) {
      return state;
    }
    if (state.former().contains(topic)) {
      throw new FormerTopicException(log.directory(), state.generation(), topic);
    }
    Generation landed = state.generation();
    boolean otherCluster = !landed.clusterId().equals(topic.clusterId());
    if (otherCluster && landed.number() == 1 && state.empty()) {
      // Nothing has landed: the first cluster was a mistake.
      Optional<LogState> earlier = earlierStart(log, topic);
      if (earlier.isPresent()) {
        LOG.warn(
            "{}: the log uses the Kafka cluster {} again, and begins at offset {}, as it did before with this cluster. Nothing has landed from the cluster {}",
            log.directory(),
            topic.clusterId(),
            earlier.get().next(),
            landed.clusterId());
        return state
            .ofOtherTopic(topic, earlier.get().next())
            .withLeaderEpoch(earlier.get().leaderEpoch());
      }
      // The topic may have been recreated: the group's offset may be of the earlier topic.
      LogState corrected = state.ofOtherTopic(topic, firstOffset.ask());
      LOG.warn(
          "{} was begun for another Kafka cluster, {}, of which nothing has landed; landing begins at the first offset of {}, {}, whatever the consumer group's offset is",
          log.directory(),
          landed.clusterId(),
          topic.clusterId(),
          corrected.next());
      return corrected;
    }
    if (otherCluster) {
      requireConsent(log.directory(), landed, topic, consent);
    }
    return state.nextGeneration(topic);
  }

  /** Rejects a topic of another cluster: if it is a copy, its records would land a second time. */
  private static void requireConsent(
      StoragePath log, Generation landed, TopicIdentity now, OperatorConsent consent)
      throws LogRefusedException {
    // One step for all topic-partitions of the topic. A recreated topic needs another consent.
    UUID step = OperatorConsent.step("cluster", log.parent(), landed.topic(), now);
    if (!consent.agreesTo(step)) {
      throw new LogRefusedException(
          "%1$s: the log has landed the topic of the Kafka cluster %2$s (topic id %3$s), but now Kafka is the cluster %4$s (topic id %5$s). If this topic is a mirror or a restored copy of that one, its records would land a second time. Set kafka.bootstrap.servers and the worker's brokers to the cluster %2$s; or land the new topic with a connector with another log.id, topics.dir and hive.table.name. If none of its records has landed, and the same table is to have all of them, beginning at Kafka's first offset, set operator.consent=%6$s. This step cannot be undone: the log then permanently rejects the topic of the cluster %2$s."
              .formatted(
                  log, landed.clusterId(), landed.topicId(), now.clusterId(), now.topicId(), step));
    }
  }

  /** Returns the newest start offset of this empty log for the topic, with its state. */
  private static Optional<LogState> earlierStart(CommitLog log, TopicIdentity topic)
      throws IOException, CorruptLogException {
    return log.after(0).stream()
        .map(entry -> entry.entry().state())
        .filter(state -> state.generation().isOf(topic) && state.next() != LogState.UNKNOWN)
        .reduce((older, newer) -> newer);
  }

  public UUID claim() {
    return claim;
  }

  public long number() {
    return number;
  }

  public LogState state() {
    return state;
  }

  public CommitLog log() {
    return log;
  }

  /** Returns the next entry, for a batch with so many {@code landed} records in its files. */
  public CommitEntry.Batch draft(
      UUID attempt,
      OffsetRange range,
      long landed,
      NotLanded notLanded,
      List<TableRoot> tables,
      List<DataFile> files,
      BatchIdCounts batchIds) {
    RecordCounts counts = notLanded.counts(landed);
    return new CommitEntry.Batch(
        attempt,
        Optional.of(last),
        state.after(range, counts),
        clock.instant(),
        claim,
        range,
        counts,
        notLanded,
        tables,
        files,
        batchIds);
  }

  /** Returns the next entry, for a batch whose offsets all count as lost. */
  public CommitEntry.Batch draftLost(UUID attempt, OffsetRange range) {
    OffsetRanges none = OffsetRanges.NONE;
    NotLanded lost = new NotLanded(none, none, none, none.othersIn(range));
    return draft(attempt, range, 0, lost, List.of(), List.of(), BatchIdCounts.NONE);
  }

  /** See {@link CommitLog#append}. */
  public AppendOutcome<CommitEntry> commit(CommitEntry.Batch batch)
      throws IOException, CorruptLogException {
    return advance(log.append(number + 1, batch));
  }

  /** See {@link CommitLog#resolve}. */
  public AppendOutcome<CommitEntry> resolve(CommitEntry.Batch batch)
      throws IOException, CorruptLogException {
    return advance(log.resolve(number + 1, batch));
  }

  /** Sets the number up to which all entries are published. The next entry records it. */
  public void published(long through) {
    state =
        state.withProgress(Math.max(state.publishedThrough(), through), state.registeredThrough());
  }

  /** Sets the number up to which all entries are registered. The next entry records it. */
  public void registered(long through) {
    state =
        state.withProgress(state.publishedThrough(), Math.max(state.registeredThrough(), through));
  }

  /** Sets a leader epoch in which Kafka had all records of the log. The next entry records it. */
  public void seenUnder(int leaderEpoch) {
    state = state.withLeaderEpoch(leaderEpoch);
  }

  /** Requires that no other task has claimed the log after this owner. */
  public void requireUnfenced() throws IOException, CorruptLogException, FencedException {
    Optional<NumberedEntry<CommitEntry>> fence = log.fenceAbove(number);
    if (fence.isPresent()) {
      throw fencedBy(fence.get());
    }
  }

  /**
   * Creates the exception for a fenced owner, with the successor's claim if possible, because the
   * claim names the task. {@code fence} is any entry above this owner's last one.
   */
  public FencedException fencedBy(NumberedEntry<CommitEntry> fence) {
    Optional<NumberedEntry<CommitEntry>> claimed = Optional.empty();
    try {
      claimed = log.after(number).stream().filter(entry -> entry.entry().isClaim()).findFirst();
    } catch (IOException | CorruptLogException e) {
      LOG.debug("{}: the claim that fences this owner cannot be read", log.directory(), e);
    }
    return new FencedException(log.directory(), claimed.orElse(fence));
  }

  private AppendOutcome<CommitEntry> advance(AppendOutcome<CommitEntry> outcome) {
    if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
      number = appended.entry().number();
      last = appended.entry().entry().attempt();
      state =
          appended
              .entry()
              .entry()
              .state()
              .withProgress(state.publishedThrough(), state.registeredThrough());
    }
    return outcome;
  }
}
