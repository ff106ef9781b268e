package io.tidemark.connect.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableSchemas;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/**
 * Kafka, a store, a registry and a catalog in memory. A fixture is written from them or opened over
 * them. Used by one thread, except for the threads of its tasks.
 */
final class FixtureWorld {
  private static final String TOPIC = "quotes";
  private static final String LOG_ID = "quotes";
  private static final int BATCH_RECORDS = 1_000;
  private static final long BATCH_INTERVAL_MS = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  final FakeTopic topic;
  final MemoryStorage store;
  final FaultyStorage storage;
  final Catalog catalog = new Catalog();
  final Map<Long, BatchId> batchIds = new HashMap<>();
  final FakeDeadLetterQueue deadLetters = new FakeDeadLetterQueue();
  private final SortedMap<String, String> settings;
  private final SortedMap<Integer, Schema> schemas;

  /** An empty store, and a topic without records. */
  FixtureWorld(Map<String, String> settings, SortedMap<Integer, Schema> schemas) {
    this(settings, schemas, new FakeTopic(TOPIC), new MemoryStorage());
  }

  private FixtureWorld(
      Map<String, String> settings,
      SortedMap<Integer, Schema> schemas,
      FakeTopic topic,
      MemoryStorage store) {
    this.settings = new TreeMap<>(settings);
    this.schemas = schemas;
    this.topic = topic;
    this.store = store;
    this.storage = new FaultyStorage(store);
  }

  /** The world from which a fixture was written. */
  static FixtureWorld of(LogFixture fixture) throws IOException {
    LogFixture.Description description = fixture.description();
    SortedMap<Integer, Schema> schemas = new TreeMap<>();
    description
        .schemas()
        .forEach((id, schema) -> schemas.put(id, new Schema.Parser().parse(schema.toString())));
    FixtureWorld world =
        new FixtureWorld(
            description.settings(), schemas, topicOf(description.kafka()), fixture.store());
    world.catalog.partitions.addAll(description.registered());
    return world;
  }

  private static FakeTopic topicOf(LogFixture.Kafka kafka) {
    FakeTopic topic = new FakeTopic(kafka.topic());
    topic.makeAgain(kafka.topicId());
    if (!topic.identity().clusterId().equals(kafka.clusterId())) {
      throw new IllegalStateException("tests have no cluster " + kafka.clusterId());
    }
    kafka
        .partitions()
        .forEach(
            (number, partition) -> {
              for (LogFixture.Fetched fetched : partition.records()) {
                markersUpTo(topic, number, fetched.offset());
                if (fetched.value() == null) {
                  topic.tombstone(number);
                } else {
                  topic.produce(number, Base64.getDecoder().decode(fetched.value()));
                }
              }
              markersUpTo(topic, number, partition.end());
              topic.deleteBefore(number, partition.earliest());
              if (partition.groupOffset() != null) {
                topic.groupOffsets.put(
                    new TopicPartition(kafka.topic(), number), partition.groupOffset());
              }
            });
    return topic;
  }

  private static void markersUpTo(FakeTopic topic, int partition, long offset) {
    while (topic.end(partition) < offset) {
      topic.marker(partition);
    }
  }

  /** A fixture of the present state. */
  LogFixture fixture(
      String name, SortedMap<String, List<String>> rows, List<LogFixture.Later> later)
      throws IOException {
    SortedMap<Integer, JsonNode> schemasAsJson = new TreeMap<>();
    for (Map.Entry<Integer, Schema> schema : schemas.entrySet()) {
      schemasAsJson.put(schema.getKey(), JSON.readTree(schema.getValue().toString()));
    }
    Set<Integer> partitions = new TreeSet<>();
    later.forEach(record -> partitions.add(record.partition()));
    LogFixture.StoreContents contents = LogFixture.StoreContents.of(store);
    return new LogFixture(
        name,
        new LogFixture.Description(
            settings,
            schemasAsJson,
            kafka(partitions),
            contents.emptyDirectories(),
            List.copyOf(catalog.partitions),
            rows,
            later),
        contents.files());
  }

  private LogFixture.Kafka kafka(Set<Integer> partitions) {
    SortedMap<Integer, LogFixture.TopicPartitionContents> contents = new TreeMap<>();
    for (int partition : partitions) {
      TopicPartition topicPartition = new TopicPartition(topic.name, partition);
      List<LogFixture.Fetched> records = new ArrayList<>();
      for (FakeTopic.Fetched fetched : topic.fetch(partition, 0, Integer.MAX_VALUE)) {
        records.add(
            new LogFixture.Fetched(
                fetched.offset(),
                fetched.value().map(Base64.getEncoder()::encodeToString).orElse(null)));
      }
      contents.put(
          partition,
          new LogFixture.TopicPartitionContents(
              topic.earliest(partition),
              topic.end(partition),
              topic.groupOffsets.get(topicPartition),
              records));
    }
    return new LogFixture.Kafka(
        topic.name, topic.identity().clusterId(), topic.identity().topicId(), contents);
  }

