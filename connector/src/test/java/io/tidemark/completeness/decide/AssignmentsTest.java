package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.decide.Assignments.Report;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When an assignment begins and ends, with accounts that are late, repeated or out of order. */
class AssignmentsTest {
  private static final Instant SEVEN = Instant.parse("2026-11-21T07:00:00Z");
  private static final Map<String, List<Integer>> EU = Map.of("orders-eu", List.of(0));
  private static final Map<String, List<Integer>> NOTHING = Map.of();

  private final List<Report> reports = new ArrayList<>();
  private LedgerState state = LedgerState.initial();

  private void account(int task, int minutes, Map<String, List<Integer>> assigned) {
    reports.add(
        new Report(
            at(minutes),
            new Account("sales", task, "4711@w2", new TreeMap<>(assigned), List.of(), List.of())));
  }

  private static Instant at(int minutes) {
    return SEVEN.plus(Duration.ofMinutes(minutes));
  }

  /** Records what the accounts say, as an entry of the ledger does, and keeps the accounts. */
  private Assignments after(int minutes) {
    Assignments found = Assignments.after(state, reports, Optional.of(at(minutes)));
    TreeMap<String, TopicState> topics = new TreeMap<>();
    found
        .byTopic()
        .forEach(
            (name, each) ->
                topics.put(name, state.topic(name).with(draft -> draft.assigned = each)));
    state = state.with(draft -> draft.topics = topics);
    return found;
  }

  @Test
  void topicPartitionHasNoTaskForAWhileInARebalance() {
    account(0, 0, EU);
    account(0, 1, NOTHING);
    assertThat(after(120).topics()).containsExactly("orders-eu");
    assertThat(after(122).topics()).isEmpty();
  }

  @Test
  void taskThatTakesOverKeepsTheAssignment() {
    account(0, 0, EU);
    account(0, 1, NOTHING);
    account(1, 10, EU);
    assertThat(after(600).topics()).as("the second task may be dead").containsExactly("orders-eu");
    account(1, 610, NOTHING);
    account(0, 620, NOTHING);
    assertThat(after(700).topics()).containsExactly("orders-eu");
    assertThat(after(731).topics()).isEmpty();
  }

  /** A task that was replaced wakes, puts an account, and then learns that it has nothing. */
  @Test
  void lateAccountOfAReplacedTaskDoesNotEndTheAssignment() {
    account(1, 0, EU);
    account(2, 5, EU);
    account(2, 6, NOTHING);
    assertThat(after(65).topics()).containsExactly("orders-eu");
    account(1, 60, EU);
    account(1, 120, EU);
    assertThat(after(180).topics()).containsExactly("orders-eu");
  }

  @Test
  void accountThatIsReadAgainDoesNotExtendTheAssignment() {
    account(0, 0, EU);
    account(0, 1, NOTHING);
    account(0, 0, EU);
    assertThat(after(60).topics()).containsExactly("orders-eu");
    assertThat(after(122).topics()).isEmpty();
  }

  @Test
  void withoutAKnownTimeNothingEnds() {
    account(0, 0, EU);
    account(0, 1, NOTHING);

    assertThat(Assignments.after(state, reports, Optional.empty()).topics()).hasSize(1);
  }

  @Test
  void topicPartitionsOfSnapshotsAreNotNoted() {
    state =
        state.with(
            draft ->
                draft.topics =
                    new TreeMap<>(Map.of("orders", TopicState.unknown().with(this::two))));
    account(0, 0, Map.of("orders", List.of(0, 1, 2)));

    assertThat(after(1).of("orders")).containsOnlyKeys(2);
  }

  private void two(TopicState.Draft draft) {
    draft.topicId = "t";
    draft.topicPartitions = 2;
  }

  @Test
  void assignmentEndsInASnapshotThatHasTheTopicPartition() {
    topicPartitionsOfSnapshotsAreNotNoted();
    LedgerState noted =
        state.with(
            draft -> {
              TopicState topic = state.topic("orders").with(this::two);
              draft.topics = new TreeMap<>(Map.of("orders", topic));
            });
    Ledger ledger = new Ledger(1, noted, new TreeMap<>(), new TreeMap<>());

    assertThat(entry(ledger, snapshot(10L, 10L)).state().topic("orders").assigned())
        .containsOnlyKeys(2);
    assertThat(entry(ledger, snapshot(10L, 10L, 5L)).state().topic("orders").assigned()).isEmpty();
  }

  /** It may have been taken while the topic-partition already had records. */
  @Test
  void snapshotThatLacksATopicPartitionOfALaterOneIsNotCovered() {
    Scene scene = new Scene();
    scene.snapshot(1, "t", 10);
    scene.snapshot(2, "t", 10, 5);
    scene.reckon(Scene.batch(0, 1, "t", 0, 10, 0));
    assertThat(scene.hour()).isEqualTo(-1);
    assertThat(scene.held()).startsWith("NOT_OPENED orders-1");

    scene.reckon(Scene.batch(1, 1, "t", 0, 5, 0));
    assertThat(scene.hour()).isEqualTo(2);
  }

  private static Snapshot snapshot(Long... ends) {
    return new Snapshot(
        SEVEN,
        SEVEN,
        "cluster",
        new TreeMap<>(
            Map.of("orders", new TopicEnds("t", List.of(ends), Collections.emptySortedMap()))));
  }

  private static LedgerEntry.SnapshotTaken entry(Ledger ledger, Snapshot snapshot) {
    return Snapshots.entry(ledger, snapshot, Map.of(), UUID.randomUUID(), SEVEN);
  }
}
