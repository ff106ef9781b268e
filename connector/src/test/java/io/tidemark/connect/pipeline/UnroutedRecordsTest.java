package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.TestTask.BadRecords;
import io.tidemark.connect.pipeline.TestTask.Limits;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.Routing.RecordNames;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

/** Records for which no rule names a table, by the record's name or by the topic. */
final class UnroutedRecordsTest {
  private static final Schema NEWS =
      SchemaBuilder.record("News").fields().requiredString("key").requiredLong("price").endRecord();
  private static final int NEWS_ID = 2;
  private static final StoragePath NEWS_ROOT = new StoragePath("/topics/news");
  private static final StoragePath OTHER_ROOT = new StoragePath("/topics/other");

  private static final Table QUOTES = TestTask.table("quotes", PartitionSpec.NONE);
  private static final Table OF_NEWS = TestTask.table("news", PartitionSpec.NONE);

  private static final String NO_NAME =
      "records with schema id 2 have no table: record2table.map names no table for records of the"
          + " name News. Add it there, or \"*\" for all other names.";
  private static final String NO_RULE =
      "topic.capture.groups.regex does not match the topic quotes. Name it in topic2table.map.";
  private static final String DEAD_LETTERS_INSTEAD =
      " With behavior.on.unrouted.records=dead-letter such records would be dead letters.";

  private final Quotes quotes = new Quotes();
  private final FakeTopic other = new FakeTopic("other");
  private final List<String> others = new ArrayList<>();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

  @Test
  void recordsWhoseNameHasNoTableAreDeadLettersWhereThatIsSet() throws Exception {
    List<Long> unrouted = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      if (i % 3 == 1) {
        unrouted.add(quotes.topic.produce(0, news("n" + i)));
      } else {
        quotes.produce("q" + i);
      }
    }
    try (TestTask task = task(quotesOnly(true), Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(queue.offsets()).containsExactlyInAnyOrderElementsOf(unrouted);
    assertThat(queue.taken)
        .allMatch(letter -> letter.kind() == RejectedRecord.Kind.UNROUTED)
        .allMatch(letter -> letter.reason().contains(NO_NAME));
    assertThat(counts()).isEqualTo(new RecordCounts(20, 10, 0, 0, 0));
  }

  @Test
  void recordsOfATopicThatNoRuleTakesAreDeadLettersWhereThatIsSet() throws Exception {
    quotes.produce(10);
    produceOther(10);
    try (TestTask task = task(noRule(true), Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.open(other, 0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> task.landed(other, 0));
    }

    assertThat(queue.offsets())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 10).boxed().toList());
    assertThat(queue.taken)
        .allMatch(letter -> letter.kind() == RejectedRecord.Kind.UNROUTED)
        .allMatch(letter -> letter.reason().contains(NO_RULE));
    assertThat(counts()).isEqualTo(new RecordCounts(0, 10, 0, 0, 0));
    assertThat(quotes.keys()).isEmpty();
    assertThat(keys(OTHER_ROOT)).containsExactlyInAnyOrderElementsOf(others);
  }

  @Test
  void nameWithoutATableHoldsItsTopicAloneUntilTheMapNamesOne() throws Exception {
    quotes.produce(20);
    List<String> before = List.copyOf(quotes.produced);
    quotes.topic.produce(0, news("n"));
    quotes.produce(5);
    try (TestTask task = task(quotesOnly(false), Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.open(other, 0);
      holds(task);
      assertThat(task.pipeline.load().pausedBecause())
          .contains("the table (name default.quotes) since ")
          .contains("quotes-0@20: " + NO_NAME + DEAD_LETTERS_INSTEAD);
      produceOther(10);
      task.pollUntil(() -> task.landed(other, 0));
      assertThat(task.landed(0)).isFalse();
      assertThat(task.pipeline.load().health()).isEqualTo(HealthState.REFUSED);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(keys(OTHER_ROOT)).containsExactlyInAnyOrderElementsOf(others);
    assertThat(queue.taken).isEmpty();

    Routing both =
        new RecordNames(
            Map.of("Quote", QUOTES, "News", OF_NEWS), Optional.empty(), "record2table.map", false);
    try (TestTask task = task(both, Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.WORKING);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(keys(NEWS_ROOT)).containsExactly("n");
    assertThat(queue.taken).isEmpty();
  }

  @Test
  void topicThatNoRuleTakesIsHeldAloneUntilOneDoes() throws Exception {
    quotes.produce(10);
    try (TestTask task = task(noRule(false), Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.open(other, 0);
      holds(task);
      assertThat(task.pipeline.load().pausedBecause())
          .contains("the table (name none) since ")
          .contains("quotes-0@0: records with schema id 1 have no table: " + NO_RULE)
          .contains(DEAD_LETTERS_INSTEAD);
      produceOther(10);
      task.pollUntil(() -> task.landed(other, 0));
      assertThat(task.landed(0)).isFalse();
      assertThat(task.pipeline.load().health()).isEqualTo(HealthState.REFUSED);
    }
    assertThat(quotes.keys()).isEmpty();
    assertThat(keys(OTHER_ROOT)).containsExactlyInAnyOrderElementsOf(others);

    try (TestTask task = task(Routing.toOne(QUOTES), Limits.WIDE.holdingTopics())) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.WORKING);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(queue.taken).isEmpty();
  }

  @Test
  void nameWithoutATableStopsItsTaskWhereThatIsSet() throws Exception {
    quotes.produce(5);
    quotes.topic.produce(0, news("n"));
    try (TestTask task = task(quotesOnly(false), Limits.WIDE)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@5: " + NO_NAME + DEAD_LETTERS_INSTEAD)
          .hasMessageContaining("alter its offset of quotes-0 to 6");
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(queue.taken).isEmpty();
  }

  @Test
  void topicThatNoRuleTakesStopsItsTaskWhereThatIsSet() throws Exception {
    quotes.produce(5);
    try (TestTask task = task(noRule(false), Limits.WIDE)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@0: records with schema id 1 have no table: " + NO_RULE)
          .hasMessageContaining(DEAD_LETTERS_INSTEAD);
    }
    assertThat(queue.taken).isEmpty();
  }

  private static Routing quotesOnly(boolean deadLetters) {
    return new RecordNames(
        Map.of("Quote", QUOTES), Optional.empty(), "record2table.map", deadLetters);
  }

  private static Routing noRule(boolean deadLetters) {
    return new Routing.Nowhere(NO_RULE, deadLetters);
  }

  private static void holds(TestTask task) {
    task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
  }

  private static byte[] news(String key) throws IOException {
    return Quotes.framed(NEWS_ID, NEWS, key, 1L);
  }

  private void produceOther(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "o" + others.size();
      other.produce(0, Quotes.framed(Quotes.SCHEMA_ID, Quotes.SCHEMA, key, 1L));
      others.add(key);
    }
  }

  private List<String> keys(StoragePath root) throws IOException {
    return LandedRows.keys(quotes.storage, root);
  }

  private RecordCounts counts() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .map(CommitEntry.Batch::counts)
        .reduce(RecordCounts.NONE, RecordCounts::plus);
  }

  /** There is a dead letter topic: it alone makes no dead letters of records without a table. */
  private TestTask task(Routing routing, Limits limits) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new RoutesTest.TwoSchemas(),
        FramingReader::new,
        topic ->
            topic.equals(other.name)
                ? Routing.toOne(TestTask.table(topic, PartitionSpec.NONE))
                : routing,
        Optional.empty(),
        1_000,
        100,
        new BadRecords(Optional.of(queue), NullValues.FAIL, 100),
        limits,
        Clock.systemUTC());
  }
}