  /** A task with these settings and a dead letter queue. */
  TestTask task() {
    return new TestTask(
            topic,
            storage,
            new Registry(schemas),
            FramingReader::new,
            partitioning(),
            Optional.of(
                new Registrar(storage, catalog, table -> Map.of(), MonotonicClock.system())),
            BATCH_RECORDS,
            retainedEntries(),
            new TestTask.BadRecords(Optional.of(deadLetters), NullValues.IGNORE, 100),
            new TestTask.Limits(64 << 20, 100, 1_000, BATCH_INTERVAL_MS))
        .announcing(offset -> batchIds.get(offset));
  }

  private PartitionSpec partitioning() {
    String fields = settings.get("partition.field.name");
    if (fields != null) {
      return FieldPartitioned.parse(fields);
    }
    String pathFormat = settings.get("path.format");
    return pathFormat == null
        ? PartitionSpec.NONE
        : new TimePartitioned(
            PathFormat.parse(pathFormat, Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofHours(1),
            Optional.ofNullable(settings.get("timestamp.field")),
            TimestampField.Unit.MILLIS);
  }

  Schema schema(int id) {
    return Objects.requireNonNull(schemas.get(id));
  }

  CommitLog log(int partition) {
    return CommitLog.of(store, TestTask.LOGS, LOG_ID, new TopicPartition(topic.name, partition));
  }

  /**
   * Writes what {@code tidemark adopt} writes for a topic-partition whose records so far are in a
   * file of another sink, below the table's root.
   */
  void adopt(int partition, String hivePartition, List<String> keys) throws Exception {
    TableLayout table = new TableLayout(table());
    StoragePath directory = table.root().child(hivePartition);
    store.makeDirectories(directory);
    Schema schema = schema(1);
    try (DataFileWriter<GenericRecord> file =
        new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(schema))) {
      file.create(
          schema,
          store.create(
              directory.child(
                  "%s+%d+%010d+%010d.avro".formatted(TOPIC, partition, 0, keys.size() - 1))));
      for (String key : keys) {
        GenericRecord row = new GenericData.Record(schema);
        row.put("key", key);
        row.put("venue", "XETR");
        row.put("at", 0L);
        file.append(row);
      }
    }
    StoragePath logs = TestTask.LOGS.child(LOG_ID);
    new LogOwner(LOG_ID, LOG_ID).establish(store, logs);
    new TableSchemas(store, table).evolve(schema, next -> {});
    new LayoutFile(store, table).put(RecordedLayout.of(partitioning()));
    CommitLog log = log(partition);
    log.create();
    log.append(
        1,
        new CommitEntry.Adopted(
            new UUID(0, 1),
            Optional.empty(),
            LogState.adopted(topic.identity(), topic.end(partition)),
            Instant.parse("2026-11-30T00:00:00Z"),
            "old-quotes",
            Instant.parse("2026-12-01T00:00:00Z")));
  }

  /**
   * True if no entry of a log still has to be folded. A task that is closed before that may leave a
   * temporary checkpoint, which the next claim deletes.
   */
  boolean folded(int partition) {
    try {
      CommitLog log = log(partition);
      return log.last().orElseThrow().number() - log.checkpoint() < 2L * retainedEntries();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private int retainedEntries() {
    return Integer.parseInt(settings.getOrDefault("log.retained.entries", "100"));
  }

  /** The number of staged files, committed or not. */
  long staged() {
    return files().keySet().stream()
        .filter(path -> path.contains("/.staging/") && !path.contains("/published+"))
        .count();
  }

  /** The files of the store by their paths. */
  SortedMap<String, byte[]> files() {
    while (true) {
      try {
        return LogFixture.StoreContents.of(store).files();
      } catch (NoSuchFileException e) {
        Thread.onSpinWait(); // A file was renamed or deleted after it was listed.
      } catch (IOException e) {
        throw new AssertionError("the store in memory cannot be read", e);
      }
    }
  }

  /** The root of the topic's table. */
  StoragePath table() {
    return TestTask.TOPICS.child(topic.name);
  }

  private record Registry(SortedMap<Integer, Schema> schemas) implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      if (id instanceof SchemaId.Int32 number && schemas.containsKey(number.value())) {
        return new RegisteredSchema(id, Objects.requireNonNull(schemas.get(number.value())));
      }
      throw SchemaNotFoundException.unknown(id, 40403, location());
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }

  /**
   * Records the Hive partitions of the table, and can be unavailable. Safe for use by many threads.
   */
  static final class Catalog implements TableCatalog {
    final Set<String> partitions = new ConcurrentSkipListSet<>();
    volatile boolean away;

    @Override
    public boolean exists(TableName table) throws CatalogUnavailableException {
      requireThere();
      return true;
    }

    @Override
    public Set<HivePartition> partitions(TableName table) throws CatalogUnavailableException {
      requireThere();
      return partitions.stream().map(HivePartition::parse).collect(Collectors.toSet());
    }

    @Override
    public void registerTable(TableDefinition table) throws CatalogUnavailableException {
      requireThere();
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> added) throws CatalogUnavailableException {
      requireThere();
      added.forEach(partition -> partitions.add(partition.path()));
      return List.of();
    }

    @Override
    public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions) {}

    @Override
    public void relocatePartition(
        TableDefinition table, HivePartition partition, String location) {}

    private void requireThere() throws CatalogUnavailableException {
      if (away) {
        throw new CatalogUnavailableException("away", new IllegalStateException("away"));
      }
    }

    @Override
    public void close() {}
  }
}
