package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs whose topic gets stale, missing or foreign answers from brokers. */
final class TopicIdentityTest {
  private static final int RETAINED_ENTRIES = 2;
  private static final StoragePath OWNER =
      Quotes.ROOT.child(".tidemark").child("logs").child("quotes.json");

  private final Quotes quotes = new Quotes();

  @Test
  void formerTopicIdAfterACheckpointLandsNothingTwice() throws Exception {
    landTwoLivesOfTheTopicAndFoldTheLog();
    quotes.topic.answerId("former");
    quotes.produce(20);

    quotes.landOrStop(foldingTask());

    assertThat(quotes.keys()).doesNotHaveDuplicates();
  }

  @Test
  void landingGoesOnOnceBrokersAnswerThePresentTopicIdAgain() throws Exception {
    landTwoLivesOfTheTopicAndFoldTheLog();
    quotes.topic.answerId("former");
    quotes.produce(20);

    try (TestTask task = foldingTask()) {
      task.open(0);
      long before = number();
      task.reaches(500, () -> number() > before);
      quotes.topic.answerId("present");
      task.pollUntil(() -> task.landed(0));
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /**
   * Lands a topic and then another one of the same name, until the log has no entry of the first.
   */
  private void landTwoLivesOfTheTopicAndFoldTheLog() throws Exception {
    quotes.topic.answerId("former");
    quotes.produce(50);
    quotes.land(foldingTask());
    quotes.topic.makeAgain("present");
    quotes.topic.groupOffsets.clear();
    try (TestTask task = foldingTask()) {
      task.open(0);
      for (int batch = 0; batch < 12; batch++) {
        quotes.produce(10);
        task.pollUntilLanded(0);
      }
    }
    assertThat(quotes.log().after(quotes.log().checkpoint()))
        .allMatch(entry -> entry.entry().state().generation().topicId().equals("present"));
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** The topic had former lives before the log began, so no entry has their ids. */
  @Test
  void formerTopicIdThatNoLogHasSeenLandsNothingTwice() throws Exception {
    quotes.produce(50);
    quotes.land(quotes.task(10));
    quotes.produce(20);
    quotes.topic.answerByOneBroker(Optional.of("former"));

    try (TestTask task = quotes.task(10)) {
      task.open(0);
      task.reaches(500, () -> task.landed(0));
      quotes.topic.answerByOneBroker(Optional.empty());
      task.pollUntil(() -> task.landed(0));
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void firstClaimTakesNoFormerTopicId() throws Exception {
    quotes.topic.answerByOneBroker(Optional.of("former"));
    quotes.produce(50);

    try (TestTask task = quotes.task(10)) {
      task.open(0);
      task.reaches(500, () -> task.landed(0));
      quotes.topic.answerByOneBroker(Optional.empty());
      quotes.produce(20);
      task.pollUntil(() -> task.landed(0));
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  private TestTask foldingTask() {
    return quotes.task(10, RETAINED_ENTRIES);
  }

  private long number() {
    try {
      return quotes.log().last().orElseThrow().number();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void topicWithoutAnIdIsRefusedAtTheClaimUntilTheBrokersAreUpgraded() throws Exception {
    quotes.topic.answerId(Uuid.ZERO_UUID.toString());
    quotes.produce(50);

    assertThatThrownBy(() -> quotes.land(quotes.task(10)))
        .isInstanceOf(LandingException.class)
        .hasMessageContaining("quotes-0: Kafka has no id for the topic")
        .hasMessageEndingWith("Upgrade the brokers.");
    assertThat(quotes.log().after(0)).isEmpty();

    // After an upgrade, brokers assign an id to each topic.
    quotes.topic.answerId("an-id");
    quotes.land(quotes.task(10));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void offsetsOfAnotherClusterLoseNoRecords() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    for (int i = 0; i < 150; i++) {
      other.produce(0, new byte[0]);
    }
    quotes.topic.describeInstead(other);
    quotes.produce(50);
    quotes.landOrStop(quotes.task(10));
    other.deleteBefore(0, 120);
    quotes.produce(100);

    quotes.landOrStop(quotes.task(10));

    assertThat(LandedRows.batches(quotes.storage, Quotes.LOG))
        .extracting(CommitEntry.Batch::counts)
        .extracting(RecordCounts::lost)
        .allMatch(lost -> lost == 0);
    List<String> landed = quotes.keys();
    assertThat(landed).isEqualTo(quotes.produced.subList(0, landed.size()));
  }

  @Test
  void cureForATableOfAnotherClusterIdLandsNothingTwice() throws Exception {
    quotes.produce(50);
    quotes.land(quotes.task(10));
    quotes.topic.answerCluster("cluster-2");

    Optional<LandingException> refusal = quotes.landOrStop(quotes.task(10));
    assertThat(refusal).isPresent();
    if (String.valueOf(refusal.get().getMessage()).matches("(?s).*(delete|remove) the file.*")) {
      assertThat(quotes.storage.delete(OWNER)).isTrue();
    }
    quotes.landOrStop(quotes.task(10));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** The operator consents while kafka.bootstrap.servers still names the wrong cluster. */
  @Test
  void consentToAnotherClusterCannotBeTakenBackAndItsErrorSaysSo() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    quotes.produce(50);
    quotes.land(quotes.task(10));
    quotes.topic.describeInstead(other);
    LandingException refusal = quotes.landOrStop(quotes.task(10)).orElseThrow();
    assertThat(refusal).hasMessageContaining("This step cannot be undone");

    quotes.produce(50);
    assertThat(quotes.landOrStop(quotes.task(10, Quotes.consentTo(refusal))))
        .as("the records come from another cluster than the one that is asked")
        .isPresent();
    quotes.topic.describeInstead(quotes.topic);
    quotes.landOrStop(quotes.task(10));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(0, 50));
  }

  /** After a failover and a return, the second failover is to a mirror of what has landed. */
  @Test
  void consentToAnotherClusterIsForOneTopicOfThatCluster() throws Exception {
    quotes.produce(3);
    quotes.land(quotes.task(10));
    replaceTopic("cluster-2", "standby");
    quotes.produce(3);
    OperatorConsent there = landByConsent(OperatorConsent.NONE);
    replaceTopic("cluster-1", "made-again");
    quotes.produce(3);
    OperatorConsent thereAndBack = landByConsent(there);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);

    replaceTopic("cluster-2", "mirror");
    for (String key : List.copyOf(quotes.produced.subList(6, 9))) {
      quotes.produce(key);
    }
    assertThat(quotes.landOrStop(quotes.task(10, thereAndBack))).isPresent();
    assertThat(quotes.keys()).doesNotHaveDuplicates();
  }

  private void replaceTopic(String cluster, String id) {
    quotes.topic.answerCluster(cluster);
    quotes.topic.makeAgain(id);
    quotes.topic.groupOffsets.clear();
  }

  /** Lands with the consent that the error requests, and returns it with the {@code earlier}. */
  private OperatorConsent landByConsent(OperatorConsent earlier) throws Exception {
    LandingException refusal = quotes.landOrStop(quotes.task(10, earlier)).orElseThrow();
    Set<UUID> steps = new HashSet<>(earlier.steps());
    steps.addAll(Quotes.consentTo(refusal).steps());
    OperatorConsent all = new OperatorConsent(steps);
    quotes.land(quotes.task(10, all));
    return all;
  }

  @Test
  void clusterThatWasWrongAtTheFirstStartIsNoObstacle() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    quotes.topic.describeInstead(other);
    quotes.produce(50);
    assertThat(quotes.landOrStop(quotes.task(10))).isPresent();

    quotes.topic.describeInstead(quotes.topic);
    quotes.land(quotes.task(10));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** The delivered records are below the first offset of the cluster that is asked. */
  @Test
  void clusterWhoseRecordsBeginLaterIsNoticedByAnEmptyLog() throws Exception {
    try (TestTask task = quotes.task(10)) {
      task.open(0);
      task.reaches(300, () -> false);
    }
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    for (int i = 0; i < 150; i++) {
      other.produce(0, new byte[0]);
    }
    other.deleteBefore(0, 120);
    quotes.topic.describeInstead(other);
    quotes.produce(50);

    try (TestTask task = quotes.task(10)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("the two use different Kafka clusters");
    }
    assertThat(quotes.log().last().orElseThrow().number()).isLessThan(5);

    quotes.topic.describeInstead(quotes.topic);
    quotes.land(quotes.task(10));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /** The first delivered record is above the end of the cluster that is asked. */
  @Test
  void clusterWithoutRecordsIsNoticedByAnEmptyLog() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    quotes.topic.describeInstead(other);
    quotes.topic.marker(0);
    quotes.topic.marker(0);
    quotes.produce(50);

    assertThat(quotes.landOrStop(quotes.task(10)).orElseThrow())
        .hasMessageContaining("the two use different Kafka clusters");
    assertThat(quotes.log().last().orElseThrow().number()).isLessThan(5);

    quotes.topic.describeInstead(quotes.topic);
    quotes.land(quotes.task(10));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  /**
   * Records that {@code auto.offset.reset=latest} skipped remain skipped: the log was meant to
   * begin after them.
   */
  @Test
  void logBeginsWhereItWasToBeginOnceItsClusterIsNamedAgain() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    quotes.produce(22);
    try (TestTask task = quotes.task(10)) {
      task.resettingToLatest();
      task.open(0);
      task.reaches(3_000, () -> begins(22));
    }
    assertThat(quotes.next()).isEqualTo(22);
    quotes.topic.describeInstead(other);
    assertThat(quotes.landOrStop(quotes.task(10))).isPresent();
    assertThat(quotes.log().last().orElseThrow().entry().state().generation().clusterId())
        .isEqualTo("cluster-2");

    quotes.topic.describeInstead(quotes.topic);
    quotes.produce(10);
    quotes.land(quotes.task(10));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(22, 32));
  }

  private boolean begins(long offset) {
    try {
      return quotes.log().last().filter(last -> last.entry().state().next() == offset).isPresent();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** While the wrong cluster is configured, the topic of the right one is deleted and recreated. */
  @Test
  void groupOffsetOfAnEarlierLifeIsNoBeginningOnceTheClusterIsCorrected() throws Exception {
    FakeTopic other = new FakeTopic("quotes");
    other.answerCluster("cluster-2");
    quotes.topic.describeInstead(other);
    quotes.produce(30);
    quotes.topic.deleteBefore(0, 8);
    assertThatThrownBy(() -> quotes.land(quotes.task(10))).isInstanceOf(LandingException.class);
    assertThat(quotes.topic.groupOffsets).containsValue(8L);
    quotes.topic.makeAgain("made-again");
    quotes.produce(20);

    quotes.topic.describeInstead(quotes.topic);
    quotes.land(quotes.task(10));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(30, 50));
  }

  /** The first claim waits for the store; meanwhile the topic is deleted and recreated. */
  @Test
  void positionOfAnEarlierLifeIsNoBeginningOfALog() throws Exception {
    quotes.produce(30);
    quotes.topic.groupOffsets.put(new TopicPartition("quotes", 0), 8L);
    AtomicBoolean away = new AtomicBoolean(true);
    AtomicInteger refused = new AtomicInteger();
    FaultyStorage storage = new FaultyStorage(quotes.storage);
    storage.failBefore(call -> away.get() && refused.incrementAndGet() > 0);
    try (TestTask task =
        new TestTask(
            quotes.topic,
            storage,
            new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
            PartitionSpec.NONE,
            Optional.empty(),
            10,
            100)) {
      task.open(0);
      task.pollUntil(() -> refused.get() > 3);
      quotes.topic.makeAgain("made-again");
      quotes.produce(20);
      away.set(false);
      task.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(30, 50));
  }

  /**
   * The group's offset belongs to records that an unclean leader election truncated, and no record
   * follows.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupBehindKafkasEndIsNoBeginningOfALogAndNoRecordNeedsToSaySo(boolean resetToLatest)
      throws Exception {
    quotes.produce(20);
    quotes.topic.groupOffsets.put(new TopicPartition("quotes", 0), 30L);
    TestTask anyTask = quotes.task(10);
    try (TestTask task = resetToLatest ? anyTask.resettingToLatest() : anyTask) {
      task.open(0);
      task.pollUntil(() -> landed() == 20);
    }

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  private int landed() {
    try {
      return quotes.keys().size();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The process was suspended when the framework was about to commit offsets. */
  @Test
  void clusterIsProvedByAProcessThatWasSuspended() throws Exception {
    quotes.produce(20);
    try (TestTask task = quotes.task(10)) {
      task.holdOffsetsBack(true);
      task.open(0);
      task.pollUntil(() -> task.delivered() >= 20);
      task.reaches(100, () -> false);
      task.wakeAfter(600_000);
      task.reaches(100, () -> false);
      task.holdOffsetsBack(false);
      task.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }
}
