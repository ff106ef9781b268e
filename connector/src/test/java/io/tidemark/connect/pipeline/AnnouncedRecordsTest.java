package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.Table;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries contain the exact numbers of records of announced batches. */
final class AnnouncedRecordsTest {
  private static final int NEWS_ID = 2;
  private static final int UNKNOWN_ID = 4711;
  private static final Schema NEWS =
      SchemaBuilder.record("News").fields().requiredString("key").requiredLong("price").endRecord();
  private static final Optional<String> QUOTES_TABLE = Optional.of("default.quotes");
  private static final Optional<String> NEWS_TABLE = Optional.of("default.news");

  private final Quotes quotes = new Quotes();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

  /**
   * The task accepts all records long before the interval of the batch ends, even on a slow
   * machine.
   */
  private static final TestTask.Limits ONE_BATCH = new TestTask.Limits(64 << 20, 100, 1_000, 2_000);

  /** The ids of announced batches by offset. Records without an id are missing. */
  private final Map<Long, BatchId> ids = new HashMap<>();

  /** The offsets of records of the second schema. */
  private final Set<Long> news = new HashSet<>();

  @Test
  void entryAndAccountCountRecordsByIdTableAndClass() throws Exception {
    BatchId nightly = BatchId.of("nightly-21");
    BatchId other = BatchId.of("nightly-22");
    for (int i = 0; i < 20; i++) {
      good(nightly);
    }
    malformed(nightly);
    unframed(nightly);
    unknown(other);
    quotes.topic.marker(0);
    tombstone(nightly);
    good(null);
    good(other);
    news(nightly);
    good(BatchId.unusable("the header is empty."));
    tombstone(null);
    malformed(null);

    land(NullValues.IGNORE);

    List<CommitEntry.Batch> batches = LandedRows.batches(quotes.storage, Quotes.LOG);
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0).batchIds())
        .isEqualTo(
            new BatchIdCounts(
                List.of(
                    new BatchIdCount("nightly-21", QUOTES_TABLE, 20, 0, 0),
                    new BatchIdCount("nightly-21", NEWS_TABLE, 1, 0, 0),
                    new BatchIdCount("nightly-21", Optional.empty(), 0, 2, 1),
                    new BatchIdCount("nightly-22", QUOTES_TABLE, 1, 0, 0),
                    new BatchIdCount("nightly-22", Optional.empty(), 0, 1, 0)),
                0));
  }

  @Test
  void tombstonesThatAreDeadLettersCountAsSuch() throws Exception {
    good(BatchId.of("a"));
    tombstone(BatchId.of("a"));

    land(NullValues.DEAD_LETTER);

    assertThat(LandedRows.batches(quotes.storage, Quotes.LOG).get(0).batchIds().counts())
        .containsExactly(
            new BatchIdCount("a", QUOTES_TABLE, 1, 0, 0),
            new BatchIdCount("a", Optional.empty(), 0, 1, 0));
  }

  @Test
  void idsBeyondTheLimitAreMixed() throws Exception {
    for (int i = 0; i < BatchIdCounts.MAX_IDS + 5; i++) {
      good(BatchId.of("batch-" + i));
    }
    good(BatchId.of("batch-7"));

    try (TestTask task = task(NullValues.FAIL, 100_000)) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    long landed = 0;
    for (CommitEntry.Batch batch : LandedRows.batches(quotes.storage, Quotes.LOG)) {
      landed += batch.batchIds().total();
      assertThat(batch.batchIds().mixed())
          .isEqualTo(Math.max(0, distinctIds(batch) - BatchIdCounts.MAX_IDS));
    }
    assertThat(landed).isEqualTo(BatchIdCounts.MAX_IDS + 6);
  }

  @Test
  void recordsWithoutIdsLeaveNoField() throws Exception {
    good(null);
    malformed(null);
    tombstone(null);
    good(BatchId.unusable("the header is empty."));

    land(NullValues.IGNORE);

    assertThat(LandedRows.batches(quotes.storage, Quotes.LOG))
        .singleElement()
        .satisfies(batch -> assertThat(batch.batchIds()).isEqualTo(BatchIdCounts.NONE));
  }

  /**
   * Tasks are killed with open batches, and the group's offset is below the log's. Records are
   * therefore delivered to several tasks.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyEntryCountsWhatItsOffsetsAre(long seed) throws Exception {
    Random random = new Random(seed);
    NullValues nullValues = random.nextBoolean() ? NullValues.IGNORE : NullValues.DEAD_LETTER;
    for (int kill = 0; kill < 3; kill++) {
      produce(random, 300);
      TestTask task = task(nullValues, 40);
      task.open(0);
      long until = quotes.topic.end(0) - random.nextInt(250);
      task.pollUntil(
          () -> task.committedOffsets().values().stream().anyMatch(offset -> offset >= until));
      task.kill();
      quotes.topic.groupOffsets.computeIfPresent(
          new TopicPartition(quotes.topic.name, 0),
          (topicPartition, offset) -> offset - random.nextInt((int) Math.min(offset, 200) + 1));
    }
    produce(random, 100);
    land(nullValues);

    List<CommitEntry.Batch> batches = LandedRows.batches(quotes.storage, Quotes.LOG);
    assertThat(batches).hasSizeGreaterThan(10);
    long next = 0;
    for (CommitEntry.Batch batch : batches) {
      assertThat(batch.range().first()).isEqualTo(next);
      next = batch.range().next();
      assertThat(batch.batchIds().mixed()).isZero();
      assertThat(Set.copyOf(batch.batchIds().counts()))
          .as("seed %s, %s", seed, batch.range())
          .isEqualTo(recount(batch));
    }
  }

  private Set<BatchIdCount> recount(CommitEntry.Batch batch) {
    NotLanded notLanded = batch.notLanded();
    Map<String, Map<Optional<String>, Long>> landed = new TreeMap<>();
    Map<String, long[]> others = new TreeMap<>();
    for (long at = batch.range().first(); at < batch.range().next(); at++) {
      BatchId id = ids.get(at);
      if (id == null || !id.isUsable()) {
        continue;
      }
      if (has(notLanded.deadLettered(), at)) {
        others.computeIfAbsent(id.text(), i -> new long[2])[0]++;
      } else if (has(notLanded.skipped(), at)) {
        others.computeIfAbsent(id.text(), i -> new long[2])[1]++;
      } else {
        assertThat(has(notLanded.notDelivered(), at) || has(notLanded.lost(), at)).isFalse();
        landed
            .computeIfAbsent(id.text(), i -> new HashMap<>())
            .merge(news.contains(at) ? NEWS_TABLE : QUOTES_TABLE, 1L, Long::sum);
      }
    }
    Set<BatchIdCount> counts = new HashSet<>();
    landed.forEach(
        (id, tables) ->
            tables.forEach((table, n) -> counts.add(new BatchIdCount(id, table, n, 0, 0))));
    others.forEach((id, n) -> counts.add(new BatchIdCount(id, Optional.empty(), 0, n[0], n[1])));
    return counts;
  }

  private static boolean has(OffsetRanges ranges, long offset) {
    return ranges.ranges().stream().anyMatch(range -> range.contains(offset));
  }

  private long distinctIds(CommitEntry.Batch batch) {
    Set<String> distinct = new HashSet<>();
    for (long at = batch.range().first(); at < batch.range().next(); at++) {
      distinct.add(Objects.requireNonNull(ids.get(at)).text());
    }
    return distinct.size();
  }

  private void land(NullValues nullValues) {
    try (TestTask task = task(nullValues, 1_000, ONE_BATCH)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private void produce(Random random, int count) throws Exception {
    BatchId id = null;
    for (int i = 0; i < count; i++) {
      if (random.nextInt(5) == 0) {
        id = randomId(random);
      }
      switch (random.nextInt(20)) {
        case 0 -> malformed(id);
        case 1 -> unframed(id);
        case 2 -> unknown(id);
        case 3 -> tombstone(id);
        case 4 -> quotes.topic.marker(0);
        case 5, 6, 7 -> news(id);
        default -> good(id);
      }
    }
  }

  private static @Nullable BatchId randomId(Random random) {
    int drawn = random.nextInt(6);
    return switch (drawn) {
      case 0 -> null;
      case 1 -> BatchId.unusable("the header is empty.");
      default -> BatchId.of("batch-" + drawn);
    };
  }

  private void good(@Nullable BatchId id) throws Exception {
    note(id);
    quotes.produce(1);
  }

  private void news(@Nullable BatchId id) throws Exception {
    note(id);
    news.add(quotes.topic.end(0));
    quotes.produce(NEWS_ID, NEWS, "n" + quotes.topic.end(0), 1L);
  }

  /**
   * Produces a record whose text is longer than the record. The error is found when the record is
   * written.
   */
  private void malformed(@Nullable BatchId id) {
    note(id);
    quotes.topic.produce(0, framed(Quotes.SCHEMA_ID, (byte) 100));
  }

  private void unframed(@Nullable BatchId id) {
    note(id);
    quotes.topic.produce(0, new byte[0]);
  }

  private void unknown(@Nullable BatchId id) {
    note(id);
    quotes.topic.produce(0, framed(UNKNOWN_ID, (byte) 0));
  }

  private void tombstone(@Nullable BatchId id) {
    note(id);
    quotes.topic.tombstone(0);
  }

  /** Keeps the id of the next record. */
  private void note(@Nullable BatchId id) {
    if (id != null) {
      ids.put(quotes.topic.end(0), id);
    }
  }

  private static byte[] framed(int schemaId, byte datum) {
    return ByteBuffer.allocate(6).put((byte) 0).putInt(schemaId).put(datum).array();
  }

  private TestTask task(NullValues nullValues, long batchRecords) {
    return task(nullValues, batchRecords, TestTask.Limits.WIDE);
  }

  private TestTask task(NullValues nullValues, long batchRecords, TestTask.Limits limits) {
    return new TestTask(
            quotes.topic,
            quotes.storage,
            new TwoSchemas(),
            FramingReader::new,
            topic -> new ByRecordName(),
            Optional.empty(),
            Optional.empty(),
            batchRecords,
            100,
            new TestTask.BadRecords(Optional.of(queue), nullValues, 100),
            limits,
            Clock.systemUTC(),
            OperatorConsent.NONE)
        .announcing(offset -> ids.get(offset));
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

  private static final class TwoSchemas implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      if (id.equals(SchemaId.of(UNKNOWN_ID))) {
        throw SchemaNotFoundException.unknown(id, 40403, location());
      }
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
