package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.log.OperatorConsent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes the fixtures of this build. The connector's own code lands a few records, and is stopped
 * at the moment after which a fixture is named. An object is one scene.
 */
final class LogFixtureScenes {
  private static final int V1 = 1;
  private static final int V2 = 2;
  private static final Map<String, String> UNPARTITIONED = Map.of();
  private static final Map<String, String> BY_VENUE = Map.of("partition.field.name", "venue");
  private static final Map<String, String> BY_HOUR =
      Map.of("path.format", "'dt'=yyyy-MM-dd/'hour'=HH", "timestamp.field", "at");
  private static final Instant MIDNIGHT = Instant.parse("2026-11-21T00:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final FixtureWorld world;
  private final SortedMap<String, List<String>> rows = new TreeMap<>();
  private final List<LogFixture.Later> later = new ArrayList<>();
  private final Map<String, String> settings;
  private int keys;

  private LogFixtureScenes(Map<String, String> settings) {
    SortedMap<Integer, Schema> schemas = new TreeMap<>();
    schemas.put(V1, quote().endRecord());
    schemas.put(V2, quote().optionalLong("price").endRecord());
    this.settings = settings;
    this.world = new FixtureWorld(settings, schemas);
  }

  private static SchemaBuilder.FieldAssembler<Schema> quote() {
    return SchemaBuilder.record("Quote")
        .fields()
        .requiredString("key")
        .requiredString("venue")
        .requiredLong("at");
  }

  /**
   * Plays all scenes.
   *
   * @param directory the beginning of the fixtures' names. Example: {@code log-version-1}
   */
  static List<LogFixture> play(String directory) throws Exception {
    return List.of(
        twoGenerations(directory + "/claims-batches-and-a-skip-in-two-generations"),
        entriesAboveACheckpoint(directory + "/entries-above-a-checkpoint"),
        halfPublishedBatch(directory + "/half-published-batch-above-an-unregistered-one"),
        uncommittedBatch(directory + "/staged-batch-whose-entry-was-not-renamed"),
        droppedHivePartition(directory + "/published-file-that-was-dropped-from-its-table"),
        tableOfTwoSchemaVersions(directory + "/two-level-table-of-two-schema-versions"),
        announcedBatches(directory + "/batch-that-counts-announced-batches"),
        afterAnotherSink(directory + "/log-that-continues-after-another-sink"));
  }

  /** All classes of offsets, a recreated topic, and a skip at the end. */
  private static LogFixture twoGenerations(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(UNPARTITIONED);
    FakeTopic topic = scene.world.topic;
    scene.produce(0, V1, 3);
    topic.produce(0, malformed());
    topic.tombstone(0);
    topic.marker(0);
    scene.produce(0, V1, 2);
    scene.openAndLand(0);

    for (int i = 0; i < 4; i++) {
      topic.produce(0, scene.quote(V1, "expired-" + i, "XETR", 0));
    }
    topic.deleteBefore(0, topic.end(0));
    scene.produce(0, V1, 2);
    scene.openAndLand(0);

    topic.makeAgain("topic-id-2");
    scene.produce(0, V1, 3);
    scene.openAndLand(0);
    for (int i = 0; i < 4; i++) {
      topic.produce(0, scene.quote(V1, "skipped-" + i, "XETR", 0));
    }
    new OperatorSkip(topic, OperatorConsent.NONE, Clock.systemUTC())
        .apply(
            List.of(
                new OperatorSkip.OffsetRequest(
                    new TopicPartition(topic.name, 0),
                    Optional.of(topic.end(0)),
                    scene.world.log(0))));
    scene.produceLater(0, V1, "XETR", 0);
    scene.produceLater(0, V1, "XETR", 0);
    return scene.fixture(name, "claim", "batch", "claim", "batch", "claim", "batch", "skip");
  }

  /** A batch whose records belong to two announced batches, or to none. */
  private static LogFixture announcedBatches(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(UNPARTITIONED);
    FakeTopic topic = scene.world.topic;
    scene.produce(0, V1, 4);
    topic.produce(0, malformed());
    topic.tombstone(0);
    scene.produce(0, V1, 1);
    for (long offset : List.of(0L, 1L, 4L, 5L)) {
      scene.world.batchIds.put(offset, BatchId.of("nightly-21"));
    }
    scene.world.batchIds.put(2L, BatchId.of("nightly-22"));
    scene.openAndLand(0);
    require(
        scene.world.files().values().stream()
            .anyMatch(file -> new String(file, UTF_8).contains("\"nightly-22\"")),
        "an entry counts announced batches");
    scene.produceLater(0, V1, "XETR", 0);
    return scene.fixture(name, "claim", "batch");
  }

  /** Another sink has landed the first records; its file is in the table, and in no entry. */
  private static LogFixture afterAnotherSink(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(BY_VENUE);
    scene.produce(0, V1, 3);
    scene.world.adopt(0, "venue=XETR", scene.rows.getOrDefault("venue=XETR", List.of()));
    scene.produceLater(0, V1, "XETR", 0);
    scene.produceLater(0, V1, "XPAR", 0);
    return scene.fixture(name, "adopted");
  }

  /** A folded log, and a log that only records where it begins. */
  private static LogFixture entriesAboveACheckpoint(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(Map.of("log.retained.entries", "2"));
    try (TestTask task = scene.world.task()) {
      task.open(0, 1);
      for (int batch = 0; batch < 5; batch++) {
        scene.produce(0, V1, 2);
        task.pollUntilLanded(0);
      }
      task.pollUntil(() -> scene.kinds(0).equals(List.of("checkpoint", "batch", "batch")));
      task.pollUntil(() -> scene.kinds(1).equals(List.of("claim", "batch")));
    }
    scene.produceLater(0, V1, "XETR", 0);
    scene.produceLater(1, V1, "XETR", 0);
    return scene.fixture(name, "checkpoint", "batch", "batch");
  }

  /** The task died between the first rename into the table and the second. */
  private static LogFixture halfPublishedBatch(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(BY_VENUE);
    scene.world.catalog.away = true;
    scene.produce(0, V1, "XETR", 0);
    scene.produce(0, V1, "OTC/1", 0);
    TestTask killed = scene.world.task();
    try {
      killed.open(0);
      killed.pollUntilLanded(0);
      killed.pollUntil(() -> scene.published() == 2);

      AtomicInteger renames = new AtomicInteger();
      scene.world.storage.failBefore(
          call -> call.startsWith("rename /topics/quotes/venue=") && renames.incrementAndGet() > 1);
      scene.produce(0, V1, "XETR", 0);
      scene.produce(0, V1, "OTC/1", 0);
      scene.produce(0, V1, "XPAR", 0);
      killed.pollUntilLanded(0);
      killed.pollUntil(() -> renames.get() > 1 && scene.published() == 3);
      require(scene.world.staged() == 2, "two of three files are staged");
      scene.produceLater(0, V1, "XETR", 0);
      scene.produceLater(0, V1, "XLON", 0);
      return scene.fixture(name, "claim", "batch", "batch");
    } finally {
      killed.kill();
    }
  }

  /** The task died before the rename of its entry. */
  private static LogFixture uncommittedBatch(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(UNPARTITIONED);
    scene.produce(0, V1, 2);
    TestTask killed = scene.world.task();
    try {
      killed.open(0);
      killed.pollUntilLanded(0);
      killed.pollUntil(() -> scene.published() == 1);

      AtomicInteger renames = new AtomicInteger();
      scene.world.storage.failBefore(
          call ->
              call.startsWith("delete /logs/quotes/quotes/0/")
                  || (call.startsWith("rename /logs/quotes/quotes/0/")
                      && renames.incrementAndGet() > 0));
      scene.produce(0, V1, 3);
      killed.pollUntil(() -> renames.get() > 0);
      require(scene.world.staged() == 1, "a file is staged");
      scene.produceLater(0, V1, "XETR", 0);
      return scene.fixture(name, "claim", "batch");
    } finally {
      killed.kill();
    }
  }

  /**
   * An operator dropped a Hive partition. Only the empty staging directory of the claim shows that
   * its file had been published.
   */
  private static LogFixture droppedHivePartition(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(BY_VENUE);
    scene.produce(0, V1, "XETR", 0);
    scene.produce(0, V1, "XPAR", 0);
    try (TestTask task = scene.world.task()) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> scene.world.catalog.partitions.equals(scene.rows.keySet()));
    }
    String dropped = "venue=XPAR";
    require(
        scene.world.store.deleteTree(scene.world.table().child(dropped)), dropped + " was there");
    scene.world.catalog.partitions.remove(dropped);
    scene.rows.remove(dropped);
    scene.produceLater(0, V1, "XPAR", 0);
    return scene.fixture(name, "claim", "batch");
  }

  /** A second writer schema widened the table. Everything is registered. */
  private static LogFixture tableOfTwoSchemaVersions(String name) throws Exception {
    LogFixtureScenes scene = new LogFixtureScenes(BY_HOUR);
    try (TestTask task = scene.world.task()) {
      task.open(0, 1);
      scene.produce(0, V1, "XETR", 7);
      scene.produce(0, V1, "XETR", 8);
      scene.produce(1, V1, "XETR", 7);
      task.pollUntilLanded(0, 1);
      scene.produce(0, V2, "XETR", 8);
      scene.produce(0, V2, "XETR", 9);
      task.pollUntilLanded(0, 1);
      task.pollUntil(
          () ->
              scene.world.staged() == 0
                  && scene.world.catalog.partitions.equals(scene.rows.keySet()));
    }
    scene.produceLater(0, V1, "XETR", 9);
    scene.produceLater(1, V2, "XETR", 10);
    return scene.fixture(name, "claim", "batch", "batch");
  }

  private void produce(int partition, int schemaId, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      produce(partition, schemaId, "XETR", 0);
    }
  }

  private void produce(int partition, int schemaId, String venue, int hour) throws IOException {
    String key = nextKey(partition);
    world.topic.produce(partition, quote(schemaId, key, venue, hour));
    rows.computeIfAbsent(hivePartition(venue, hour), place -> new ArrayList<>()).add(key);
  }

  private void produceLater(int partition, int schemaId, String venue, int hour)
      throws IOException {
    String key = nextKey(partition);
    later.add(
        new LogFixture.Later(
            partition,
            Base64.getEncoder().encodeToString(quote(schemaId, key, venue, hour)),
            key,
            hivePartition(venue, hour)));
  }

  private String nextKey(int partition) {
    return partition + "/" + keys++;
  }

  private String hivePartition(String venue, int hour) {
    if (settings.equals(BY_VENUE)) {
      return "venue=" + venue.replace("/", "%2F");
    }
    return settings.equals(BY_HOUR) ? "dt=2026-11-21/hour=%02d".formatted(hour) : "";
  }

  private byte[] quote(int schemaId, String key, String venue, int hour) throws IOException {
    Schema schema = world.schema(schemaId);
    GenericData.Record row = new GenericData.Record(schema);
    row.put("key", key);
    row.put("venue", venue);
    row.put("at", MIDNIGHT.plusSeconds(hour * 3_600L).toEpochMilli());
    if (schemaId == V2) {
      row.put("price", 100L);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(row, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** A record whose text is longer than the record. */
  private static byte[] malformed() {
    return ByteBuffer.allocate(6).put((byte) 0).putInt(V1).put((byte) 100).array();
  }

  private void openAndLand(int partition) {
    try (TestTask task = world.task()) {
      task.open(partition);
      task.pollUntilLanded(partition);
      task.pollUntil(() -> world.staged() == 0);
    }
  }

  /** The types of the entries of a topic-partition's log, in order. */
  private List<String> kinds(int partition) {
    String entries = world.log(partition).directory() + "/0";
    List<String> kinds = new ArrayList<>();
    for (Map.Entry<String, byte[]> file : world.files().entrySet()) {
      if (file.getKey().startsWith(entries)) {
        kinds.add(type(file.getValue()));
      }
    }
    return kinds;
  }

  private static String type(byte[] entry) {
    try {
      return JSON.readTree(entry).path("type").asText();
    } catch (IOException e) {
      throw new AssertionError("an entry is no JSON", e);
    }
  }

  private long published() {
    return world.files().keySet().stream()
        .filter(path -> path.endsWith(".avro") && !path.contains("/.staging/"))
        .count();
  }

  private static void require(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError("not so, the fixture would not be what its name says: " + claim);
    }
  }

  /**
   * Ends the scene.
   *
   * @param kinds the types of the entries that the log of topic-partition 0 must have
   */
  private LogFixture fixture(String name, String... kinds) throws IOException {
    require(kinds(0).equals(List.of(kinds)), "the log has " + List.of(kinds) + ": " + kinds(0));
    return world.fixture(name, rows, later);
  }
}
