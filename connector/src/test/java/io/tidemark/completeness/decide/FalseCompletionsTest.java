package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.TABLE;
import static io.tidemark.completeness.decide.Scene.batch;
import static io.tidemark.completeness.decide.Scene.checkpoint;
import static io.tidemark.completeness.decide.Scene.ends;
import static io.tidemark.completeness.decide.Scene.pin;
import static io.tidemark.completeness.decide.Scene.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.store.batch.OffsetRanges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Histories in which a reckoner might make a false statement of completeness. */
class FalseCompletionsTest {
  private final Scene scene = new Scene();

  @Test
  void topicMadeAgainEmptyCoversNothingOfTheFormerOne() {
    scene.snapshot(1, "old", 100);
    scene.reckon(batch(0, 1, "old", 0, 50, 0));
    scene.snapshot(2, "new", 0);
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.holds()).singleElement().satisfies(FalseCompletionsTest::deletedFrom50);
    assertThat(scene.held())
        .startsWith(
            "DELETED orders-0: the topic was deleted or replaced, and records from offset 50");

    scene.acknowledge(scene.holds().get(0));
    scene.reckon(pin(0, 2, "new", 0));
    assertThat(scene.hour()).isEqualTo(2);
  }

  private static void deletedFrom50(Hold hold) {
    assertThat(hold.kind()).isEqualTo(HoldKind.DELETED);
    assertThat(hold.from()).isEqualTo(50);
    assertThat(hold.to()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void topicMadeAgainToTheSameLengthCoversNothingOfTheFormerOne() {
    scene.snapshot(1, "old", 100);
    scene.reckon(batch(0, 1, "old", 0, 50, 0));
    scene.reckon(batch(0, 2, "new", 0, 100, 0)); // the next generation in the log

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.holds()).singleElement().satisfies(FalseCompletionsTest::deletedFrom50);

    scene.snapshot(2, "new", 100);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(-1);
  }

  @Test
  void logOfTheFormerTopicCoversNothingOfOneThatIsAsLong() {
    scene.snapshot(1, "old", 100);
    scene.reckon(batch(0, 1, "old", 0, 100, 0));
    scene.snapshot(2, "new", 100);
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED orders-0");
    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.held()).startsWith("BEHIND orders-0: the topic was recreated");
  }

  @Test
  void topicThatLivedBetweenTwoEntriesOfTheLogIsNotForgotten() {
    scene.snapshot(1, "first", 10);
    scene.reckon(batch(0, 1, "first", 0, 10, 0));
    scene.snapshot(2, "second", 7); // recreated, and again before any task saw it
    scene.reckon(batch(0, 2, "third", 0, 5, 0));
    scene.snapshot(3, "third", 5);
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.holds()).anyMatch(hold -> hold.topicId().equals("second") && hold.from() == 0);
  }

  @Test
  void topicPartitionWithoutAnAccountIsNotCovered() {
    scene.snapshot(1, "t", 10, 1);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("NOT_OPENED orders-1");
  }

  @Test
  void whatLandedBeforeTheTopicWasDeletedIsNotHeld() {
    scene.snapshot(1, "old", 100);
    scene.reckon(batch(0, 1, "old", 0, 50, 0));
    scene.snapshot(2, "new", 0);
    scene.reckon(batch(0, 2, "old", 50, 100, 0)); // its account came late

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.holds())
        .singleElement()
        .satisfies(hold -> assertThat(hold.from()).isEqualTo(100));
  }

  @Test
  void topicMadeAgainBetweenTheDescriptionAndTheEndOffsetsIsLeftOut() {
    SortedMap<String, TopicEnds> agreeing =
        Snapshots.agreeing(
            scene.ledger.state(),
            Map.of(
                "orders",
                new TopicDescription("old", 1, List.of(1)),
                "news",
                new TopicDescription("n", 1, List.of(1))),
            Map.of("orders", List.of(0L), "news", List.of(7L)),
            List.of(
                Map.of(
                    "orders",
                    new TopicDescription("new", 1, List.of(1)),
                    "news",
                    new TopicDescription("n", 1, List.of(1)))));

    assertThat(agreeing).containsOnlyKeys("news");
  }

  @Test
  void staleAnswerBelowWhatHasLandedIsLeftOut() {
    scene.snapshot(1, "t", 100, 10);
    scene.reckon(batch(0, 1, "t", 0, 100, 0));
    TopicDescription two = new TopicDescription("t", 2, List.of(1, 2));
    TopicDescription one = new TopicDescription("t", 1, List.of(1));

    assertThat(agreeing(two, List.of(99L, 10L))).isEmpty();
    assertThat(agreeing(one, List.of(100L))).isEmpty();
    assertThat(agreeing(two, List.of(100L))).isEmpty();
    assertThat(agreeing(two, List.of(100L, 10L))).containsOnlyKeys("orders");
  }

  private SortedMap<String, TopicEnds> agreeing(TopicDescription description, List<Long> ends) {
    Map<String, TopicDescription> both = Map.of("orders", description);
    return Snapshots.agreeing(scene.ledger.state(), both, Map.of("orders", ends), List.of(both));
  }

  @Test
  void topicLeftOutOfTheSnapshotIsNotCoveredByIt() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.snapshot(1, Map.of("orders", ends("t", 10)));
    scene.reckon(batch(0, 1, "t", 0, 10, 0));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("TRUNCATED returns");
  }

  @Test
  void retentionThatPassedDuringAStopHoldsUntilItIsAcknowledged() {
    scene.snapshot(1, "t", 100);
    scene.reckon(
        batch(0, 1, "t", 0, 0, 100, 0, new OffsetRanges(OffsetRanges.parse("10-29").ranges())));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).contains("no longer retained the offsets [10, 30)");
    scene.acknowledge(scene.holds().get(0));
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
  }

  @Test
  void lossBehindTheSnapshotHoldsTheNextOneOnly() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 0, 100, 0, OffsetRanges.parse("10-29")));

    assertThat(scene.hour()).isEqualTo(1);
    scene.snapshot(2, "t", 100);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
  }

  @Test
  void topicPartitionMadeAndFilledBeforeItWasFirstSeenHasLostWhatItSkips() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    assertThat(scene.hour()).isEqualTo(1);

    scene.snapshot(2, "t", 10, 50);
    scene.reckon(pin(1, 1, "t", 50)); // auto.offset.reset=latest, after it was filled

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).contains("orders-1").contains("offsets [0, 50)");
  }

  @Test
  void restartUnderLatestThatJumpsOverHeldRecordsIsNoContinuation() {
    scene.snapshot(1, "t", 0);
    scene.reckon(pin(0, 1, "t", 0));
    assertThat(scene.hour()).isEqualTo(1);

    scene.snapshot(2, "t", 40);
    scene.reckon(pin(0, 2, "t", 40));

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("GAP orders-0");
  }

  @Test
  void pinMovedBackAfterACompletionIsNoContinuation() {
    scene.snapshot(1, "t", 40);
    scene.reckon(pin(0, 1, "t", 40));
    assertThat(scene.hour()).isEqualTo(1);

    scene.reckon(pin(0, 2, "t", 0));
    scene.snapshot(2, "t", 40);
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("GAP");
    Hold gap = scene.holds().get(0);
    scene.reckon(pin(0, 2, "t", 0));
    assertThat(scene.holds()).as("it stays, though the log has the position").containsExactly(gap);
  }

  @Test
  void pinMovedBackBeforeAnyCompletionIsTaken() {
    scene.reckon(pin(0, 1, "t", 40));
    scene.reckon(pin(0, 2, "t", 0));
    scene.snapshot(1, "t", 40);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(-1);

    scene.reckon(batch(0, 3, "t", 0, 40, 0));
    assertThat(scene.hour()).isEqualTo(1);
  }

  @Test
  void groupThatIsRedefinedStartsAnew() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders")), Map.of("g", List.of(TABLE)));
    scene.snapshot(1, "t", 0);
    scene.reckon(pin(0, 1, "t", 0));
    assertThat(Objects.requireNonNull(scene.ledger.state().groups().get("g")).through())
        .isPresent();

    scene.settings =
        settings(
            false,
            Map.of(TABLE, List.of("orders")),
            Map.of("g", List.of(TABLE, "default.payments@payments")));
    scene.reckon();

    assertThat(Objects.requireNonNull(scene.ledger.state().groups().get("g")).through()).isEmpty();
    assertThat(scene.ledger.state().groups().get("g").held().orElseThrow().reason())
        .isEqualTo("NO_MEMBER");

    scene.foreign = Map.of("default.payments@payments", ModelTopic.START);
    scene.reckon();
    assertThat(Objects.requireNonNull(scene.ledger.state().groups().get("g")).through())
        .contains(ModelTopic.START);
  }

  /** Whoever waits for the group learns from it that an operator must act. */
  @Test
  void groupTellsWhatHoldsItsMember() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders")), Map.of("g", List.of(TABLE)));
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 0, 10, 0, OffsetRanges.parse("3-4")));

    assertThat(
            Objects.requireNonNull(scene.ledger.state().groups().get("g"))
                .held()
                .orElseThrow()
                .reason())
        .isEqualTo("LOST");
  }

  @Test
  void hivePartitionThatReadersDoNotSeeIsNotComplete() {
    HivePartitionId id = new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(0));
    scene.snapshot(1, "t", 10);
    SettledEntry.Batch batch = batch(0, 1, "t", 0, 10, 0);
    Findings findings = scene.findings(List.of(batch));
    assertThat(scene.decide(findings).toLook()).containsExactly(id);

    scene.look = () -> Scene.look(Set.of(), Set.of(id));
    Decision held = scene.reckon(batch);
    assertThat(held.completions()).isEmpty();
    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("UNSEEN orders: readers do not see");

    scene.look = () -> Scene.look(Set.of(id), Set.of());
    Decision seen = scene.reckon();
    assertThat(seen.completions()).hasSize(1);
    assertThat(scene.holds()).isEmpty();
  }

  @Test
  void nothingIsCompleteWhileTheCatalogIsAway() {
    scene.snapshot(1, "t", 10);
    scene.look = Scene::unavailable;
    scene.reckon(batch(0, 1, "t", 0, 10, 0));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("SERVICE_AWAY");
  }

  @Test
  void lostAccountOfAnIdleTopicPartitionIsReadFromTheLog() {
    scene.snapshot(1, "t", 20);
    SettledEntry first = batch(0, 1, "t", 0, 10, 0);
    SettledEntry second = batch(0, 2, "t", 10, 20, 0);
    SettledEntry third = batch(0, 3, "t", 20, 30, 0);
    Decision taken = scene.reckon(List.of(second), List.of(first, second, third));

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(taken.completions().get(0).total().records())
        .as("without the entry that no account has shown to be settled")
        .isEqualTo(20);
  }

  @Test
  void hivePartitionsOfEntriesBeforeThePointersAreLookedAt() throws Exception {
    SettledEntry first = batch(0, 1, "t", 0, 10, 3);
    SettledEntry second = batch(0, 2, "t", 10, 20, 3);
    ListedLog log = scene.logs.of("orders", 0);
    log.put(first, scene.now);
    log.put(second, scene.now);
    LogPointer pointer = new LogPointer("orders", 0, 2, second.attempt(), 2, List.of());
    LogRead read =
        new LogReader(
                scene.ledger, "orders", 0, log, List.of(new LogReader.Pointed(scene.now, pointer)))
            .read(Optional.empty(), new ListedLog.Most(10), false);
    Findings findings = scene.findings(List.of(read), new Look());

    assertThat(scene.decide(findings).toLook())
        .containsExactly(new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(3)));
  }

  /** An account names what readers did not see when its task registered it. */
  @Test
  void hivePartitionThatAnAccountStillNamesIsNotHeldOnceReadersSeeIt() throws Exception {
    HivePartitionId id = new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(0));
    ListedLog log = scene.logs.of("orders", 0);
    log.put(batch(0, 1, "t", 0, 10, 0), scene.now);
    assertThat(taken(id, 1, Scene.look(Set.of(), Set.of(id))))
        .extracting(Hold::kind)
        .containsExactly(HoldKind.UNSEEN);

    log.put(batch(0, 2, "t", 10, 20, 0), scene.now);
    assertThat(taken(id, 2, Scene.look(Set.of(id), Set.of()))).isEmpty();
    log.put(batch(0, 3, "t", 20, 30, 0), scene.now);
    assertThat(taken(id, 3, Scene.unavailable()))
        .as("nobody can look it up, and no later account may name it")
        .hasSize(1);
  }

  /** The holds after an account whose task did not see a Hive partition since entry 1. */
  private List<Hold> taken(HivePartitionId unseen, long number, Look look) throws Exception {
    SettledEntry last = Objects.requireNonNull(scene.logs.of("orders", 0).entries.get(number));
    LogPointer pointer = new LogPointer("orders", 0, number, last.attempt(), 1, List.of(unseen));
    LogRead read =
        new LogReader(
                scene.ledger,
                "orders",
                0,
                scene.logs.of("orders", 0),
                List.of(new LogReader.Pointed(scene.now, pointer)))
            .read(Optional.empty(), new ListedLog.Most(10), false);
    Decision decision = scene.decide(scene.findings(List.of(read), look));
    assertThat(decision.toLook()).isEmpty();
    scene.append(decision.entry(UUID.randomUUID(), scene.now));
    return scene.holds();
  }

  /** The ledger began after the topic was recreated; a pass reads fewer entries than there are. */
  @Test
  void logThatBeginsWithManyEntriesOfAFormerTopicIsReadFromThePresentOne() throws Exception {
    ListedLog log = scene.logs.of("orders", 0);
    for (int number = 1; number <= 50; number++) {
      log.put(batch(0, number, "former", 10L * (number - 1), 10L * number, 0), scene.now);
    }
    SettledEntry.Batch present = batch(0, 51, "t", 0, 10, 0);
    log.put(present, scene.now);
    LogPointer pointer = new LogPointer("orders", 0, 51, present.attempt(), 1, List.of());

    LogRead read =
        new LogReader(
                scene.ledger, "orders", 0, log, List.of(new LogReader.Pointed(scene.now, pointer)))
            .read(Optional.empty(), new ListedLog.Most(10), false);

    assertThat(read.kind()).isEqualTo(LogRead.Kind.REPLACES);
    assertThat(read.entries()).extracting(ReadEntry::entry).containsExactly(present);
  }

  @Test
  void foldedEntriesAreExactInOffsetsAndPartialInSums() {
    SettledEntry first = batch(0, 1, "t", 0, 10, 0);
    SettledEntry second = batch(0, 2, "t", 10, 20, 0);
    scene.snapshot(1, "t", 20);
    Decision decision = scene.reckon(List.of(second), List.of(checkpoint(first), second));

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(decision.completions().get(0).total().partial()).isTrue();
    assertThat(
            Objects.requireNonNull(scene.ledger.state().topics().get("orders")).counts().landed())
        .isEqualTo(20);
  }

  /**
   * By the store's clock, the account arrived after the hour of the records in the folded entry.
   */
  @Test
  void sumsThatLackFoldedEntriesArePartialThoughTheReckonersClockIsHoursBehind() {
    SettledEntry first = batch(0, 1, "t", 0, 10, 0);
    SettledEntry second = batch(0, 2, "t", 10, 20, 0);
    Instant came = scene.now.plus(Duration.ofMinutes(50));
    scene.logs.of("orders", 0).put(checkpoint(first), came);
    scene.now = scene.now.minus(Duration.ofHours(4));
    Decision behind =
        scene.decide(
            scene.findings(
                scene.logs.read(scene.ledger, List.of(new ReadEntry(came, second))), new Look()));
    scene.append(behind.entry(UUID.randomUUID(), scene.now));
    scene.snapshot(1, "t", 20);
    Decision decision = scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(decision.completions().get(0).total().records()).isEqualTo(10);
    assertThat(decision.completions().get(0).total().partial()).isTrue();
  }

  /** A log was removed and began again at the end offset, and its accounts were lost. */
  @Test
  void checkpointOfALogThatBeganAnewStandsForNothingOfTheFormerOne() {
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    scene.snapshot(1, "t", 60);
    SettledEntry anew = batch(0, 7, "t", 50, 50, 60, 0, OffsetRanges.NONE);
    scene.reckon(
        List.of(batch(0, 8, "t", 50, 60, 60, 0, OffsetRanges.NONE)), List.of(checkpoint(anew)));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("GAP orders-0");
  }

  @Test
  void foldedEntriesThatLostOffsetsHoldWhole() {
    SettledEntry first = batch(0, 1, "t", 0, 0, 10, 0, OffsetRanges.parse("3"));
    scene.snapshot(1, "t", 10);
    scene.reckon(checkpoint(first));

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).contains("offsets [0, 10)");
  }

  @Test
  void logThatWasRestoredFromAnOlderCopyDoesNotGoOn() {
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    SettledEntry other = batch(0, 1, "another", 0, 10, 0);
    scene.snapshot(1, "t", 10);
    scene.reckon(other);

    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("GAP");
    scene.acknowledge(scene.holds().get(0));
    scene.snapshot(2, "another", 10);
    scene.reckon(other);
    assertThat(scene.holds()).noneMatch(hold -> hold.kind() == HoldKind.GAP);
  }

  @Test
  void clockThatSteppedBackAsksAgainAndNeverStatesMore() {
    Duration hour = Duration.ofHours(1);
    Optional<Instant> ahead = Optional.of(ModelTopic.from(9));

    assertThat(Snapshots.due(hour, Duration.ZERO, List.of(), ahead, ModelTopic.from(8))).isEmpty();
    Optional<Instant> back = Snapshots.plausible(ahead, ModelTopic.from(8));
    assertThat(Snapshots.due(hour, Duration.ZERO, List.of(), back, ModelTopic.from(8)))
        .contains(ModelTopic.from(8));
    scene.snapshot(9, "t", 0);
    scene.reckon(pin(0, 1, "t", 0));
    scene.snapshot(8, "t", 5);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(9);
    assertThat(scene.ledger.state().lastTick()).as("set back").contains(ModelTopic.from(8));
  }

  /** Each topic can have settings of its own. */
  @Test
  void topicsHaveRulesOfTheirOwn() {
    LedgerSettings all = settings(false, Map.of(TABLE, List.of("orders")), Map.of());
    scene.settings =
        new LedgerSettings(
            all.interval(),
            all.lateness(),
            new TopicRules(
                all.rules().others(),
                Map.of("orders", new TopicRules.Rule(true, all.rules().others().holdOn()))),
            all.revisionInterval(),
            all.batchesExpire(),
            all.tables(),
            all.groups());
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    assertThat(scene.held()).startsWith("IDLE orders-0");

    scene.settings = all;
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
  }

  @Test
  void heartbeatsOfAnotherDayAreNoEvidence() {
    scene.settings = settings(true, Map.of(TABLE, List.of("orders")), Map.of());
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 9)); // of nine o'clock, and it is five past one
    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("IDLE orders-0");

    scene.reckon(batch(0, 2, "t", 10, 20, 1));
    assertThat(scene.hour()).isEqualTo(1);
  }

  @Test
  void topicThatIsGoneLeavesItsTableOnceItsRestIsAcknowledged() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.snapshot(1, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.gone = Set.of("returns");
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    assertThat(scene.hour()).isEqualTo(-1);

    scene.acknowledge(scene.holds().get(0));
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
  }
}
