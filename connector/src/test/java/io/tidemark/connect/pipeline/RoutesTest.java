package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableRoot;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

/** A route to another table than the topic's own. */
class RoutesTest {
  private static final Schema NEWS =
      SchemaBuilder.record("News").fields().requiredString("key").requiredLong("price").endRecord();
  private static final int NEWS_ID = 2;
  private static final StoragePath NEWS_ROOT = new StoragePath("/topics/news");

  private final Quotes quotes = new Quotes();

  @Test
  void oneBatchOfATopicLandsInTheTablesOfItsRecordNames() throws Exception {
    produce(20);
    try (TestTask task = task()) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(LandedRows.keys(quotes.storage, Quotes.ROOT))
        .containsExactlyElementsOf(keys("q", 20));
    assertThat(LandedRows.keys(quotes.storage, NEWS_ROOT)).containsExactlyElementsOf(keys("n", 20));
    List<CommitEntry.Batch> batches = LandedRows.batches(quotes.storage, Quotes.LOG);
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0).tables())
        .extracting(TableRoot::root)
        .containsExactlyInAnyOrder(Quotes.ROOT, NEWS_ROOT);
  }

  @Test
  void nextOwnerRemovesWhatWasStagedInEveryTable() throws Exception {
    produce(3);
    TestTask killed = task();
    killed.open(0);
    killed.pollUntilLanded(0);
    killed.kill();
    assertThat(quotes.storage.list(NEWS_ROOT.child(".staging"))).hasSize(1);
    StoragePath left =
        quotes.storage.list(NEWS_ROOT.child(".staging")).get(0).path().child("left.avro");
    quotes.storage.create(left).close();

    try (TestTask next = task()) {
      next.open(0);
      next.pollUntil(() -> !next.isPaused(0));
    }

    assertThat(quotes.storage.find(left)).isEmpty();
    assertThat(quotes.storage.list(NEWS_ROOT.child(".staging"))).hasSize(1);
    assertThat(LandedRows.staged(quotes.storage, NEWS_ROOT)).isEmpty();
  }

  private void produce(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "q" + i, 1L);
      quotes.produce(NEWS_ID, NEWS, "n" + i, 1L);
    }
  }

  private static List<String> keys(String prefix, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(prefix + i);
    }
    return keys;
  }

  private TestTask task() {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new TwoSchemas(),
        FramingReader::new,
        topic -> new ByRecordName(),
        Optional.empty(),
        1_000,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE,
        Clock.systemUTC());
  }

  private static final class ByRecordName implements Routing {
    private final Table quotes = TestTask.table("quotes", PartitionSpec.NONE);
    private final Table news = TestTask.table("news", PartitionSpec.NONE);

    @Override
    public List<Table> tables() {
      return List.of(quotes, news);
    }

    @Override
    public Routing route(Schema writer) {
      return Routing.toOne(writer.getName().equals("News") ? news : quotes);
    }
  }

  /** Id 2 is the schema News, every other id that of quotes. */
  static final class TwoSchemas implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, id.equals(SchemaId.of(NEWS_ID)) ? NEWS : Quotes.SCHEMA);
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
