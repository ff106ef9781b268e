package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.TestTask.BadRecords;
import io.tidemark.connect.pipeline.TestTask.Limits;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

/** A topic is paused while its tables refuse a record, until an operator acts. */
final class HeldTopicTest {
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final Schema SCHEMA = quote("long");
  private static final long LONGEST_PAUSE_MS = 300_000;

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final List<String> produced = new ArrayList<>();
  private Schema second = quote("string");
  private volatile Optional<String> refused = Optional.empty();

  @Test
  void schemaThatItsTableCannotTakeHoldsTheTopicAndWhatCameBeforeLands() throws Exception {
    good(0, 20);
    good(1, 10);
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0, 1);
      task.pollUntilLanded(0, 1);
      topic.produce(0, Quotes.framed(2, second, "bad", "dear"));
      holds(task);
      assertThat(task.pipeline.load().pausedBecause())
          .contains("the table (name default.quotes) since ")
          .contains("quotes-0@20: records with schema id 2 cannot land in table default.quotes")
          .contains("alter its offset of quotes-0 to 21 (PATCH /connectors/quotes/offsets)")
          .endsWith(
              "Meanwhile no topic-partition of the topic is read. The task retries by itself, and"
                  + " at once when it is restarted.");
      assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
      good(1, 10);
      assertThat(task.reaches(300, () -> task.landed(1))).as("the other is read").isFalse();
    }
  }

  /** A registry may refuse an id as malformed, such as a negative one of bytes that are none. */
  @Test
  void idThatTheRegistryRefusesHoldsTheTopicAndNotTheTask() throws Exception {
    second = SCHEMA;
    good(0, 20);
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0);
      refused = Optional.of("rejected the request with code 42201");
      topic.produce(0, Quotes.framed(2, second, "other", 1L));
      produced.add("other");
      holds(task);
      assertThat(task.pipeline.load().pausedBecause())
          .contains(
              "quotes-0@20: records with schema id 2 cannot land in table default.quotes: rejected the request with code 42201")
          .contains("alter its offset of quotes-0 to 21 (PATCH /connectors/quotes/offsets)");
      assertThat(keys()).hasSize(20);

      refused = Optional.empty();
      task.wakeAfter(LONGEST_PAUSE_MS);
      task.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void topicGoesOnOnceItsTableCanTakeTheSchema() throws Exception {
    good(0, 20);
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0, 1);
      topic.produce(0, Quotes.framed(2, SCHEMA, "again", 1L));
      produced.add("again");
      good(0, 5);
      good(1, 5);
      holds(task);
      second = SCHEMA;
      task.wakeAfter(LONGEST_PAUSE_MS);
      task.pollUntilLanded(0, 1);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.WORKING);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void heldTopicIsAskedForAgainLessAndLessOftenAndAppendsNoClaims() throws Exception {
    good(0, 20);
    topic.produce(0, Quotes.framed(2, second, "bad", "dear"));
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0);
      holds(task);
      int entries = entries();
      for (int i = 0; i < 20; i++) {
        task.wakeAfter(LONGEST_PAUSE_MS);
        assertThat(task.reaches(30, () -> false)).isFalse();
      }
      assertThat(task.pipeline.load().health()).isEqualTo(HealthState.REFUSED);
      assertThat(entries()).isEqualTo(entries);
    }
  }

  /** The problem ends when the file is removed, and each record lands once. */
  @Test
  void tableWhoseNextFileHasItsPlaceTakenHoldsTheTopicUntilItIsFree() throws Exception {
    good(0, 20);
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0, 1);
      task.pollUntilLanded(0);
      StoragePath next = ROOT.child("quotes+0+g1+0000000020+0000000039.avro");
      storage.create(next).close();
      good(0, 20);
      holds(task);
      assertThat(task.pipeline.load().pausedBecause()).contains("the place of a file in table");
      good(1, 5);
      assertThat(task.reaches(300, () -> task.landed(1))).as("the other is read").isFalse();
      storage.delete(next);
      task.wakeAfter(LONGEST_PAUSE_MS);
      task.pollUntilLanded(0, 1);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.WORKING);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void topicPartitionThatIsGivenAwayHoldsTheOthersNoLonger() throws Exception {
    topic.produce(0, Quotes.framed(1, SCHEMA, "first", 1L));
    produced.add("first");
    topic.produce(0, Quotes.framed(2, second, "bad", "dear"));
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0, 1);
      holds(task);
      good(1, 5);
      task.pipeline.close(List.of(new TopicPartition("quotes", 0)));
      task.pollUntilLanded(1);
      assertThat(task.pipeline.load().health()).isEqualTo(HealthState.WORKING);
    }
  }

  @Test
  void topicIsHeldUntilARestartIfKafkaHasDeletedTheRefusedRecord() throws Exception {
    good(0, 20);
    topic.produce(0, Quotes.framed(2, second, "bad", "dear"));
    good(0, 5);
    try (TestTask task = task(Limits.WIDE.holdingTopics())) {
      task.open(0);
      holds(task);
      topic.deleteBefore(0, 21);
      task.wakeAfter(LONGEST_PAUSE_MS);
      assertThat(task.reaches(300, () -> task.landed(0))).as("it is read").isFalse();
      assertThat(task.pipeline.load().health()).isEqualTo(HealthState.REFUSED);
    }
    try (TestTask restarted = task(Limits.WIDE.holdingTopics())) {
      restarted.open(0);
      restarted.pollUntilLanded(0);
    }
    assertThat(keys()).containsExactlyInAnyOrderElementsOf(produced);
  }

  @Test
  void topicThatIsRefusedBeyondTheDeadlineFailsItsTask() throws Exception {
    topic.produce(0, Quotes.framed(1, SCHEMA, "first", 1L));
    topic.produce(0, Quotes.framed(2, second, "bad", "dear"));
    try (TestTask task = task(Limits.WIDE.holdingTopics().with(Duration.ofMinutes(1)))) {
      task.open(0);
      holds(task);
      task.wakeAfter(LONGEST_PAUSE_MS);
      assertThatThrownBy(() -> task.pollUntil(() -> false))
          .isInstanceOf(LandingException.class)
          .hasMessageStartingWith(
              "quotes: refused for longer than refusal.deadline.ms=60000 by the table");
    }
  }

  private static void holds(TestTask task) {
    task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
  }

  private TestTask task(Limits limits) {
    return new TestTask(
        topic,
        storage,
        new Schemas(),
        FramingReader::new,
        PartitionSpec.NONE,
        Optional.empty(),
        100,
        100,
        BadRecords.STOP,
        limits);
  }

  private int entries() throws IOException {
    return storage.list(Quotes.LOG).size();
  }

  private List<String> keys() throws IOException {
    return LandedRows.keys(storage, ROOT);
  }

  private void good(int partition, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "k%03d".formatted(produced.size());
      topic.produce(partition, Quotes.framed(1, SCHEMA, key, 1L));
      produced.add(key);
    }
  }

  private static Schema quote(String price) {
    return SchemaBuilder.record("Quote")
        .fields()
        .requiredString("key")
        .name("price")
        .type(price)
        .noDefault()
        .endRecord();
  }

  /** Id 1 has the table's schema. */
  private final class Schemas implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryException {
      if (refused.isPresent() && id.equals(SchemaId.of(2))) {
        throw new RegistryRefusedException(
            refused.get(), 42201, RegistryRefusedException.Reason.INVALID);
      }
      return new RegisteredSchema(id, id.equals(SchemaId.of(1)) ? SCHEMA : second);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
