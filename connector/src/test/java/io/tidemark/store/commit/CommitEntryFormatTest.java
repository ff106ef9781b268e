package io.tidemark.store.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The evolution of the entry format: docs/PROTOCOL.md, "Evolution of the format". */
class CommitEntryFormatTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonFormat<CommitEntry> FORMAT = CommitEntry.FORMAT;
  private static final String PLACE = "hdfs://nn/logs/quotes/quotes/3/00000000000000000002.json";

  private static final String BATCH =
      """
      {"version": 1, "type": "batch", "attempt": "8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c",
       "before": "6a0c2f5e-0b1f-4c53-9d0a-2a2f7c3f6f10",
       "state": {"generation": {"number": 1, "clusterId": "c", "topicId": "t"}, "first": 0, "next": 3,
         "counts": {"landed": 3, "deadLettered": 0, "skipped": 0, "notDelivered": 0, "lost": 0},
         "publishedThrough": 1, "registeredThrough": 1, "leaderEpoch": -1, "former": [],
         "requires": []},
       "writtenAt": "2026-11-21T10:22:27Z", "claim": "72307dd4-6d4e-4edb-963a-345535b9b4b9",
       "range": {"first": 0, "next": 3},
       "counts": {"landed": 3, "deadLettered": 0, "skipped": 0, "notDelivered": 0, "lost": 0},
       "notLanded": {"deadLettered": "", "skipped": "", "notDelivered": "", "lost": ""},
       "tables": [
         {"table": "default.quotes", "root": "/t/quotes"},
         {"table": "default.news", "root": "/t/news"}],
       "files": [
         {"table": "default.quotes", "staged": "/t/quotes/.staging/c/1.avro",
          "path": "/t/quotes/dt=2026-11-20/hour=14/q+3+g1+0+1.avro", "hivePartition": "dt=2026-11-20/hour=14",
          "records": 2, "bytes": 100, "codec": "snappy", "schemaVersion": 1, "schemaIds": ["1"],
          "firstOffset": 0, "lastOffset": 1, "minTimestamp": 0, "maxTimestamp": 1},
         {"table": "default.news", "staged": "/t/news/.staging/c/2.avro",
          "path": "/t/news/q+3+g1+2+2.avro", "hivePartition": "",
          "records": 1, "bytes": 100, "codec": "snappy", "schemaVersion": 1, "schemaIds": ["1"],
          "firstOffset": 2, "lastOffset": 2, "minTimestamp": 0, "maxTimestamp": 1}],
       "batchIds": {"counts": [], "mixed": 0}}
      """;

  @Test
  void entryIsWrittenAsItWasRead() throws Exception {
    CommitEntry.Batch batch = (CommitEntry.Batch) read(BATCH);

    assertThat(batch.tables())
        .containsExactly(
            new TableRoot(new TableName("default", "quotes"), new StoragePath("/t/quotes")),
            new TableRoot(new TableName("default", "news"), new StoragePath("/t/news")));
    assertThat(JSON.readTree(FORMAT.write(batch))).isEqualTo(JSON.readTree(BATCH));
  }

  private static final String ADOPTED =
      """
      {"version": 1, "type": "adopted", "attempt": "8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c",
       "before": null,
       "state": {"generation": {"number": 1, "clusterId": "c", "topicId": "t"},
         "first": 50, "next": 50,
         "counts": {"landed": 0, "deadLettered": 0, "skipped": 0, "notDelivered": 0, "lost": 0},
         "publishedThrough": 0, "registeredThrough": 0, "leaderEpoch": -1, "former": [],
         "requires": ["adopted"]},
       "writtenAt": "2026-11-21T10:22:27Z", "from": "hdfs-sink",
       "exactFrom": "2026-11-21T11:00:00Z"}
      """;

  @Test
  void adoptedEntryIsWrittenAsItWasRead() throws Exception {
    CommitEntry read = read(ADOPTED);

    assertThat(read)
        .isInstanceOfSatisfying(
            CommitEntry.Adopted.class,
            adopted -> {
              assertThat(adopted.from()).isEqualTo("hdfs-sink");
              assertThat(adopted.exactFrom()).isEqualTo("2026-11-21T11:00:00Z");
              assertThat(adopted.state())
                  .isEqualTo(LogState.adopted(new TopicIdentity("c", "t"), 50));
            });
    assertThat(JSON.readTree(FORMAT.write(read))).isEqualTo(JSON.readTree(ADOPTED));
  }

  /** Otherwise a request for earlier offsets would move its start, and land records twice. */
  @Test
  void adoptedLogIsNotEmptyUntilItsTopicIsRecreated() throws Exception {
    LogState state = read(ADOPTED).state();

    assertThat(state.adopted()).isTrue();
    assertThat(state.empty()).isFalse();
    LogState next = state.nextGeneration(new TopicIdentity("c", "t2"));
    assertThat(next.adopted()).isFalse();
    assertThat(next.empty()).isTrue();
    assertThat(next.requires()).contains(LogState.ADOPTED);
  }

  @Test
  void earlierBuildRejectsAnAdoptedLog() {
    JsonFormat<CommitEntry> earlier =
        JsonFormat.evolving("the entry", CommitEntry.class, Set.of()).withState(LogState.class);

    assertThatThrownBy(() -> earlier.read(ADOPTED.getBytes(StandardCharsets.UTF_8), PLACE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("requires the feature \"adopted\"")
        .hasMessageContaining("Deploy that version or a later one on every worker");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"requires\": [\"adopted\"]/\"requires\": []",
        "\"first\": 50/\"first\": 49",
        "\"first\": 50, \"next\": 50/\"first\": -1, \"next\": -1",
        "\"number\": 1/\"number\": 2",
        "\"exactFrom\": \"2026-11-21T11:00:00Z\"/\"exactFrom\": null"
      })
  void adoptedEntryOfAnotherStateIsDamage(String change) {
    String[] parts = change.split("/", -1);
    assertThat(ADOPTED).contains(parts[0]);
    assertThatThrownBy(() -> read(ADOPTED.replace(parts[0], parts[1])))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("Restore it from a copy");
  }

  @Test
  void batchNamesTheIdsOfAnnouncedBatches() throws Exception {
    String counts =
        """
        {"counts": [{"id": "nightly-21", "table": "default.quotes", "landed": 2,
          "deadLettered": 0, "skipped": 0}], "mixed": 1}
        """;

    CommitEntry.Batch batch =
        (CommitEntry.Batch) read(changed(entry -> entry.set("batchIds", json(counts))));

    assertThat(batch.batchIds())
        .isEqualTo(
            new BatchIdCounts(
                List.of(new BatchIdCount("nightly-21", Optional.of("default.quotes"), 2, 0, 0)),
                1));
    assertThat(JSON.readTree(FORMAT.write(batch)).path("batchIds")).isEqualTo(json(counts));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "[]",
        "{\"counts\":[]}",
        "{\"counts\":{},\"mixed\":0}",
        "{\"counts\":[],\"mixed\":-1}",
        "{\"counts\":[],\"mixed\":4}",
        "{\"counts\":[{\"id\":\"a\",\"table\":\"default.news\",\"landed\":2,\"deadLettered\":0,\"skipped\":0}],"
            + "\"mixed\":0}",
        "{\"counts\":[{\"id\":\"a\",\"table\":null,\"landed\":0,\"deadLettered\":0,\"skipped\":1}],\"mixed\":0}",
        "{\"counts\":[{\"id\":\"a\",\"table\":null,\"landed\":0,\"deadLettered\":0,\"skipped\":\"1\"}],"
            + "\"mixed\":0}"
      })
  void countsOfAnnouncedBatchesThatCannotBeAreDamage(String counts) {
    assertThatThrownBy(() -> read(changed(entry -> entry.set("batchIds", json(counts)))))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith(PLACE)
        .hasMessageContaining("Restore it from a copy");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 99})
  void unknownFieldOfAnEntryIsIgnored(int version) throws Exception {
    CommitEntry known = read(BATCH);

    CommitEntry read =
        read(
            changed(
                entry -> {
                  entry.put("version", version).put("colour", "blue");
                  ((ObjectNode) entry.path("files").path(0)).put("checksum", 4711);
                  ((ObjectNode) entry.path("range")).put("epoch", 7);
                }));

    assertThat(read).isEqualTo(known);
  }

  @Test
  void unknownFieldOfTheStateIsWrittenAsItWasRead() throws Exception {
    String text =
        "{\"deep\":[1,{\"a\":null}],\"large\":123456789012345678901234567890,\"exact\":1.10}";

    CommitEntry read =
        read(
            changed(
                entry -> {
                  entry.put("version", 2);
                  try {
                    ((ObjectNode) entry.path("state"))
                        .set("later", JSON.readTree(text.replace("1.10", "\"1.10\"")));
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }));

    JsonNode written = JSON.readTree(FORMAT.write(read));
    assertThat(written.path("state").path("later").toString())
        .isEqualTo(text.replace("1.10", "\"1.10\""));
    assertThat(written.path("version").intValue()).isEqualTo(1);
  }

  @Test
  void unknownDecimalOfTheStateKeepsItsDigits() throws Exception {
    String text =
        JSON.writeValueAsString(JSON.readTree(changed(entry -> {})))
            .replace("\"former\":[]", "\"former\":[],\"rate\":0.12345678901234567890100");

    assertThat(new String(FORMAT.write(read(text)), StandardCharsets.UTF_8))
        .contains("0.12345678901234567890100");
  }

  @Test
  void unknownFeatureIsRefusedWithBothVersionsAndTheCure() {
    assertThatThrownBy(
            () ->
                read(
                    changed(
                        entry -> {
                          entry.put("version", 2);
                          ((ObjectNode) entry.path("state")).putArray("requires").add("epochs");
                        })))
        .isInstanceOf(CorruptLogException.class)
        .hasMessage(
            PLACE
                + ": the entry has version 2 and requires the feature \"epochs\", which this connector does not know: it reads version 1. A newer version of the connector has written it. Deploy that version or a later one on every worker. If there is none, the file was damaged: restore it from a copy.");
  }

  @Test
  void kindOfEntryOfANewerVersionIsRefusedWithBothVersions() {
    assertThatThrownBy(() -> read(changed(entry -> entry.put("version", 2).put("type", "replace"))))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("has version 2 and is of the type \"replace\"")
        .hasMessageContaining("it reads version 1")
        .hasMessageContaining("Deploy that version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"requires", "next", "generation", "counts", "former", "leaderEpoch"})
  void missingFieldOfAStateIsDamage(String field) {
    assertThatThrownBy(
            () -> read(changed(entry -> ((ObjectNode) entry.path("state")).remove(field))))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(PLACE)
        .hasMessageContaining("damaged or edited");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "files", "batchIds", "claim"})
  void missingFieldOfABatchIsDamage(String field) {
    assertThatThrownBy(() -> read(changed(entry -> entry.remove(field))))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(PLACE)
        .hasMessageContaining("damaged or edited");
  }

  @Test
  void knownFeatureIsReadAndKept() throws Exception {
    JsonFormat<CommitEntry> later = LaterBuild.FORMAT;
    String text =
        changed(
            entry ->
                ((ObjectNode) entry.path("state")).putArray("requires").add(LaterBuild.FEATURE));

    CommitEntry read = later.read(text.getBytes(StandardCharsets.UTF_8), PLACE);

    assertThat(read.state().requires()).containsExactly(LaterBuild.FEATURE);
    assertThat(later.read(later.write(read), PLACE)).isEqualTo(read);
    assertThat(read.state().withProgress(5, 5).requires()).containsExactly(LaterBuild.FEATURE);
  }

  @Test
  void fileOutsideOfItsTablesRootIsDamage() {
    assertThatThrownBy(
            () ->
                read(
                    changed(
                        entry ->
                            ((ObjectNode) entry.path("tables").path(0)).put("root", "/t/quote"))))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("/t/quote");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "relative/file.avro"})
  void fileWithoutAPlaceIsDamage(String path) {
    String text =
        BATCH.replace(
            "\"/t/news/q+3+g1+2+2.avro\"",
            path.isEmpty() ? "4711" : path.equals("null") ? path : "\"" + path + "\"");

    assertThatThrownBy(() -> read(text))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageStartingWith(PLACE)
        .hasMessageContaining("damaged or edited");
  }

  @Test
  void tableWithTwoRootsIsDamage() {
    assertThatThrownBy(
            () ->
                read(
                    changed(
                        entry -> {
                          ObjectNode other = (ObjectNode) entry.path("tables").path(0).deepCopy();
                          ((ArrayNode) entry.path("tables")).add(other.put("root", "/t"));
                        })))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("two roots");
  }

  @Test
  void everyKindOfEntryHasANameInTheText() {
    assertThat(CommitEntry.class.getPermittedSubclasses())
        .extracting(kind -> kind.getSimpleName().toLowerCase(Locale.ROOT))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(CommitEntry.class.getAnnotation(JsonSubTypes.class).value())
                .map(JsonSubTypes.Type::name)
                .toList());
  }

  @Test
  void unknownFieldsOfTheStateSurviveANewGeneration() {
    LogState state = stateWith("later", json("{\"a\":1}"));

    assertThat(state.nextGeneration(new TopicIdentity("c", "another")).unknown())
        .isEqualTo(state.unknown());
    assertThat(state.withProgress(5, 5).unknown()).isEqualTo(state.unknown());
  }

  private static LogState stateWith(String field, JsonNode value) {
    return new LogState(
        new Generation(1, "c", "t"),
        LogState.UNKNOWN,
        LogState.UNKNOWN,
        RecordCounts.NONE,
        0,
        0,
        LogState.UNKNOWN,
        List.of(),
        List.of(),
        Map.of(field, value));
  }

  /** The batch with a change. */
  private static String changed(Consumer<ObjectNode> change) {
    try {
      ObjectNode entry = (ObjectNode) JSON.readTree(BATCH);
      change.accept(entry);
      return entry.toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static CommitEntry read(String text) throws CorruptLogException {
    CommitEntry entry = FORMAT.read(text.getBytes(StandardCharsets.UTF_8), PLACE);
    assertThat(entry.attempt()).isEqualTo(UUID.fromString("8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c"));
    return entry;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
