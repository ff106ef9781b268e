package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.TABLE;
import static io.tidemark.completeness.decide.Scene.batch;
import static io.tidemark.completeness.decide.Scene.ends;
import static io.tidemark.completeness.decide.Scene.pin;
import static io.tidemark.completeness.decide.Scene.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.completeness.ledger.Assigned;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.SettledEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Topics that are deleted or recreated after their last snapshot, possibly with records that no
 * snapshot has seen. The table has two topics, both complete through hour 1.
 */
class DeletedTopicsTest {
  private final Scene scene = new Scene();

  @BeforeEach
  void bothTopicsAreCompleteThroughTheFirstHour() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.snapshot(1, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon(batch(0, 1, "t", 0, 10, 0), returns(1, "r", 0, 5));
    assertThat(scene.hour()).isEqualTo(1);
  }

  private static SettledEntry returns(long number, String topicId, long first, long next) {
    return Scene.of("returns", batch(0, number, topicId, first, next, 0));
  }

  private void snapshotWithoutReturns(int hour) {
    scene.gone = Set.of("returns");
    scene.snapshot(hour, Map.of("orders", ends("t", 10)));
    scene.reckon();
  }

  @Test
  void deletedTopicHoldsTheHoursAfterItsLastSnapshot() {
    snapshotWithoutReturns(2);

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED returns-0").contains("from offset 5 on");

    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(2);
    assertThat(scene.table().topics()).containsExactly("orders");
  }

  @Test
  void acknowledgedDeletionHoldsNothingAgainAfterALateAccount() {
    snapshotWithoutReturns(2);
    scene.acknowledgeAll();
    scene.reckon(returns(2, "r", 5, 9)); // landed before the deletion
    scene.snapshot(3, Map.of("orders", ends("t", 10)));
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(3);
    assertThat(scene.holds()).noneMatch(Hold::open);
  }

