package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableSchemas;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

/** Routing by the value of a field. */
class FieldRoutesTest {
  private static final StoragePath EU = new StoragePath("/topics/eu");
  private static final StoragePath US = new StoragePath("/topics/us");
  private static final StoragePath REST = new StoragePath("/topics/rest");

  /** The first schema with one more field. */
  private static final Schema SECOND =
      SchemaBuilder.record(Quotes.SCHEMA.getFullName())
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .optionalString("venue")
          .endRecord();

  private static final int SECOND_ID = 2;

  /** On a slow machine, too, the records of a test are one batch. */
  private static final TestTask.Limits LONG_BATCHES =
      new TestTask.Limits(64 << 20, 100, 1_000, 1_500);

  private final Quotes quotes = new Quotes();
  private final Map<SchemaId, Schema> schemas =
      new HashMap<>(
          Map.of(SchemaId.of(Quotes.SCHEMA_ID), Quotes.SCHEMA, SchemaId.of(SECOND_ID), SECOND));

  @Test
  void eachRecordLandsInTheTableOfItsValue() throws Exception {
    Map<StoragePath, List<String>> expected = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      long price = i * 7L % 5;
      quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "k" + i, price);
      StoragePath root = price == 1 ? EU : price == 2 ? US : REST;
      expected.computeIfAbsent(root, each -> new ArrayList<>()).add("k" + i);
    }
    try (TestTask task = task(true, TestTask.BadRecords.STOP)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    for (StoragePath root : List.of(EU, US, REST)) {
      assertThat(LandedRows.keys(quotes.storage, root))
          .containsExactlyElementsOf(expected.get(root));
    }
    List<CommitEntry.Batch> batches = LandedRows.batches(quotes.storage, Quotes.LOG);
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0).tables()).hasSize(3);
  }

  /**
   * The two schemas reached the tables in different orders. One table therefore has its fields in
   * another order.
   */
  @Test
  void tableWithAnotherSchemaThanTheFirstHasItsRecordsAllTheSame() throws Exception {
    Schema turned =
        SchemaBuilder.record(Quotes.SCHEMA.getFullName())
            .fields()
            .optionalString("venue")
            .requiredLong("price")
            .requiredString("key")
            .endRecord();
    for (Table table : routing(true).tables()) {
      if (!table.layout().root().equals(EU)) {
        new TableSchemas(quotes.storage, table.layout()).evolve(turned, next -> {});
      }
    }
    for (int i = 0; i < 200; i++) {
      boolean second = i % 3 == 0;
      quotes.produce(
          second ? SECOND_ID : Quotes.SCHEMA_ID,
          second ? SECOND : Quotes.SCHEMA,
          "k" + i,
          i % 3 + 1L);
    }
    try (TestTask task = task(true, TestTask.BadRecords.STOP)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(quotes.storage, EU))
        .hasSize(67)
        .allMatch(key -> number(key) % 3 == 0);
    assertThat(LandedRows.keys(quotes.storage, US))
        .hasSize(67)
        .allMatch(key -> number(key) % 3 == 1);
    assertThat(LandedRows.keys(quotes.storage, REST))
        .hasSize(66)
        .allMatch(key -> number(key) % 3 == 2);
  }

  @Test
  void recordWithoutATableIsADeadLetterWhereThatIsSet() throws Exception {
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
    for (int i = 0; i < 30; i++) {
      quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "k" + i, i % 3 + 1L);
    }
    try (TestTask task = task(false, badRecords(queue), true)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(quotes.storage, EU)).hasSize(10);
    assertThat(LandedRows.keys(quotes.storage, US)).hasSize(10);
    assertThat(reasons(queue))
        .hasSize(10)
        .allMatch(
            reason ->
                reason.contains("the field price is \"3\"")
                    && reason.contains("field2table.map names no table for it"));
    CommitEntry.Batch batch = LandedRows.batches(quotes.storage, Quotes.LOG).get(0);
    assertThat(batch.counts().landed()).isEqualTo(20);
    assertThat(batch.counts().deadLettered()).isEqualTo(10);
  }

  /**
   * With a dead letter topic alone these records do not become dead letters. The records before
   * them land.
   */
  @Test
  void recordWithoutATableIsRefusedElse() throws Exception {
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
    for (int i = 0; i < 8; i++) {
      quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "k" + i, i == 5 ? 3L : 1L);
    }
    try (TestTask task = task(false, badRecords(queue), false)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@5: the field price is \"3\"")
          .hasMessageContaining("Add it there, or \"*\" for all other values");
    }

    assertThat(LandedRows.keys(quotes.storage, EU)).containsExactly("k0", "k1", "k2", "k3", "k4");
    assertThat(reasons(queue)).isEmpty();
  }

  private static List<String> reasons(FakeDeadLetterQueue queue) {
    return queue.taken.stream().map(RejectedRecord::reason).toList();
  }

  private static TestTask.BadRecords badRecords(FakeDeadLetterQueue queue) {
    return new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 100);
  }

  @Test
  void recordsLandOnceTheKeyNamesAFieldThatTheyHave() throws Exception {
    quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "k0", 1L);
    try (TestTask task = task(topic -> routing("prize", true, false), TestTask.BadRecords.STOP)) {
      task.open(0);
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOf(LandingException.class)
          .hasMessageContaining("quotes-0@0")
          .hasMessageContaining("field2table.field=prize cannot be used to choose tables")
          .hasMessageContaining("Correct the key, or let a record that has the field come first");
    }
    try (TestTask task = task(true, TestTask.BadRecords.STOP)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(quotes.storage, EU)).containsExactly("k0");
  }

  private static int number(String key) {
    return Integer.parseInt(key.substring(1));
  }

  private static FieldValues routing(boolean others) {
    return routing(others, false);
  }

  private static FieldValues routing(boolean others, boolean deadLetters) {
    return routing("price", others, deadLetters);
  }

  private static FieldValues routing(String field, boolean others, boolean deadLetters) {
    return new FieldValues(
        field,
        Map.of(
            "1", TestTask.table("eu", PartitionSpec.NONE),
            "2", TestTask.table("us", PartitionSpec.NONE)),
        others ? Optional.of(TestTask.table("rest", PartitionSpec.NONE)) : Optional.empty(),
        "field2table.field",
        "field2table.map",
        deadLetters);
  }

  private TestTask task(boolean others, TestTask.BadRecords badRecords) {
    return task(others, badRecords, false);
  }

  private TestTask task(boolean others, TestTask.BadRecords badRecords, boolean deadLetters) {
    return task(topic -> routing(others, deadLetters), badRecords);
  }

  private TestTask task(Function<String, Routing> routings, TestTask.BadRecords badRecords) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new Registry(),
        FramingReader::new,
        routings,
        Optional.empty(),
        1_000,
        100,
        badRecords,
        LONG_BATCHES,
        Clock.systemUTC());
  }

  private final class Registry implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, Objects.requireNonNull(schemas.get(id)));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
