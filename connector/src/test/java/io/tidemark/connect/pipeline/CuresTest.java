package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LaterBuild;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.junit.jupiter.api.Test;

/**
 * Cures in the errors of stopped tasks. Each test does only what the cure says. Then the task
 * continues, and each record is in the table once. docs/tests/errors.tsv lists the errors.
 */
final class CuresTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Quotes quotes = new Quotes();

  @Test
  void fileInTheWayIsMovedAwayAndTheTaskRestarted() throws Exception {
    quotes.produce(10);
    landsAll();
    quotes.produce(10);
    String name = "quotes+0+g1+0000000010+0000000019.avro";
    write(Quotes.ROOT.child(name), "somebody else's");
    String error = stops();
    assertThat(error).contains(name + " exists", "Move the file away, then restart the task");

    delete(Quotes.ROOT.child(name));

    landsAll();
  }

  @Test
  void identityOfALogThatIsLostIsWrittenAnewWithTheUuidOfItsTable() throws Exception {
    quotes.produce(10);
    landsAll();
    delete(new StoragePath("/logs/quotes/identity.json"));
    quotes.produce(10);
    Matcher told =
        Pattern.compile("create it again: (\\{.*}) with the uuid from \\.tidemark/logs of its")
            .matcher(stops());
    assertThat(told.find()).isTrue();

    JsonNode owner = JSON.readTree(text(Quotes.ROOT.child(".tidemark/logs/quotes.json")));
    String uuid = owner.findValue("uuid") == null ? "" : owner.findValue("uuid").asText();
    assertThat(uuid).as("%s has it", owner).isNotEmpty();
    write(new StoragePath("/logs/quotes/identity.json"), told.group(1).replace("…", uuid));

    landsAll();
  }

  @Test
  void layoutThatCannotBeReadIsRemovedAndCreatedAgainWithTheContentOfTheNextError()
      throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath layout = Quotes.ROOT.child(".tidemark/layout.json");
    String before = text(layout);
    write(layout, "{");
    quotes.produce(10);
    assertThat(stops()).contains(layout.value(), "remove it and restart the tasks");

    delete(layout);
    Matcher told = Pattern.compile("create it again: (\\{.*\\})\\.").matcher(stops());
    assertThat(told.find()).isTrue();
    write(layout, told.group(1));

    landsAll();
    assertThat(JSON.readTree(text(layout))).isEqualTo(JSON.readTree(before));
  }

  @Test
  void fileOfANewerVersionStopsTheTaskUntilItsCopyIsRestored() throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath listing = new StoragePath("/logs/quotes/+tables/default.quotes.json");
    String before = text(listing);
    String newer = before.replaceFirst("\"version\" *: *\\d+", "\"version\":99");
    assertThat(newer).as("%s has a version", before).isNotEqualTo(before);
    write(listing, newer);
    quotes.produce(10);
    assertThat(stops())
        .contains("has version 99", "Deploy that version or a later one", "restore it from a copy");

    write(listing, before);

    landsAll();
  }

  @Test
  void listingOfATableThatCannotBeReadIsRemovedAndPutAgain() throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath listing = new StoragePath("/logs/quotes/+tables/default.quotes.json");
    String before = text(listing);
    write(listing, "{");
    quotes.produce(10);
    assertThat(stops()).contains(listing.value(), "remove it and restart the tasks");

    delete(listing);

    landsAll();
    assertThat(text(listing)).isEqualTo(before);
  }

  @Test
  void schemaThatCannotBeReadIsTakenFromTheHeaderOfADataFile() throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath schema = Quotes.ROOT.child(".tidemark/schemas/0000000001.avsc");
    write(schema, "{");
    quotes.produce(10);
    assertThat(stops())
        .contains(schema.value(), "has the schema in its header")
        .doesNotContain("To skip it");

    write(schema, schemaOf(dataFile()));

    landsAll();
  }

  @Test
  void schemaThatIsMissingIsTakenFromTheHeaderOfADataFile() throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath schema = Quotes.ROOT.child(".tidemark/schemas/0000000001.avsc");
    delete(schema);
    quotes.produce(10);
    assertThat(stops()).contains(schema.value(), "create it from the header of that file");

    write(schema, schemaOf(dataFile()));

    landsAll();
  }

  @Test
  void publishedFileThatWasReplacedIsMovedAwayToGiveItsRecordsUp() throws Exception {
    quotes.produce(10);
    landsAll();
    StoragePath file = dataFile();
    write(file, "something else");
    quotes.produce(10);
    assertThat(stops()).contains(file.value(), "To discard its records, move the file");

    delete(file);

    quotes.land(quotes.task(100));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced.subList(10, 20));
  }

  @Test
  void tombstonesAreLeftOutOnceTheSettingSaysSo() throws Exception {
    quotes.produce(10);
    quotes.topic.tombstone(0);
    quotes.produce(10);
    assertThat(stops()).contains("Set behavior.on.null.values=ignore or dead-letter");

    quotes.land(quotes.taskThatIgnoresTombstones());

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void damagedRecordsAreDeadLettersOnceThereIsATopicForThem() throws Exception {
    quotes.produce(10);
    damaged();
    quotes.produce(10);
    assertThat(stops()).contains("send such records to a dead letter topic");
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

    quotes.land(task(PartitionSpec.NONE, TestTask.Limits.WIDE, Optional.of(queue)));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(queue.offsets()).containsExactly(10L);
  }

  @Test
  void deadLetterTopicThatRefusedIsPutRightAndTheTaskRestarted() throws Exception {
    quotes.produce(10);
    damaged();
    quotes.produce(10);
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
    queue.refusing = true;
    assertThat(stops(task(PartitionSpec.NONE, TestTask.Limits.WIDE, Optional.of(queue))))
        .contains("The dead letter topic refuses the record as well", "then restart the task");

    queue.refusing = false;

    quotes.land(task(PartitionSpec.NONE, TestTask.Limits.WIDE, Optional.of(queue)));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(queue.offsets()).containsExactly(10L);
  }

  /** The producer of dead letters may see the topic, but may not write to it. */
  @Test
  void deadLetterTopicMayBeWrittenToAndTheTaskIsRestarted() throws Exception {
    quotes.produce(10);
    damaged();
    FakeDeadLetterQueue queue = new FakeDeadLetterQueue();
    queue.unauthorized = true;
    assertThat(stops(task(PartitionSpec.NONE, TestTask.Limits.WIDE, Optional.of(queue))))
        .contains(
            "The dead letter topic refuses the record as well",
            "Allow the principal of the producer.override.* settings, or the worker's if they name none, to WRITE to the dead letter topic, then restart the task");

    queue.unauthorized = false;

    quotes.land(task(PartitionSpec.NONE, TestTask.Limits.WIDE, Optional.of(queue)));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
    assertThat(queue.offsets()).containsExactly(10L);
  }

  @Test
  void timeIsReadFromTheFieldThatHasOneOnceItIsNamed() throws Exception {
    quotes.produce(10);
    assertThat(stops(task(hourly("key"), TestTask.Limits.WIDE, Optional.empty())))
        .contains("is not a date and time in ISO 8601");

    quotes.land(task(hourly("price"), TestTask.Limits.WIDE, Optional.empty()));

    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void topicWhoseTableHasAnotherTopicsNameLandsOnceThatIsDroppedAndForgotten() throws Exception {
    quotes.produce(10);
    FakeCatalog catalog = new FakeCatalog();
    StoragePath log = new StoragePath("/logs/quotes");
    new LogTables(quotes.storage, log)
        .add(
            new TableName("default", "quotes"),
            new TableLayout(new StoragePath("/topics/Quotes")),
            "Quotes");
    try (TestTask task =
        quotes.task(PartitionSpec.NONE, Optional.of(catalog.registrar(quotes.storage)))) {
      task.open(0);
      assertThat(task.reaches(500, () -> task.landed(0))).isFalse();
    }

    delete(log.child("+tables/default.quotes.json"));

    quotes.land(quotes.task(PartitionSpec.NONE, Optional.of(catalog.registrar(quotes.storage))));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void logOfALaterBuildIsRefusedAndOpensWithTheVersionThatTheErrorNames() throws Exception {
    quotes.produce(10);
    landsAll();
    requireFeatureOfALaterBuild();
    quotes.produce(10);

    assertThat(stops())
        .contains("requires the feature \"" + LaterBuild.FEATURE + "\"")
        .contains("Deploy that version or a later one on every worker");
    assertThat(new NumberedLog<>(quotes.storage, Quotes.LOG, LaterBuild.FORMAT).end()).isPresent();
  }

  /** Rewrites the last entry as a later build would have written it. */
  private void requireFeatureOfALaterBuild() throws Exception {
    NumberedEntry<CommitEntry> last = quotes.log().last().orElseThrow();
    ObjectNode entry = (ObjectNode) JSON.readTree(CommitEntry.FORMAT.write(last.entry()));
    ((ObjectNode) entry.path("state")).putArray("requires").add(LaterBuild.FEATURE);
    StoragePath file = Quotes.LOG.child("%020d.json".formatted(last.number()));
    write(file, entry.put("version", 2).toString());
  }

  private static PartitionSpec hourly(String field) {
    return new TimePartitioned(
        PathFormat.parse("'hour'=HH", Locale.ROOT),
        ZoneOffset.UTC,
        Duration.ofHours(1),
        Optional.of(field),
        TimestampField.Unit.MILLIS);
  }

  private String stops() {
    return stops(quotes.task(100));
  }

  private String stops(TestTask task) {
    return String.valueOf(quotes.landOrStop(task).orElseThrow().getMessage());
  }

  private void landsAll() throws IOException {
    quotes.land(quotes.task(100));
    assertThat(quotes.keys()).containsExactlyElementsOf(quotes.produced);
  }

  private void damaged() {
    quotes.topic.produce(0, ByteBuffer.allocate(8).put((byte) 0).putInt(1).put((byte) 100).array());
  }

  private TestTask task(
      PartitionSpec partitioning, TestTask.Limits limits, Optional<DeadLetterQueue> queue) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, partitioning)),
        Optional.empty(),
        100,
        100,
        new TestTask.BadRecords(queue, NullValues.FAIL, 100),
        limits,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }

  private StoragePath dataFile() throws IOException {
    return quotes.storage.list(Quotes.ROOT).stream()
        .filter(file -> !file.directory() && file.path().name().endsWith(".avro"))
        .map(StoredFile::path)
        .findFirst()
        .orElseThrow();
  }

  private String schemaOf(StoragePath file) throws IOException {
    try (InputStream in = quotes.storage.open(file);
        DataFileStream<Object> data = new DataFileStream<>(in, new GenericDatumReader<>())) {
      return data.getSchema().toString();
    }
  }

  private String text(StoragePath path) throws IOException {
    try (InputStream in = quotes.storage.open(path)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private void write(StoragePath path, String text) throws IOException {
    if (quotes.storage.find(path).isPresent()) {
      delete(path);
    }
    try (OutputStream out = quotes.storage.create(path)) {
      out.write(text.getBytes(UTF_8));
    }
  }

  private void delete(StoragePath path) throws IOException {
    assertThat(quotes.storage.delete(path)).isTrue();
  }
}
