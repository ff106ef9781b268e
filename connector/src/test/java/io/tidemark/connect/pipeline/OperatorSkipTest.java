package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OperatorSkipTest {
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final CommitLog log = log(QUOTES);
  private final OperatorSkip skip =
      new OperatorSkip(topic, OperatorConsent.NONE, Clock.systemUTC());

  @Test
  void emptyLogLeavesTheWishToTheConsumerGroup() throws Exception {
    produce30();
    apply(Optional.of(5L));
    assertThat(log.after(0)).isEmpty();
  }

  @Test
  void forwardIsAnEntryThatFencesARunningTask() throws Exception {
    OwnedLog running = landed();

    apply(Optional.of(25L));
    apply(Optional.of(25L));

    assertThat(log.after(2)).hasSize(1);
    CommitEntry.Skip entry = (CommitEntry.Skip) log.last().orElseThrow().entry();
    assertThat(entry.range()).isEqualTo(new OffsetRange(10, 25));
    assertThat(entry.state().next()).isEqualTo(25);
    assertThat(running.commit(batch(running, 10, 20))).isInstanceOf(AppendOutcome.Collided.class);
  }

  /** The skip is the first entry that belongs to the present topic. */
  @Test
  void landingGoesOnBehindASkipInATopicMadeAgain() throws Exception {
    landed();
    makeAgain("topic-id-2");

    apply(Optional.of(25L));

    OwnedLog next = claim(log);
    assertThat(next.state().next()).isEqualTo(25);
    assertThat(next.state().generation().number()).isEqualTo(2);
  }

  /**
   * Nothing has landed yet, because the connector was first configured with another cluster's
   * address.
   */
  @Test
  void landingGoesOnBehindASkipInALogThatWasBegunForAnotherCluster() throws Exception {
    topic.answerCluster("cluster-2");
    claim(log);
    topic.answerCluster("cluster-1");
    makeAgain("topic-id-2");

    apply(Optional.empty());
    assertThat(log.after(1)).isEmpty();
    apply(Optional.of(25L));

    assertThat(claim(log).state().next()).isEqualTo(25);
  }

  /** Records before the log's first offset are in another sink's files. */
  @Test
  void startOfAnAdoptedLogIsNotMovedBack() throws Exception {
    produce30();
    log.create();
    log.append(
        1,
        new CommitEntry.Adopted(
            UUID.randomUUID(),
            Optional.empty(),
            LogState.adopted(topic.identity(), 20),
            Clock.systemUTC().instant(),
            "hdfs-sink",
            Clock.systemUTC().instant()));

    assertThatThrownBy(() -> apply(Optional.empty())).hasMessageContaining("would land again");
    assertThatThrownBy(() -> apply(Optional.of(5L))).hasMessageContaining("would land again");
    assertThat(claim(log).state().next()).isEqualTo(20);

    apply(Optional.of(25L));
    assertThat(claim(log).state().next()).isEqualTo(25);
    assertThat(claim(log).state().adopted()).isTrue();
  }

  private void makeAgain(String id) {
    topic.makeAgain(id);
    produce30();
  }

  private void produce30() {
    for (int i = 0; i < 30; i++) {
      topic.produce(0, new byte[0]);
    }
  }

  /** Kafka's client waits for a topic-partition that does not exist. */
  @Test
  void topicPartitionThatKafkaDoesNotHaveIsRefusedAtOnce() {
    topic.makeAgain("topic-id-1", 7);
    TopicPartition missing = new TopicPartition("quotes", 7);
    assertThatThrownBy(
            () ->
                skip.apply(
                    List.of(
                        new OperatorSkip.OffsetRequest(missing, Optional.of(1L), log(missing)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quotes-7: Kafka has no such topic-partition")
        .hasMessageContaining("Correct kafka_topic and kafka_partition");
  }

  @Test
  void negativeTopicPartitionIsRefusedAtOnceAlsoBesideOthers() {
    produce30();
    TopicPartition negative = new TopicPartition("quotes", -1);
    assertThatThrownBy(
            () ->
                skip.apply(
                    List.of(
                        new OperatorSkip.OffsetRequest(QUOTES, Optional.of(1L), log),
                        new OperatorSkip.OffsetRequest(negative, Optional.of(1L), log(negative)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quotes--1: Kafka has no such topic-partition");
  }

  @Test
  void offsetThatKafkaCannotHaveIsRefusedOfAnEmptyLogToo() {
    produce30();
    assertThatThrownBy(() -> apply(Optional.of(-1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quotes-0: the offset cannot be -1")
        .hasMessageContaining("Choose an offset from 0 to ");
    assertThatThrownBy(() -> apply(Optional.of(31L))).hasMessageContaining("cannot be 31");
  }

  @Test
  void offsetThatKafkaCannotHaveIsRefusedOfALogThatIsClaimedAlone() throws Exception {
    produce30();
    claim(log);
    assertThatThrownBy(() -> apply(Optional.of(-1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quotes-0: the offset cannot be -1");
    assertThatThrownBy(() -> apply(Optional.of(31L))).hasMessageContaining("cannot be 31");
  }

  @Test
  void backwardResetAndBeyondTheEndAreRefusedWithACure() throws Exception {
    landed();
    assertThatThrownBy(() -> apply(Optional.of(3L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quotes-0: the offset cannot go back to 3")
        .hasMessageContaining("another log.id");
    assertThatThrownBy(() -> apply(Optional.empty())).hasMessageContaining("cannot be reset");
    assertThatThrownBy(() -> apply(Optional.of(31L)))
        .hasMessageContaining("Kafka's end offset is 30");
    assertThat(log.after(2)).isEmpty();
  }

  /**
   * The first entry records where an empty log begins. Nothing has landed that would land again.
   */
  @Test
  void logInWhichNothingHasLandedGoesBack() throws Exception {
    produce30();
    OwnedLog owned = claim(log);
    assertThat(owned.commit(batch(owned, 20, 20))).isInstanceOf(AppendOutcome.Appended.class);

    apply(Optional.of(5L));
    apply(Optional.of(5L));

    assertThat(log.after(2)).hasSize(1);
    LogState state = claim(log).state();
    assertThat(state.first()).isEqualTo(5);
    assertThat(state.next()).isEqualTo(5);
    assertThat(state.counts().total()).isZero();
  }

  @Test
  void logInWhichNothingHasLandedIsResetToKafkasFirstOffset() throws Exception {
    produce30();
    topic.deleteBefore(0, 3);
    OwnedLog owned = claim(log);
    assertThat(owned.commit(batch(owned, 20, 20))).isInstanceOf(AppendOutcome.Appended.class);

    apply(Optional.empty());
    apply(Optional.empty());

    assertThat(claim(log).state().next()).isEqualTo(3);
    assertThat(log.after(0)).hasSize(4);
  }

  @Test
  void entryThatComesLateBehindACheckpointIsAppendedAgain() throws Exception {
    OwnedLog running = landed();
    FaultyStorage slow = new FaultyStorage(storage);
    AtomicBoolean overtaken = new AtomicBoolean();
    slow.failBefore(
        call -> {
          if (call.startsWith("create") && overtaken.compareAndSet(false, true)) {
            landUpTo20AndFold(running);
          }
          return false;
        });

    CommitLog slowLog = CommitLog.of(slow, TestTask.LOGS, "quotes", QUOTES);
    skip.apply(List.of(new OperatorSkip.OffsetRequest(QUOTES, Optional.of(25L), slowLog)));

    assertThat(log.checkpoint()).isEqualTo(3);
    assertThat(log.last().orElseThrow().entry().state().next()).isEqualTo(25);
  }

  @Test
  void taskThatWritesToTheLogKeepsASkipAwayUntilTheConnectorIsStopped() throws Exception {
    OwnedLog running = landed();
    produce30();
    FaultyStorage overtaken = new FaultyStorage(storage);
    AtomicLong next = new AtomicLong(10);
    overtaken.failBefore(
        call -> {
          if (call.startsWith("create")) {
            land(running, next.getAndIncrement());
          }
          return false;
        });
    CommitLog contended = CommitLog.of(overtaken, TestTask.LOGS, "quotes", QUOTES);
    List<OperatorSkip.OffsetRequest> request =
        List.of(new OperatorSkip.OffsetRequest(QUOTES, Optional.of(55L), contended));
    assertThatThrownBy(() -> skip.apply(request))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a task writes to the log at the same time. Stop the connector first")
        .hasMessageContaining(log.directory().value());

    overtaken.heal();
    skip.apply(request);

    assertThat(claim(log).state().next()).isEqualTo(55);
  }

  private static void land(OwnedLog running, long offset) {
    try {
      assertThat(running.commit(batch(running, offset, offset + 1)))
          .isInstanceOf(AppendOutcome.Appended.class);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private static void landUpTo20AndFold(OwnedLog running) {
    try {
      for (long first : List.of(10L, 15L)) {
        assertThat(running.commit(batch(running, first, first + 5)))
            .isInstanceOf(AppendOutcome.Appended.class);
        running.published(running.number());
        running.registered(running.number());
      }
      new LogFolding(running.log(), 1, Clock.systemUTC(), () -> LogFolding.Released.ALL)
          .fold(running.number());
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noneOfSeveralIsMovedWhereOneIsRefused() throws Exception {
    TopicPartition other = new TopicPartition("quotes", 1);
    landed();
    landed(log(other), 1);
    List<OperatorSkip.OffsetRequest> requests =
        List.of(
            new OperatorSkip.OffsetRequest(QUOTES, Optional.of(25L), log),
            new OperatorSkip.OffsetRequest(other, Optional.of(3L), log(other)));

    assertThatThrownBy(() -> skip.apply(requests))
        .hasMessageContaining("quotes-1: the offset cannot go back to 3");
    assertThat(log.after(2)).isEmpty();
  }

  private void apply(Optional<Long> target) throws Exception {
    skip.apply(List.of(new OperatorSkip.OffsetRequest(QUOTES, target, log)));
  }

  private CommitLog log(TopicPartition topicPartition) {
    return CommitLog.of(storage, TestTask.LOGS, "quotes", topicPartition);
  }

  private OwnedLog landed() throws Exception {
    return landed(log, 0);
  }

  private OwnedLog landed(CommitLog log, int partition) throws Exception {
    for (int i = 0; i < 30; i++) {
      topic.produce(partition, new byte[0]);
    }
    OwnedLog owned = claim(log);
    assertThat(owned.commit(batch(owned, 0, 10))).isInstanceOf(AppendOutcome.Appended.class);
    return owned;
  }

  private OwnedLog claim(CommitLog log) throws Exception {
    return OwnedLog.claim(
        log,
        () -> topic.identity("quotes"),
        new Claimant("quotes", 0, "ann"),
        OperatorConsent.NONE,
        Clock.systemUTC());
  }

  private static CommitEntry.Batch batch(OwnedLog owned, long first, long next) {
    return owned.draft(
        UUID.randomUUID(),
        new OffsetRange(first, next),
        0,
        new NotLanded(
            OffsetRanges.NONE,
            OffsetRanges.NONE,
            first == next
                ? OffsetRanges.NONE
                : new OffsetRanges(List.of(new OffsetRange(first, next))),
            OffsetRanges.NONE),
        List.of(),
        List.of(),
        BatchIdCounts.NONE);
  }
}
