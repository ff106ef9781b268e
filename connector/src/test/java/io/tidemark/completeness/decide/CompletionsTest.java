package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.batch;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The conditions under which the ledger states that a Hive partition is complete, the first time
 * and later.
 */
class CompletionsTest {
  private final Scene scene = new Scene();

  @Test
  void hourIsCompleteOnceItsSnapshotIsCovered() {
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    assertThat(scene.hour()).isEqualTo(-1);

    long snapshot = scene.snapshot(1, "t", 10);
    Decision decision = scene.reckon();

    assertThat(decision.completions()).hasSize(1);
    assertThat(decision.completions().get(0).snapshot()).isEqualTo(snapshot);
    assertThat(decision.completions().get(0).total().records()).isEqualTo(10);
    assertThat(decision.completions().get(0).total().late()).isZero();
    assertThat(Objects.requireNonNull(decision.covered().get("orders")).counts().landed())
        .isEqualTo(10);
    assertThat(scene.ledger.state().pending()).isEmpty();
  }

  @Test
  void hourThatIsNotOverIsNotComplete() {
    scene.snapshot(1, "t", 10);
    Decision decision = scene.reckon(batch(0, 1, "t", 0, 10, 1));

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(decision.completions()).isEmpty();
  }

  /** For example, the table was not configured when the first records were taken. */
  @Test
  void spanThatWasNotKnownIsThatOfLaterRecords() {
    Findings first = scene.findings(List.of(batch(0, 1, "t", 0, 10, 0)));
    Decision unknown =
        Reckoning.decide(
            scene.ledger, scene.settings, first, new TimeSpans(Map.of(), Set.of()), scene.now);
    scene.append(unknown.entry(UUID.randomUUID(), scene.now));
    scene.reckon(batch(0, 2, "t", 10, 13, 0));
    scene.snapshot(1, "t", 13);

    assertThat(scene.reckon().completions())
        .hasSize(1)
        .allSatisfy(completion -> assertThat(completion.total().records()).isEqualTo(13));
  }

