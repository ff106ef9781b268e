package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.pipeline.TestTask.BadRecords;
import io.tidemark.connect.pipeline.TestTask.Limits;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaCompatibility;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableOptions;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

/** Records whose schema their table cannot accept, by on.schema.conflict. */
final class SchemaConflictsTest {
  /** The name of the records' schema is not that of the table's. */
  private static final Schema NEWS =
      SchemaBuilder.record("News").fields().requiredString("key").requiredLong("price").endRecord();

  private static final int NEWS_ID = 2;
  private static final StoragePath SECOND_ROOT = new StoragePath("/topics/quotes_other");

  private final Quotes quotes = new Quotes();
  private final List<Long> conflicting = new ArrayList<>();
  private final List<String> conflictingKeys = new ArrayList<>();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

  @Test
  void theyAreDeadLettersAndAllOthersLand() throws Exception {
    produceBoth();
    try (TestTask task = task(Routing.toOne(table("quotes", true)))) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(queue.offsets()).containsExactlyInAnyOrderElementsOf(conflicting);
    assertThat(queue.taken)
        .allMatch(letter -> letter.kind() == RejectedRecord.Kind.SCHEMA_CONFLICT)
        .allMatch(
            letter ->
                letter
                    .reason()
                    .contains("records with schema id 2 cannot land in table default.quotes"));
    assertThat(counts()).isEqualTo(new RecordCounts(20, 10, 0, 0, 0));
  }

  @Test
  void theyLandInASecondTable() throws Exception {
    produceBoth();
    Table first = table("quotes", false);
    try (TestTask task =
        task(
            new Routing.WithConflicts(
                Routing.toOne(first), Map.of(first, table("quotes_other", false))))) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(LandedRows.keys(quotes.storage, SECOND_ROOT))
        .containsExactlyInAnyOrderElementsOf(conflictingKeys);
    assertThat(queue.taken).isEmpty();
    assertThat(counts()).isEqualTo(new RecordCounts(30, 0, 0, 0, 0));
  }

  @Test
  void theyHoldTheTopicByDefault() throws Exception {
    produceBoth();
    try (TestTask task = task(Routing.toOne(table("quotes", false)))) {
      task.open(0);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
    }
    assertThat(queue.taken).isEmpty();
    assertThat(quotes.keys()).containsExactly("q0");
  }

  /** A damaged file of the table is the cause, and not the records. */
  @Test
  void recordsOfATableWithADamagedSchemaAreNoDeadLetters() throws Exception {
    quotes.produce("q0");
    try (TestTask task = task(Routing.toOne(table("quotes", true)))) {
      task.open(0);
      task.pollUntilLanded(0);
    }
    StoragePath schema = new StoragePath("/topics/quotes/.tidemark/schemas/0000000001.avsc");
    quotes.storage.delete(schema);
    try (var out = quotes.storage.create(schema)) {
      out.write('{');
    }
    quotes.produce("q1");
    try (TestTask task = task(Routing.toOne(table("quotes", true)))) {
      task.open(0);
      task.pollUntil(() -> task.pipeline.load().pausedBecause().contains("is not an Avro schema"));
    }
    assertThat(queue.taken).isEmpty();
  }

  private void produceBoth() throws IOException {
    for (int i = 0; i < 30; i++) {
      if (i % 3 == 1) {
        conflictingKeys.add("n" + i);
        conflicting.add(quotes.topic.produce(0, Quotes.framed(NEWS_ID, NEWS, "n" + i, 1L)));
      } else {
        quotes.produce("q" + i);
      }
    }
  }

  private static Table table(String name, boolean deadLetters) {
    Table like = TestTask.table(name, PartitionSpec.NONE);
    return new Table(
        like.name(),
        like.layout(),
        like.partitioning(),
        new TableOptions(
            Optional.empty(),
            true,
            true,
            false,
            true,
            TableOptions.DEFAULT_MAPPING,
            new SchemaRules(SchemaCompatibility.NONE, deadLetters)));
  }

  private RecordCounts counts() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .map(CommitEntry.Batch::counts)
        .reduce(RecordCounts.NONE, RecordCounts::plus);
  }

  private TestTask task(Routing routing) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new RoutesTest.TwoSchemas(),
        FramingReader::new,
        topic -> routing,
        Optional.empty(),
        1_000,
        100,
        new BadRecords(Optional.of(queue), NullValues.FAIL, 100),
        Limits.WIDE.holdingTopics(),
        Clock.systemUTC());
  }
}
