package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every directory that a real sink left, compared with what was read from its files. */
class OldSinkArchivesTest {
  private static final int STATES = 52;

  static List<Arguments> states() throws IOException {
    List<Arguments> states = new ArrayList<>();
    for (String name : OldSinkArchive.NAMES) {
      OldSinkArchive archive = new OldSinkArchive(name);
      for (String each : archive.states()) {
        states.add(Arguments.of(each, archive.state(each)));
      }
    }
    assertThat(states).hasSize(STATES);
    return states;
  }

  private static AdoptionReport examine(State state) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      return new Adoption(
              state.storage(), state.sink(), state.kafka(), Consents.NONE, Optional.of(threads))
          .examine();
    } finally {
      threads.shutdown();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void decisionIsThatOfTheRecords(String name, State state) throws Exception {
    AdoptionReport report = examine(state);
    Map<TopicPartition, AdoptionReport.Partition> found = new HashMap<>();
    report
        .topics()
        .forEach(
            topic -> topic.partitions().forEach(each -> found.put(each.topicPartition(), each)));

    boolean pending = false;
    for (JsonNode expected : state.expected().get("partitions")) {
      AdoptionReport.Partition partition = found.get(OldSinkArchive.topicPartition(expected));
      if (partition == null) {
        // Other topics than topics.regex matches.
        assertThat(expected.get("files").asLong()).isZero();
        continue;
      }
      compare(expected, partition);
      pending |= !partition.decision().pending().isEmpty();
    }
    Verdict verdict =
        OldSinkDirectories.REFUSED.contains(name)
            ? Verdict.REFUSED
            : pending ? Verdict.TO_FINISH : Verdict.ACCEPTED;
    assertThat(report.verdict())
        .as(String.join("\n", AdoptionText.lines(report)))
        .isEqualTo(verdict);
  }

  private static void compare(JsonNode expected, AdoptionReport.Partition partition) {
    Decision decision = partition.decision();
    String place = partition.topicPartition() + ": " + decision;
    assertThat(partition.files()).as(place).isEqualTo(expected.get("files").asLong());
    assertThat(partition.names().next() - 1)
        .as(place)
        .isEqualTo(expected.get("maxLastInNames").asLong());
    if (expected.get("nextOffset").isNull()) {
      assertThat(decision.source()).isIn(Decision.Source.GROUP, Decision.Source.NOTHING);
    } else {
      assertThat(decision.next()).as(place).hasValue(expected.get("nextOffset").asLong());
      assertThat(decision.source().toString()).isEqualTo(expected.get("nextOffsetFrom").asText());
    }
    Set<Rename> renames = new HashSet<>();
    for (JsonNode each : expected.get("pendingRenames")) {
      renames.add(
          new Rename(
              new StoragePath(each.get("temp").asText()),
              new StoragePath(each.get("target").asText())));
    }
    assertThat(decision.pending()).as(place).containsExactlyInAnyOrderElementsOf(renames);
    assertThat(decision.notes().stream().anyMatch(each -> each.contains("has no END")))
        .as(place)
        .isEqualTo(expected.get("lastBlockWithoutEnd").asBoolean());
  }

  /** Only the files of an unfinished commit are read. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void namesAndLogsAreEnoughForTheNextOffset(String name, State state) throws Exception {
    AdoptionReport listed =
        new Adoption(state.storage(), state.sink(), state.kafka(), Consents.NONE, Optional.empty())
            .examine();
    AdoptionReport read = examine(state);

    for (int topic = 0; topic < read.topics().size(); topic++) {
      assertThat(listed.topics().get(topic).partitions())
          .extracting(each -> each.decision().next(), each -> each.decision().pending())
          .isEqualTo(
              read.topics().get(topic).partitions().stream()
                  .map(each -> tuple(each.decision().next(), each.decision().pending()))
                  .toList());
    }
    // Empty files are found by their lengths.
    assertThat(listed.verdict()).isEqualTo(read.verdict());
  }

  /** These names are ASCII, so the file system's encoding does not matter. */
  @ParameterizedTest
  @ValueSource(strings = {"11", "15", "16"})
  void localDiskHasTheSame(String number, @TempDir Path directory) throws Exception {
    State state = new OldSinkArchive("g-killed").state("g-killed/" + number);
    AdoptionReport expected = examine(state);
    state.storage().unpack(directory);

    try (LocalStorage storage = new LocalStorage(directory)) {
      AdoptionReport found =
          new Adoption(storage, state.sink(), state.kafka(), Consents.NONE, Optional.empty())
              .examine();
      assertThat(found.topics().get(0).partitions())
          .extracting(each -> each.decision().next(), each -> each.decision().pending())
          .isEqualTo(
              expected.topics().get(0).partitions().stream()
                  .map(each -> tuple(each.decision().next(), each.decision().pending()))
                  .toList());
      assertThat(found.verdict()).isEqualTo(expected.verdict());
    }
  }

  @Test
  void reportHasFilesOffsetsLogsAndPendingRenames() throws Exception {
    List<String> lines =
        AdoptionText.lines(examine(new OldSinkArchive("g-killed").state("g-killed/11")));

    assertThat(lines)
        .contains(
            "topic metrics in /topics/metrics: TO_FINISH",
            "  partition 0: TO_FINISH, next offset 50 (log)",
            "    3 files, 17 records, 1,188 bytes, offsets 3 to 49 in names, 0 in gaps, 2 files"
                + " overlap",
            "    log with 1958 bytes and 1 complete blocks, the last of 10 files, no log.1",
            "    pending: rename"
                + " /topics/+tmp/metrics/sensor=s05/47a41209-12e9-43ae-8b34-f21f54397794_tmp.avro"
                + " to /topics/metrics/sensor=s05/metrics+0+0000000000+0000000008.avro",
            "  partition 1: ACCEPTED, next offset that of a new connector (nothing was committed)",
            "all topics: TO_FINISH");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void filesAreThoseOfTheSink(String name, State state) throws Exception {
    Map<String, List<Object>> expected = new HashMap<>();
    for (JsonNode each : state.expected().get("files")) {
      expected.put(
          each.get("path").asText(),
          List.of(
              each.get("bytes").asLong(),
              each.path("records").asLong(),
              each.get("first").asLong(),
              each.get("last").asLong()));
    }
    Map<String, List<Object>> found = new HashMap<>();
    for (String topic : state.sink().topics(state.kafka().topics())) {
      OldFiles files = OldFiles.list(state.storage(), state.sink(), topic);
      assertThat(files.others()).isEmpty();
      for (List<OldFile> partition : files.committed().values()) {
        for (OldFile each : partition) {
          OldFile read = each.with(FileLook.at(state.storage(), each.path(), each.bytes()));
          found.put(
              each.path().value(),
              List.of(each.bytes(), read.records(), each.first(), each.last()));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void logsAreReadToTheirEnds(String name, State state) throws Exception {
    for (JsonNode each : state.lines("wal-decoded.jsonl")) {
      if (each.has("blocks")) {
        StoragePath path = new StoragePath(each.get("path").asText());
        WriteAheadLog log = WriteAheadLog.read(state.storage(), path).orElseThrow();
        List<JsonNode> complete = new ArrayList<>();
        each.get("blocks").forEach(complete::add);
        complete.removeIf(block -> !block.get("complete").asBoolean());
        assertThat(log.damage()).as(path.value()).isEmpty();
        assertThat(log.cut()).isFalse();
        assertThat(log.bytes()).isEqualTo(each.get("bytes").asLong());
        assertThat(log.blocks()).isEqualTo(complete.size());
        assertThat(log.open().isPresent()).isEqualTo(each.get("blocks").size() > complete.size());
        assertThat(log.last().map(block -> block.renames().size()).orElse(0))
            .isEqualTo(
                complete.isEmpty() ? 0 : complete.get(complete.size() - 1).get("files").asInt());
      }
    }
  }
}