  @Test
  void lateRecordsAreToldAtOnceAndCompletedWithTheNextSnapshot() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));

    Decision late = scene.reckon(batch(0, 2, "t", 10, 13, 0));
    assertThat(late.sums().get(0).late()).isEqualTo(3);
    assertThat(late.completions()).isEmpty();

    scene.snapshot(2, "t", 13);
    assertThat(scene.reckon().completions())
        .as("an hour after the first one at the earliest")
        .hasSize(1)
        .allSatisfy(
            completion -> {
              assertThat(completion.total().records()).isEqualTo(13);
              assertThat(completion.total().late()).isEqualTo(3);
            });
    scene.snapshot(3, "t", 13);
    assertThat(scene.reckon().completions()).as("nothing came since").isEmpty();
  }

  @Test
  void revisionWaitsForItsInterval() {
    scene.snapshot(1, "t", 10);
    scene.now = scene.now.plus(Duration.ofMinutes(30)); // covered half an hour later
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    scene.reckon(batch(0, 2, "t", 10, 13, 0));
    scene.snapshot(2, "t", 13);
    assertThat(scene.reckon().completions()).isEmpty();

    scene.snapshot(3, "t", 13);
    assertThat(scene.reckon().completions()).hasSize(1);
  }

  @Test
  void totalsThatWereLeftOutOfACheckpointAreMarkedWhenSomethingComes() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    scene.snapshot(24 * 8, "t", 10);
    scene.reckon();
    LedgerEntry.Checkpoint checkpoint = scene.ledger.checkpoint(UUID.randomUUID(), scene.now);
    assertThat(checkpoint.totals()).isEmpty();
    scene.append(checkpoint);

    Decision late = scene.reckon(batch(0, 2, "t", 10, 13, 0));

    assertThat(late.sums().get(0).partial()).isTrue();
  }

  @Test
  void atMostAThousandAreStatedInOneEntryAndTheRestFollows() {
    List<SettledEntry> accounts = new ArrayList<>();
    for (int hour = 0; hour < 1_001; hour++) {
      accounts.add(batch(0, hour + 1, "t", hour, hour + 1, hour));
    }
    scene.snapshot(1_001, "t", 1_001);

    assertThat(scene.reckon(accounts, List.of()).completions()).hasSize(1_000);
    assertThat(scene.reckon().completions()).hasSize(1);
    assertThat(scene.reckon().completions()).isEmpty();
  }

  /** Uses {@code completeness.hold.on} without {@code unseen}. */
  @Test
  void thousandThatReadersDoNotSeeKeepNoOtherWaiting() {
    scene.settings =
        new LedgerSettings(
            scene.settings.interval(),
            scene.settings.lateness(),
            Scene.rules(false),
            scene.settings.revisionInterval(),
            Optional.empty(),
            scene.settings.tables(),
            scene.settings.groups());
    List<SettledEntry> accounts = new ArrayList<>();
    for (int hour = 0; hour < 1_001; hour++) {
      accounts.add(batch(0, hour + 1, "t", hour, hour + 1, hour));
    }
    scene.snapshot(1_001, "t", 1_001);
    HivePartitionId last = new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(1_000));

    Findings findings = scene.findings(accounts);
    Decision decision = scene.decide(findings);
    while (!decision.toLook().isEmpty()) {
      Set<HivePartitionId> unseen = new HashSet<>(decision.toLook());
      Set<HivePartitionId> seen = unseen.remove(last) ? Set.of(last) : Set.of();
      findings.look().seen.addAll(seen);
      findings.look().unseen.addAll(unseen);
      decision = scene.decide(findings);
    }

    assertThat(decision.completions()).extracting(each -> each.total().id()).containsExactly(last);
  }

  @Test
  void snapshotsOfTheMiddleGoWhereTooManyArePending() {
    for (int hour = 1; hour <= 40; hour++) {
      scene.snapshot(hour, "t", hour);
    }
    List<Long> pending = scene.ledger.state().pending();

    assertThat(pending).hasSizeLessThanOrEqualTo(LedgerState.PENDING_MOST).contains(1L, 40L);
    scene.reckon(batch(0, 1, "t", 0, 40, 0));
    assertThat(scene.hour()).isEqualTo(40);
  }

  @Test
  void thinningKeepsTheFirstAndTheLast() {
    List<Long> thirtyThree = LongStream.rangeClosed(1, 33).boxed().toList();

    assertThat(Snapshots.thinned(thirtyThree))
        .startsWith(1L, 3L, 5L)
        .endsWith(31L, 33L)
        .hasSize(17);
    assertThat(Snapshots.thinned(thirtyThree.subList(0, 32))).hasSize(32);
  }

  @Test
  void newestTickOrEndOfAHivePartitionIsDueOnce() {
    Duration five = Duration.ofMinutes(5);
    var now = ModelTopic.from(8).plusSeconds(7 * 60);

    assertThat(Snapshots.due(five, five, List.of(), Optional.empty(), now))
        .contains(ModelTopic.from(8));
    assertThat(
            Snapshots.due(
                five, five, List.of(ModelTopic.from(8).plusSeconds(61)), Optional.empty(), now))
        .contains(ModelTopic.from(8).plusSeconds(61));
    assertThat(Snapshots.due(five, five, List.of(), Optional.of(ModelTopic.from(8)), now))
        .isEmpty();
  }

  /** Every second record of the producer is a dead letter. Each entry contains all holds. */
  @Test
  void floodOfDeadLettersMakesFewHolds() {
    scene.settings =
        new LedgerSettings(
            scene.settings.interval(),
            scene.settings.lateness(),
            Scene.rules(false, HoldKind.DEAD_LETTERED),
            scene.settings.revisionInterval(),
            Optional.empty(),
            scene.settings.tables(),
            scene.settings.groups());
    for (int entry = 0; entry < 5; entry++) {
      scene.reckon(everySecondIsADeadLetter(entry));
    }

    assertThat(scene.holds()).hasSize(Holds.OPEN_MOST);
    assertThat(scene.holds().get(0).to()).as("the first ones are exact").isEqualTo(2);
    assertThat(scene.holds().get(Holds.OPEN_MOST - 1))
        .satisfies(hold -> assertThat(hold.from()).isEqualTo(2 * Holds.OPEN_MOST - 1))
        .satisfies(hold -> assertThat(hold.to()).isEqualTo(5_000));
    scene.snapshot(1, "t", 5_000);
    scene.reckon();
    assertThat(scene.held()).startsWith("DEAD_LETTERED orders-0");
    assertThat(scene.hour()).isEqualTo(-1);

    scene.holds().forEach(scene::acknowledge);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
  }

  private static SettledEntry.Batch everySecondIsADeadLetter(int entry) {
    long first = entry * 1_000L;
    OffsetRanges dead =
        new OffsetRanges(
            LongStream.range(0, 500)
                .mapToObj(i -> new OffsetRange(first + 2 * i + 1, first + 2 * i + 2))
                .toList());
    SettledEntry.Batch landed = batch(0, entry + 1, "t", first, first + 1_000, 0);
    return new SettledEntry.Batch(
        landed.topic(),
        landed.topicPartition(),
        landed.number(),
        landed.attempt(),
        new SettledState(
            landed.state().generation(),
            0,
            first + 1_000,
            new RecordCounts((entry + 1) * 500L, (entry + 1) * 500L, 0, 0, 0),
            false),
        landed.range(),
        new RecordCounts(500, 500, 0, 0, 0),
        new NotLanded(dead, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE),
        landed.sums().stream()
            .map(
                sum ->
                    new HivePartitionSum(
                        sum.table(),
                        sum.hivePartition(),
                        500,
                        sum.bytes(),
                        1,
                        sum.minTimestamp(),
                        sum.maxTimestamp()))
            .toList(),
        landed.batchIds());
  }
}
