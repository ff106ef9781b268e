package io.tidemark.connect.commit;

import io.tidemark.connect.batch.BatchIdCounts;
import io.tidemark.connect.batch.NotLanded;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.commit.entry.Claimant;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.TopicIdentity;
import io.tidemark.connect.storage.log.AppendOutcome;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.LogEnd;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.storage.log.OperatorConsent;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log as the task that claimed it owns it: the claim, and the number and state of its last entry.
 * Used by one thread at a time.
 */
public final class OwnedLog {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedLog.class);
  private static final int CLAIM_ATTEMPTS = 20;

  private final CommitLog log;
  private final UUID claim;
  private final Clock clock;
  private long number;
  private LogState state;

  private OwnedLog(CommitLog log, UUID claim, long number, LogState state, Clock clock) {
    this.log = log;
    this.claim = claim;
    this.number = number;
    this.state = state;
    this.clock = clock;
  }

  /** Asks Kafka which topic there is now. */
  public interface Topic {
    TopicIdentity identity() throws IOException;

    /** As {@link #identity}, asked of several brokers, which must agree. */
    default TopicIdentity agreed() throws IOException {
      return identity();
    }

    /** Whether the consumer may have found its position when there was another topic. */
    default boolean madeAgainSincePositioned(TopicIdentity now) {
      return false;
    }

    /** The first offset that Kafka retains. */
    default long firstOffset() throws IOException {
      return 0;
    }
  }

  /**
   * Takes the topic-partition by appending a claim. Whoever owned it before cannot commit any more
   * once this returns.
   *
   * <p>The topic's identity is asked for after the last entry was read, so it is never older than
   * that entry: an owner that slept with an answer of Kafka's would begin a generation for a topic
   * that is gone, and the next owner another one for the topic that has landed.
   *
   * @throws IOException Kafka or the store is away, or the claim collided too often: try again
   * @throws FencedException another task has claimed it since
   * @throws ClusterChangedException the topic is of another cluster than what has landed
   */
  public static OwnedLog claim(
      CommitLog log, Topic topic, Claimant claimant, OperatorConsent consent, Clock clock)
      throws IOException, CorruptLogException, FencedException, ClusterChangedException {
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
          log.append(number, new CommitEntry.Claim(claim, state, clock.instant(), claimant));
      if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
        if (appended.fencedBy().isPresent()) {
          throw new FencedException(log.directory(), appended.fencedBy().get());
        }
        return new OwnedLog(log, claim, number, state, clock);
      }
      LOG.info(
          "{}: claim {} did not win: {}",
          log.directory(),
          number,
          PrintableText.line(outcome.toString()));
    }
    throw new IOException(
        log.directory()
            + ": "
            + CLAIM_ATTEMPTS
            + " claims in a row collided with another task's entries");
  }

  /** An empty log begins where the consumer group stands, if that is an offset of this topic. */
  private static LogState beginning(CommitLog log, Topic topic, TopicIdentity identity)
      throws IOException {
    LogState state = LogState.initial(identity);
    if (!topic.madeAgainSincePositioned(identity)) {
      return state;
    }
    long first = topic.firstOffset();
    LOG.warn(
        "{}: the topic was made again before the log began, so the consumer's position is no offset of it; landing begins at Kafka's first offset, {}",
        log.directory(),
        first);
    return state.beginningAt(first);
  }

  /** Asks Kafka for the first offset that it retains. */
  interface FirstOffset {
    long ask() throws IOException;
  }

  /**
   * An id that a log has not seen may be of an earlier life of the topic too, which ended before
   * the log began. A generation that began for it would land the topic's records a second time.
   */
  static void requireAgreed(CommitLog log, TopicIdentity answered, TopicIdentity agreed)
      throws IOException {
    if (!agreed.equals(answered)) {
      throw new KafkaUnavailableException(
          "%s: a broker told of the topic id %s, others of %s: one has not learned yet that the topic was made again; they are asked again."
              .formatted(log.directory(), answered.topicId(), agreed.topicId()));
    }
  }

  /**
   * The state that a log goes on from, for the topic that there is now.
   *
   * @throws FormerTopicException Kafka tells of a life of the topic that the log has seen end: a
   *     topic's id is never used again, so a broker answered that does not know yet
   * @throws ClusterChangedException the topic is of another cluster, and the operator has not
   *     agreed
   * @throws CorruptLogException the last entry cannot follow the one before it, so one of them was
   *     damaged
   */
  static LogState takenOver(
      CommitLog log,
      LogEnd<CommitEntry> end,
      TopicIdentity topic,
      OperatorConsent consent,
      FirstOffset firstOffset)
      throws IOException, CorruptLogException, ClusterChangedException {
    NumberedEntry<CommitEntry> last = end.last();
    Succession.require(log.directory(), end.before(), last);
    LogState state = last.entry().state();
    if (state.lacksFormerTopics()) {
      // Builds before version 3 kept them in the entries alone.
      Set<TopicIdentity> seen = new LinkedHashSet<>();
      for (NumberedEntry<CommitEntry> entry : log.after(0)) {
        if (entry.number() < last.number()) {
          seen.add(entry.entry().state().generation().topic());
        }
      }
      state = state.remembering(seen);
    }
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
      Optional<LogState> stood = stoodIn(log, topic);
      if (stood.isPresent()) {
        LOG.warn(
            "{} is back in the Kafka cluster {} and begins at offset {}, as before; nothing of {} has landed",
            log.directory(),
            topic.clusterId(),
            stood.get().next(),
            landed.clusterId());
        return state
            .ofOtherTopic(topic, stood.get().next())
            .withLeaderEpoch(stood.get().leaderEpoch());
      }
      // Meanwhile this one may have made the topic again, and the consumer group may stand at an
      // offset of the life before.
      LogState corrected = state.ofOtherTopic(topic, firstOffset.ask());
      LOG.warn(
          "{} was begun for another Kafka cluster, {}, of which nothing has landed; landing begins at the first offset of {}, {}, wherever the consumer group stands",
          log.directory(),
          landed.clusterId(),
          topic.clusterId(),
          corrected.next());
      return corrected;
    }
    if (otherCluster && !consent.to(ClusterChangedException.step(log.directory(), landed, topic))) {
      throw new ClusterChangedException(log.directory(), landed, topic);
    }
    return state.nextGeneration(topic);
  }

  /** Where a log, in which nothing has landed, once was to begin in a topic, if it knew. */
  private static Optional<LogState> stoodIn(CommitLog log, TopicIdentity topic)
      throws IOException, CorruptLogException {
    return log.after(0).stream()
        .map(entry -> entry.entry().state())
        .filter(state -> state.generation().isOf(topic) && state.next() != LogState.UNKNOWN)
        .reduce((older, newer) -> newer);
  }

  public UUID claim() {
    return claim;
  }

  /** The number of this owner's last entry. */
  public long number() {
    return number;
  }

  public LogState state() {
    return state;
  }

  public CommitLog log() {
    return log;
  }

  /**
   * The entry that {@link #commit} would append next for a batch.
   *
   * @param landed the records that were written to the files
   * @param tables the tables of the files
   * @param batchIds how many of the records belong to announced batches
   */
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

  /** Appends a batch's entry after this owner's last one; see {@link CommitLog#append}. */
  public AppendOutcome<CommitEntry> commit(CommitEntry.Batch batch)
      throws IOException, CorruptLogException {
    return advance(log.append(number + 1, batch));
  }

  /** Finds out what became of {@link #commit}; see {@link CommitLog#settle}. */
  public AppendOutcome<CommitEntry> settle(CommitEntry.Batch batch)
      throws IOException, CorruptLogException {
    return advance(log.settle(number + 1, batch));
  }

  /**
   * Notes that the files of all entries up to a number are in their tables; the next entry will say
   * so.
   */
  public void published(long through) {
    state =
        state.withProgress(Math.max(state.publishedThrough(), through), state.registeredThrough());
  }

  /** Notes that all entries up to a number are known to the catalog; the next entry will say so. */
  public void registered(long through) {
    state =
        state.withProgress(state.publishedThrough(), Math.max(state.registeredThrough(), through));
  }

  /** Notes the leader epoch in which Kafka had all that the log has; the next entry will say so. */
  public void seenUnder(int leaderEpoch) {
    state = state.withLeaderEpoch(leaderEpoch);
  }

  /**
   * That this owner is fenced. Its successor's first entries follow its claim at once, so the claim
   * is looked for: it names the task.
   *
   * @param fence an entry above this owner's last one
   */
  public FencedException fencedBy(NumberedEntry<CommitEntry> fence) {
    Optional<NumberedEntry<CommitEntry>> claimed = Optional.empty();
    try {
      claimed = log.after(number).stream().filter(entry -> isClaim(entry.entry())).findFirst();
    } catch (IOException | CorruptLogException e) {
      LOG.debug("{}: the claim that fences is not read", log.directory(), e);
    }
    return new FencedException(log.directory(), claimed.orElse(fence));
  }

  private static boolean isClaim(CommitEntry entry) {
    return entry.match(claim -> true, batch -> false, skip -> false, checkpoint -> false);
  }

  private AppendOutcome<CommitEntry> advance(AppendOutcome<CommitEntry> outcome) {
    if (outcome instanceof AppendOutcome.Appended<CommitEntry> appended) {
      number = appended.entry().number();
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
