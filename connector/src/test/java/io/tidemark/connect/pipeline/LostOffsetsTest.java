package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LostOffsets;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Offsets without a record that Kafka no longer has at the time of the commit. */
final class LostOffsetsTest {
  private final Quotes quotes = new Quotes();

  @Test
  void markersThatWereReadOverBeforeTheyWereRetainedAwayAreNotLost() throws Exception {
    quotes.produce(2);
    try (TestTask task = endingAt(4)) {
      task.open(0);
      takeIn(task);
      quotes.topic.marker(0);
      quotes.produce(1);
      pollUntilAnswered(quotes.topic, task, 2);
      quotes.topic.deleteBefore(0, 4);
      quotes.produce(1);
      task.pollUntilLanded(0);
    }

    NotLanded notLanded = notLanded().get(0);
    assertThat(notLanded.notDelivered()).hasToString("2");
    assertThat(notLanded.lost()).hasToString("");
    assertThat(quotes.keys()).hasSize(4);
  }

  @Test
  void recordsThatWereRetainedAwayBeforeTheyWereReadAreLostBesideMarkersThatWereRead()
      throws Exception {
    quotes.produce(2);
    quotes.land(endingAt(1_000));
    quotes.produce(5);
    quotes.topic.deleteBefore(0, 5);
    quotes.topic.marker(0);
    quotes.produce(1);
    try (TestTask task = endingAt(4)) {
      task.open(0);
      takeIn(task);
      quotes.topic.deleteBefore(0, 9);
      quotes.produce(1);
      task.pollUntilLanded(0);
    }

    NotLanded notLanded = notLanded().get(1);
    assertThat(notLanded.lost()).hasToString("2-4");
    assertThat(notLanded.notDelivered()).hasToString("7");
  }

  @Test
  void recordsThatAreRetainedAwayWhileKafkaIsNotAskedCountAsLost() throws Exception {
    quotes.produce(1);
    try (TestTask task = endingAt(4)) {
      task.open(0);
      takeIn(task);
      quotes.topic.marker(0);
      quotes.produce(1);
      pollUntilAnswered(quotes.topic, task, 2);
      // In the pause between two requests.
      quotes.topic.marker(0);
      quotes.produce(1);
      takeIn(task);
      quotes.topic.deleteBefore(0, 5);
      quotes.produce(1);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().get(0).notDelivered()).hasToString("1");
    assertThat(notLanded().get(0).lost()).hasToString("3");
  }

  /** A schedule of faults found this case: they counted as not delivered. */
  @Test
  void recordsThatAreRetainedAwayAfterAGapThatKafkaWasAskedAboutAreLost() throws Exception {
    quotes.produce(1);
    try (TestTask task = endingAt(3)) {
      task.open(0);
      takeIn(task);
      quotes.topic.marker(0);
      quotes.topic.marker(0);
      quotes.produce(1);
      takeIn(task); // until it has asked, the record behind the gap waits
      quotes.produce(2);
      quotes.topic.deleteBefore(0, 6);
      quotes.produce(1);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().stream().map(each -> each.lost().toString())).contains("4-5");
    assertThat(notLanded().stream().map(each -> each.notDelivered().toString())).contains("1-2");
  }

  /** A schedule of faults found this case: the task stopped. */
  @Test
  void rangeInWhichKafkaWasAskedStaysOne() {
    OffsetRanges missing = OffsetRanges.of(17, 18, 19, 25);

    LostOffsets.Split whole = LostOffsets.split(missing, new TreeMap<>(Map.of(19L, 0L)), 0);
    assertThat(whole.notDelivered()).hasToString("17-19,25");
    assertThat(whole.lost()).hasToString("");

    LostOffsets.Split retained = LostOffsets.split(missing, new TreeMap<>(Map.of(19L, 18L)), 20);
    assertThat(retained.notDelivered()).hasToString("18,25");
    assertThat(retained.lost()).hasToString("17,19");
  }

  /** A leader of an earlier epoch may still report offsets of that time. */
  @Test
  void answerOfAFormerLeaderProvesNothing() throws Exception {
    quotes.produce(2);
    quotes.land(endingAt(1_000));
    quotes.topic.elect(0);
    FakeTopic former = new FakeTopic("quotes");
    long before = quotes.topic.retainedAsked();
    try (TestTask task = endingAt(4)) {
      task.open(0);
      pollUntilAnswered(quotes.topic, task, before + 1);
      quotes.topic.describeInstead(former);
      quotes.produce(1);
      quotes.topic.deleteBefore(0, 3);
      quotes.produce(1);
      pollUntilAnswered(former, task, 1);
      quotes.topic.describeInstead(quotes.topic);
      quotes.produce(3);
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().get(1).lost()).hasToString("2");
    assertThat(notLanded().get(1).notDelivered()).hasToString("");
  }

  /** Some brokers still name it as the leader: the end offset is another leader's answer. */
  @Test
  void firstOffsetOfADeposedLeaderProvesNothing() throws Exception {
    quotes.produce(2);
    quotes.topic.keepFormerLeader(0);
    quotes.topic.elect(0);
    try (TestTask task = endingAt(4)) {
      task.open(0);
      takeIn(task);
      long before = quotes.topic.retainedAsked();
      retainAwayOne();
      pollUntilAnswered(quotes.topic, task, before + 1);
      retainAwayOne(); // in the pause between two requests
      task.pollUntilLanded(0);
    }

    assertThat(notLanded().get(0).lost()).hasToString("2,4");
    assertThat(notLanded().get(0).notDelivered()).hasToString("");
  }

  /** Retention deletes a record before it is read, and another one follows. */
  private void retainAwayOne() throws Exception {
    quotes.produce(1);
    quotes.topic.deleteBefore(0, quotes.topic.end(0));
    quotes.produce(1);
  }

  /** Kafka's retained offsets are requested when the log is opened, and after a gap. */
  private static void pollUntilAnswered(FakeTopic asked, TestTask task, long questions) {
    task.pollUntil(() -> asked.retainedAsked() >= questions);
    // The answer has not reached the pipeline yet.
    task.reaches(200, () -> false);
  }

  /** Polls until all present records are accepted. Their batch has no end by time. */
  private static void takeIn(TestTask task) {
    task.pollUntil(() -> task.received(0));
    task.reaches(300, () -> false);
  }

  private List<NotLanded> notLanded() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .map(CommitEntry.Batch::notLanded)
        .toList();
  }

  /** A task with batches that end only at this number of records. */
  private TestTask endingAt(long records) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, PartitionSpec.NONE)),
        Optional.empty(),
        records,
        100,
        TestTask.BadRecords.STOP,
        new TestTask.Limits(64 << 20, 100, 1_000, records == 1_000 ? 200 : 600_000),
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }
}
