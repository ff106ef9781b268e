package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.MemoryStorage.KilledException;
import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.partition.HivePartition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Values that the old sink wrote as they are, and Hive escapes: {@code /}, {@code =}, {@code %},
 * quotes, and empty ones. Their rows become visible.
 */
class MisplacedTest {
  private static final Consents MOVES = new Consents(false, false, true);

  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    threads.shutdown();
  }

  private static State state(String name) throws IOException {
    return new OldSinkArchive(name.substring(0, name.indexOf('/'))).state(name);
  }

  private static OldSink inHive(State state) throws IOException {
    Map<String, String> settings = new HashMap<>(state.sink().settings());
    settings.put("hive.integration", "true");
    settings.put("hive.metastore.uris", "thrift://metastore:9083");
    return new OldSink(settings);
  }

  private AdoptionReport examine(State state, OldSink sink, Consents consents) throws Exception {
    return new Adoption(
            state.storage(),
            sink,
            state.kafka(),
            consents,
            Optional.of(threads),
            Optional.of(AdopterTest.successor(sink)),
            Adoption.Scope.ALL)
        .examine();
  }

  private static void adopt(State state, OldSink sink, AdoptionReport report, Consents consents)
      throws Exception {
    new Adopter(
            state.storage(),
            sink,
            AdopterTest.successor(sink),
            new FakeTopicIds(),
            Clock.systemUTC(),
            line -> {})
        .adopt(report, consents, true);
  }

  /** Returns the directory of each committed record in Hive, from what was sent. */
  private static Map<List<Long>, String> directories(State state, String topic) throws IOException {
    Map<Integer, Long> next = new HashMap<>();
    for (JsonNode each : state.expected().get("partitions")) {
      next.put(each.get("partition").asInt(), each.get("nextOffset").asLong());
    }
    Map<List<Long>, String> directories = new HashMap<>();
    for (JsonNode each : state.sent()) {
      JsonNode value = each.get("value");
      if (each.get("offset").asLong() >= next.getOrDefault(each.get("partition").asInt(), 0L)) {
        continue;
      }
      // The old sink wrote null as a text. HDFS drops a slash at the end: the row is visible.
      String city = value.get("city").isNull() ? "null" : value.get("city").asText();
      directories.put(
          List.of(value.get("p").asLong(), value.get("n").asLong()),
          "/topics/"
              + topic
              + "/"
              + new HivePartition(
                      List.of("city", "grade"),
                      List.of(city.replaceFirst("/+$", ""), value.get("grade").asText()))
                  .path());
    }
    return directories;
  }

  private static Map<List<Long>, String> found(State state) throws IOException {
    Map<List<Long>, String> found = new HashMap<>();
    for (Map.Entry<StoragePath, byte[]> each : state.storage().files().entrySet()) {
      if (each.getKey().name().endsWith(".avro")) {
        try (DataFileStream<GenericRecord> records =
            new DataFileStream<>(
                new ByteArrayInputStream(each.getValue()), new GenericDatumReader<>())) {
          for (GenericRecord record : records) {
            List<Long> key =
                List.of(
                    ((Number) record.get("p")).longValue(), ((Number) record.get("n")).longValue());
            assertThat(found.put(key, each.getKey().parent().value())).as(key.toString()).isNull();
          }
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "d-hive/field, stays, 12, 50",
    "b-field/slash, visits-slash, 9, 30",
    "b-field/values, visits, 40, 224"
  })
  void everyRecordIsInTheDirectoryInWhichHiveLooks(
      String name, String topic, int moved, int records) throws Exception {
    State state = state(name);
    OldSink sink = inHive(state);
    AdoptionReport refused = examine(state, sink, Consents.NONE);
    assertThat(String.join("\n", AdoptionText.lines(refused)))
        .contains(moved + " files are not in the directories in which Hive looks")
        .contains("Repeat with --move-to-hive-directories");
    assertThat(refused.verdict()).isEqualTo(Verdict.REFUSED);
    AdoptionReport report = examine(state, sink, MOVES);
    assertThat(report.verdict())
        .as(String.join("\n", AdoptionText.lines(report)))
        .isEqualTo(Verdict.ACCEPTED);

    adopt(state, sink, report, MOVES);

    Map<List<Long>, String> expected = directories(state, topic);
    assertThat(found(state)).hasSize(records).isEqualTo(expected);
    for (JsonNode each : state.expected().get("partitions")) {
      TopicPartition of = OldSinkArchive.topicPartition(each);
      assertThat(
              CommitLog.of(state.storage(), new StoragePath("/new-logs"), "new", of)
                  .last()
                  .orElseThrow()
                  .entry()
                  .state()
                  .next())
          .isEqualTo(each.get("nextOffset").asLong());
    }
    // The records decide, so what was moved stays there, and needs no consent any more.
    AdoptionReport again = examine(state, sink, Consents.NONE);
    assertThat(again.verdict())
        .as(String.join("\n", AdoptionText.lines(again)))
        .isEqualTo(Verdict.ACCEPTED);
    adopt(state, sink, again, MOVES);
    assertThat(found(state)).isEqualTo(expected);
  }

  @Test
  void filesThatAnOperatorMovedAreAccepted() throws Exception {
    State state = state("d-hive/field");
    Map<List<Long>, String> expected = directories(state, "stays");
    List<Map.Entry<StoragePath, byte[]>> files =
        new ArrayList<>(state.storage().files().entrySet());
    for (Map.Entry<StoragePath, byte[]> each : files) {
      if (each.getKey().name().endsWith(".avro")) {
        try (DataFileStream<GenericRecord> records =
            new DataFileStream<>(
                new ByteArrayInputStream(each.getValue()), new GenericDatumReader<>())) {
          GenericRecord first = records.next();
          String directory =
              expected.getOrDefault(
                  List.of(
                      ((Number) first.get("p")).longValue(), ((Number) first.get("n")).longValue()),
                  "/");
          if (!each.getKey().parent().value().equals(directory)) {
            state
                .storage()
                .move(each.getKey(), new StoragePath(directory).child(each.getKey().name()));
          }
        }
      }
    }

    AdoptionReport report = examine(state, state.sink(), Consents.NONE);

    assertThat(report.verdict())
        .as(String.join("\n", AdoptionText.lines(report)))
        .isEqualTo(Verdict.ACCEPTED);
    assertThat(report.topics().get(0).partitions().get(0).decision().next()).hasValue(50);
  }

  @Test
  void moveThatWasKilledAtAnyStepIsRepeated() throws Exception {
    State whole = state("b-field/slash");
    OldSink sink = inHive(whole);
    whole.storage().killBefore(0);
    adopt(whole, sink, examine(whole, sink, MOVES), MOVES);
    int changes = whole.storage().changes();
    SortedMap<String, String> expected = normalized(whole);
    assertThat(changes).isGreaterThan(20);

    for (int killed = 1; killed <= changes; killed++) {
      State state = state("b-field/slash");
      AdoptionReport report = examine(state, sink, MOVES);
      state.storage().killBefore(killed);
      assertThatThrownBy(() -> adopt(state, sink, report, MOVES))
          .isInstanceOf(KilledException.class);
      state.storage().killBefore(0);

      AdoptionReport again = examine(state, sink, MOVES);
      assertThat(again.verdict())
          .as("killed before change %d: %s", killed, AdoptionText.lines(again))
          .isEqualTo(Verdict.ACCEPTED);
      adopt(state, sink, again, MOVES);
      assertThat(normalized(state)).as("killed before change %d", killed).isEqualTo(expected);
    }
  }

  @Test
  void moveWithALostAnswerAtAnyStepIsRepeated() throws Exception {
    State whole = state("b-field/slash");
    OldSink sink = inHive(whole);
    whole.storage().failAfter(0);
    adopt(whole, sink, examine(whole, sink, MOVES), MOVES);
    int changes = whole.storage().changes();
    SortedMap<String, String> expected = normalized(whole);

    int failed = 0;
    for (int lost = 1; lost <= changes; lost++) {
      State state = state("b-field/slash");
      AdoptionReport report = examine(state, sink, MOVES);
      state.storage().failAfter(lost);
      try {
        adopt(state, sink, report, MOVES);
      } catch (IOException | CommandFailure e) {
        assertThat(e).hasStackTraceContaining("the answer was lost");
        failed++;
      }
      state.storage().failAfter(0);

      AdoptionReport again = examine(state, sink, MOVES);
      assertThat(again.verdict())
          .as("answer %d lost: %s", lost, AdoptionText.lines(again))
          .isEqualTo(Verdict.ACCEPTED);
      adopt(state, sink, again, MOVES);
      assertThat(normalized(state)).as("answer %d lost", lost).isEqualTo(expected);
    }
    assertThat(failed).isPositive();
  }

  /** Returns all files without times, which differ. */
  private static SortedMap<String, String> normalized(State state) {
    SortedMap<String, String> files = AdopterTest.normalized(state.storage());
    files.replaceAll(
        (path, content) ->
            path.endsWith(".json")
                ? content.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                : content);
    return files;
  }
}