  /** The pattern of the configuration no longer finds it when the ledger decides. */
  @Test
  void topicOfASnapshotIsOfItsTableAlthoughItIsDeletedBeforeTheNextDecision() {
    scene.settings =
        settings(false, Map.of(TABLE, List.of("orders", "refunds", "returns")), Map.of());
    scene.snapshot(
        2, Map.of("orders", ends("t", 10), "returns", ends("r", 5), "refunds", ends("f", 7)));
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.gone = Set.of("refunds");
    scene.snapshot(3, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED refunds-0");
  }

  @Test
  void recreatedTopicHoldsUntilTheFormerOneIsAcknowledged() {
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r2", 3)));
    scene.reckon(returns(2, "r2", 0, 3));

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED returns-0");
    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(2);
  }

  @Test
  void topicPartitionsWithoutAnyRecordAreHeldToo() {
    scene.snapshot(2, Map.of("orders", ends("t", 10, 0), "returns", ends("r", 5)));
    scene.reckon(pin(1, 1, "t", 0));
    scene.snapshot(3, Map.of("orders", ends("t2", 0, 0), "returns", ends("r", 5)));
    scene.reckon();

    assertThat(scene.holds())
        .extracting(Hold::topicPartition, Hold::from)
        .containsExactly(tuple(0, 10L), tuple(1, 0L));
  }

  @Test
  void unseenRecordsOfTheFormerTopicHoldTheEmptyPresentOne() {
    Scene other = new Scene();
    HivePartitionId unseen = new HivePartitionId(Scene.ORDERS, ModelTopic.hivePartition(2));
    other.snapshot(1, "old", 10);
    other.reckon(batch(0, 1, "old", 0, 10, 2));
    other.retire("orders");
    other.snapshot(2, "old", 10);
    other.reckon();
    assertThat(other.hour()).isEqualTo(2);
    other.snapshot(3, "new", 0);
    other.look = () -> Scene.look(Set.of(), Set.of(unseen));
    other.reckon(pin(0, 2, "new", 0));

    assertThat(other.hour()).isEqualTo(2);
    assertThat(other.held()).startsWith("UNSEEN");
  }

  /** Its records are read before the next snapshot, or not. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void topicThatGotRecordsAfterItsRetirementIsNotRetired(boolean early) {
    scene.retire("returns");
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon();
    if (early) {
      scene.reckon(returns(2, "r", 5, 9));
    }
    scene.snapshot(3, Map.of("orders", ends("t", 10), "returns", ends("r", 9)));
    if (!early) {
      scene.reckon(returns(2, "r", 5, 9));
    }
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(3);
    snapshotWithoutReturns(4);
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(3);
    assertThat(scene.held()).startsWith("DELETED returns-0");
  }

  @Test
  void topicThatKafkaHasAgainWithItsIdWasNotDeleted() {
    snapshotWithoutReturns(2);
    assertThat(scene.holds()).isNotEmpty();

    scene.gone = Set.of();
    scene.snapshot(3, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon();
    assertThat(scene.holds()).isEmpty();
    assertThat(scene.hour()).isEqualTo(3);
  }

  @Test
  void topicThatIsInNoSnapshotIsHeldByWhatItsTasksReported() {
    scene.settings =
        settings(false, Map.of(TABLE, List.of("orders", "returns", "refunds")), Map.of());
    scene.reckon(Scene.of("refunds", batch(0, 1, "f", 0, 7, 0)));
    scene.gone = Set.of("refunds");
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED refunds-0").contains("from offset 7 on");
  }

  /** Kafka did not show the former topic to the reckoner, and the new one has one part less. */
  @Test
  void logThatHasOnlyAFormerTopicIsReadAfterTheSnapshotOfTheNewOne() {
    scene.settings =
        settings(false, Map.of(TABLE, List.of("orders", "returns", "refunds")), Map.of());
    scene.snapshot(
        2, Map.of("orders", ends("t", 10), "returns", ends("r", 5), "refunds", ends("f2", 3)));
    scene.reckon(Scene.of("refunds", batch(0, 1, "f2", 0, 3, 0)));
    assertThat(scene.hour()).isEqualTo(2);
    scene.reckon(Scene.of("refunds", batch(1, 1, "f", 0, 4, 0)));
    scene.snapshot(
        3, Map.of("orders", ends("t", 10), "returns", ends("r", 5), "refunds", ends("f2", 3)));
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(2);
    assertThat(scene.held()).startsWith("DELETED refunds-1").contains("from offset 4 on");
    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(3);
  }

  /** The log shows it before any snapshot does: it was not deleted. */
  @Test
  void logOfANewTopicHoldsNothingOnceASnapshotShowsIt() {
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon(Scene.of("returns", batch(1, 1, "r2", 0, 4, 0)));
    scene.reckon(returns(2, "r2", 0, 3));
    scene.snapshot(3, Map.of("orders", ends("t", 10), "returns", ends("r2", 3, 4)));
    scene.reckon();

    assertThat(scene.holds()).extracting(Hold::topicId).containsOnly("r");
  }

  @Test
  void retiredTopicIsDeletedWithoutAHoldOnceItHasCoveredALaterSnapshot() {
    scene.retire("returns");
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 6)));
    scene.reckon(returns(2, "r", 5, 6));
    snapshotWithoutReturns(3);

    assertThat(scene.holds()).isEmpty();
    assertThat(scene.hour()).isEqualTo(3);
  }

  /** Snapshot 2 is pending for the other topic only, and has records that were truncated since. */
  @Test
  void retiredTopicIsNotHeldForTheEndOffsetsOfASnapshotBeforeTheOneThatItHasCovered() {
    scene.retire("returns");
    scene.snapshot(2, Map.of("orders", ends("t", 12), "returns", ends("r", 8)));
    scene.snapshot(3, Map.of("orders", ends("t", 12), "returns", ends("r", 6)));
    scene.reckon(returns(2, "r", 5, 6));
    snapshotWithoutReturns(4);

    assertThat(scene.holds()).isEmpty();
  }

  @Test
  void retiredTopicThatIsDeletedBeforeALaterSnapshotIsHeld() {
    scene.retire("returns");
    snapshotWithoutReturns(2);

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED returns-0");
  }

  @Test
  void retiredTopicIsHeldWhereItsLaterSnapshotIsNotCovered() {
    scene.retire("returns");
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 6)));
    scene.reckon();
    snapshotWithoutReturns(3);

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED returns-0");
  }

  /** The ledger has a position in a topic-partition that the present topic lacks. */
  @Test
  void recreatedTopicThatGotRecordsAfterItsRetirementIsNotRetired() {
    Scene other = new Scene();
    other.snapshot(1, "t", 10, 10);
    other.reckon(batch(0, 1, "t", 0, 10, 0), batch(1, 1, "t", 0, 10, 0));
    other.snapshot(2, "t2", 5);
    other.reckon(batch(0, 2, "t2", 0, 5, 1));
    other.acknowledgeAll();
    other.retire("orders");
    other.snapshot(3, "t2", 5);
    other.reckon();
    other.snapshot(4, "t2", 9);
    other.reckon(batch(0, 3, "t2", 5, 9, 1));
    assertThat(other.hour()).isEqualTo(4);
    other.gone = Set.of("orders");
    other.snapshot(5, Map.of());
    other.reckon();

    assertThat(other.held()).startsWith("DELETED orders-0").contains("from offset 9 on");
  }

  /** It is acknowledged once, although the ledger still has its position. */
  @Test
  void topicPartitionThatTheRecreatedTopicLacksIsNotHeldAgainAfterARetirement() {
    Scene other = new Scene();
    other.snapshot(1, "t", 10, 10);
    other.reckon(batch(0, 1, "t", 0, 10, 0), batch(1, 1, "t", 0, 10, 0));
    other.snapshot(2, "t2", 5);
    other.reckon(batch(0, 2, "t2", 0, 5, 1));
    assertThat(other.holds()).extracting(Hold::topicPartition).containsExactly(0, 1);
    other.acknowledgeAll();
    other.retire("orders");
    other.snapshot(3, "t2", 5);
    other.reckon();
    assertThat(other.hour()).isEqualTo(3);
    other.gone = Set.of("orders");
    other.snapshot(4, Map.of());
    other.reckon();

    assertThat(other.holds()).noneMatch(Hold::open);
  }

  @Test
  void retirementIsOfOneTopicIdOnly() {
    scene.retire("returns");
    scene.snapshot(2, Map.of("orders", ends("t", 10), "returns", ends("r", 5)));
    scene.reckon();
    scene.snapshot(3, Map.of("orders", ends("t", 10), "returns", ends("r2", 4)));
    scene.reckon(returns(2, "r2", 0, 4));
    assertThat(scene.hour()).as("made again").isEqualTo(3);

    snapshotWithoutReturns(4);
    assertThat(scene.hour()).isEqualTo(3);
    assertThat(scene.held()).startsWith("DELETED returns-0").contains("from offset 4 on");
  }

  @Test
  void newTopicWhoseLogBeginsAboveItsFirstRecordHasLostThem() {
    scene.settings =
        settings(false, Map.of(TABLE, List.of("orders", "returns", "refunds")), Map.of());
    scene.reckon(Scene.of("refunds", pin(0, 1, "f", 50)));
    scene.snapshot(
        2, Map.of("orders", ends("t", 10), "returns", ends("r", 5), "refunds", ends("f", 50)));
    scene.reckon();

    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("LOST refunds-0").contains("[0, 50)");
    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(2);
  }

  @Test
  void topicThatTheFirstSnapshotLeftOutHasLostWhatItsLogSkips() {
    Scene other = new Scene();
    other.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    other.reckon(pin(0, 1, "t", 40), Scene.of("returns", pin(0, 1, "r", 50)));
    other.snapshot(1, Map.of("orders", ends("t", 40)));
    other.reckon();
    other.snapshot(2, Map.of("orders", ends("t", 40), "returns", ends("r", 50)));
    other.reckon();
    assertThat(other.hour()).isEqualTo(-1);
    assertThat(other.holds())
        .singleElement()
        .satisfies(
            hold -> {
              assertThat(hold.kind()).isEqualTo(HoldKind.LOST);
              assertThat(hold.topic()).isEqualTo("returns");
              assertThat(hold.to()).isEqualTo(50);
            });
  }

  @Test
  void recordsSinceTheFirstSnapshotAreLostIfTheLogBeginsAboveThem() {
    Scene other = new Scene();
    other.settings = settings(false, Map.of(TABLE, List.of("orders")), Map.of());
    other.snapshot(1, Map.of("orders", ends("t", 40)));
    other.reckon();
    other.snapshot(2, Map.of("orders", ends("t", 70)));
    other.reckon(pin(0, 1, "t", 70));

    assertThat(other.held()).startsWith("LOST orders-0").contains("[40, 70)");
    assertThat(other.hour()).isEqualTo(1);
    other.acknowledgeAll();
    other.reckon();
    assertThat(other.hour()).isEqualTo(2);
  }

  /** The task of orders begins late, after a topic-partition was added to the other topic. */
  @Test
  void recordsSinceTheFirstSnapshotAreLostThoughALaterOneShowsAFurtherTopicPartition() {
    Scene other = new Scene();
    other.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    other.snapshot(1, Map.of("orders", ends("t", 40), "returns", ends("r", 5)));
    Assigned task = new Assigned(0, "w1", other.now, Optional.empty());
    other.assigned =
        new Assignments(new TreeMap<>(Map.of("returns", new TreeMap<>(Map.of(1, task)))));
    other.reckon(returns(1, "r", 0, 5));
    other.assigned = Assignments.NONE;
    other.snapshot(2, Map.of("orders", ends("t", 70), "returns", ends("r", 5, 0)));
    other.reckon(pin(0, 1, "t", 70), Scene.of("returns", pin(1, 1, "r", 0)));

    assertThat(other.held()).startsWith("LOST orders-0").contains("[40, 70)");
    assertThat(other.hour()).isLessThan(2);
    other.acknowledgeAll();
    other.reckon();
    assertThat(other.hour()).isEqualTo(2);
  }

  @Test
  void recordsOfTheFormerTopicAreCountedThoughTheyAreReadTogetherWithTheNewOnes() {
    SettledEntry last = batch(0, 2, "t", 10, 20, 0);
    SettledEntry recreated = batch(0, 3, "t2", 0, 5, 1);
    scene.reckon(List.of(recreated), List.of(last, recreated));

    assertThat(scene.ledger.state().topic("orders").counts().landed()).isEqualTo(25);
  }
}
