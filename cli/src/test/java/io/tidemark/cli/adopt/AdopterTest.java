package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.MemoryStorage.KilledException;
import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.OldConfig;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Adoptions of the directories that a real sink left. */
class AdopterTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:34:56Z");

  /** Values with a slash, values that Hive escapes, and committed files that were removed. */
  private static final Set<String> REFUSED =
      Set.of("b-field/slash", "d-hive/field", "k-file-removed/after");

  /** UUIDs of entries, of log directories and of temporary names. */
  private static final Pattern UUIDS = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final List<String> progress = new ArrayList<>();

  static List<org.junit.jupiter.params.provider.Arguments> states() throws Exception {
    return OldSinkArchivesTest.states();
  }

  /** Returns the connector that migrate proposes, beside the old one. */
  static Successor successor(OldSink sink) throws CommandFailure {
    Map<String, String> given =
        Map.of(
            "kafka.bootstrap.servers", "kafka:9092",
            "schema.registry.url", "http://registry:8081",
            "name", "new",
            "logs.dir", "new-logs");
    Map<String, String> settings =
        new HashMap<>(Migration.of(new OldConfig(false, sink.settings()), given).settings());
    settings.putAll(given);
    settings.put("store.url", "file:///");
    ConnectorServices connector = new ConnectorServices(settings);
    return new Successor(connector, connector, Optional.empty(), ForkJoinPool.commonPool());
  }

  private AdoptionReport examine(Storage storage, State state) throws Exception {
    return examine(storage, state, Consents.NONE);
  }

  private AdoptionReport examine(Storage storage, State state, Consents consents) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      return new Adoption(
              storage,
              state.sink(),
              state.kafka(),
              consents,
              Optional.of(threads),
              Optional.of(successor(state.sink())),
              Adoption.Scope.ALL)
          .examine();
    } finally {
      threads.shutdown();
    }
  }

  private void adopt(Storage storage, State state, AdoptionReport report) throws Exception {
    adopt(storage, state, report, Consents.NONE);
  }

  private void adopt(Storage storage, State state, AdoptionReport report, Consents consents)
      throws Exception {
    new Adopter(
            storage,
            state.sink(),
            successor(state.sink()),
            new FakeTopicIds(),
            Clock.fixed(NOW, ZoneOffset.UTC),
            progress::add)
        .adopt(report, consents, true);
  }

  /** Closes the logs that a killed sink left open. Returns whether there were any. */
  static boolean recoverLeases(MemoryStorage storage) {
    boolean open = false;
    for (Map.Entry<StoragePath, byte[]> each : storage.files().entrySet()) {
      if (each.getKey().name().matches("log(\\.1)?")) {
        open |= storage.find(each.getKey()).orElseThrow().bytes() != each.getValue().length;
        storage.list(each.getKey(), each.getValue().length);
      }
    }
    return open;
  }

  @Test
  void openLogIsRefusedUntilItsLeaseIsRecovered() throws Exception {
    State state = new OldSinkArchive("g-killed").state("g-killed/11");

    AdoptionReport refused = examine(state.storage(), state);
    assertThat(refused.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(String.join("\n", AdoptionText.lines(refused)))
        .contains("/logs/metrics/0/log is open: the name node lists 35 of its 1958 bytes")
        .contains("hdfs debug recoverLease -path /logs/metrics/0/log -retries 10");

    assertThat(recoverLeases(state.storage())).isTrue();
    assertThat(examine(state.storage(), state).verdict()).isEqualTo(Verdict.TO_FINISH);
  }

  private static CommitLog log(Storage storage, TopicPartition of) {
    return CommitLog.of(storage, new StoragePath("/new-logs"), "new", of);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void connectorContinuesAtTheNextOffsetWithTheOldFiles(String name, State state) throws Exception {
    MemoryStorage storage = state.storage();
    if (name.contains("/letters-")) {
      assertThatThrownBy(() -> examine(storage, state))
          .as("Hive's columns do not distinguish capital letters")
          .hasMessageContaining("occurs twice");
      return;
    }
    recoverLeases(storage);
    AdoptionReport report = examine(storage, state);
    String text = String.join("\n", AdoptionText.lines(report));
    assertThat(report.verdict() == Verdict.REFUSED).as(text).isEqualTo(REFUSED.contains(name));
    if (REFUSED.contains(name)) {
      assertThat(text).contains("what to do: ");
      return;
    }
    Map<StoragePath, byte[]> before = storage.files();

    adopt(storage, state, report);

    for (JsonNode expected : state.expected().get("partitions")) {
      TopicPartition of = OldSinkArchive.topicPartition(expected);
      Optional<NumberedEntry<CommitEntry>> last = log(storage, of).last();
      if (expected.get("nextOffset").isNull()) {
        last.ifPresent(each -> assertThat(each.entry().state().next()).isZero());
      } else {
        assertThat(last.orElseThrow().number()).isEqualTo(1);
        assertThat(last.orElseThrow().entry()).isInstanceOf(CommitEntry.Adopted.class);
        assertThat(last.orElseThrow().entry().state().next())
            .isEqualTo(expected.get("nextOffset").asLong());
      }
    }
    Map<StoragePath, byte[]> after = storage.files();
    before.forEach(
        (path, content) -> {
          if (path.name().endsWith(".avro") && !path.value().contains("/+tmp/")) {
            assertThat(after.get(path)).as(path.value()).isEqualTo(content);
          }
        });
    Set<String> left = new TreeSet<>();
    after.keySet().forEach(each -> left.add(each.value()));
    assertThat(left)
        .noneMatch(each -> each.endsWith("/log") || each.endsWith("/log.1"))
        .noneMatch(each -> each.endsWith(".tmp"));

    AdoptionReport again = examine(storage, state);
    assertThat(again.verdict()).as(text).isEqualTo(Verdict.ACCEPTED);
    adopt(storage, state, again);
    assertThat(normalized(storage)).isEqualTo(normalized(after));
  }

  /** The process is killed before each of its changes, and the command is repeated. */
  @ParameterizedTest
  @ValueSource(strings = {"g-killed/11", "g-killed/15", "a-default/stopped"})
  void adoptionThatWasKilledAtAnyStepIsRepeated(String name) throws Exception {
    OldSinkArchive archive = new OldSinkArchive(name.substring(0, name.indexOf('/')));
    State whole = archive.state(name);
    recoverLeases(whole.storage());
    whole.storage().killBefore(0);
    adopt(whole.storage(), whole, examine(whole.storage(), whole));
    int changes = whole.storage().changes();
    SortedMap<String, String> expected = normalized(whole.storage());
    assertThat(changes).isGreaterThan(20);

    for (int killed = 1; killed <= changes; killed++) {
      State state = archive.state(name);
      recoverLeases(state.storage());
      AdoptionReport report = examine(state.storage(), state);
      state.storage().killBefore(killed);
      assertThatThrownBy(() -> adopt(state.storage(), state, report))
          .isInstanceOf(KilledException.class);
      state.storage().killBefore(0);

      AdoptionReport again = examine(state.storage(), state);
      assertThat(again.verdict())
          .as("killed before change %d: %s", killed, AdoptionText.lines(again))
          .isNotEqualTo(Verdict.REFUSED);
      adopt(state.storage(), state, again);
      assertThat(normalized(state.storage()))
          .as("killed before change %d", killed)
          .isEqualTo(expected);
    }
  }

  /** The store does a change and its answer is lost, for each change; the command is repeated. */
  @ParameterizedTest
  @ValueSource(strings = {"g-killed/11", "g-killed/15", "a-default/stopped"})
  void adoptionWithALostAnswerAtAnyStepIsRepeated(String name) throws Exception {
    OldSinkArchive archive = new OldSinkArchive(name.substring(0, name.indexOf('/')));
    State whole = archive.state(name);
    recoverLeases(whole.storage());
    whole.storage().failAfter(0);
    adopt(whole.storage(), whole, examine(whole.storage(), whole));
    int changes = whole.storage().changes();
    SortedMap<String, String> expected = normalized(whole.storage());

    int failed = 0;
    for (int lost = 1; lost <= changes; lost++) {
      State state = archive.state(name);
      recoverLeases(state.storage());
      AdoptionReport report = examine(state.storage(), state);
      state.storage().failAfter(lost);
      try {
        adopt(state.storage(), state, report);
      } catch (IOException | CommandFailure e) {
        assertThat(e).hasStackTraceContaining("the answer was lost");
        failed++;
      }
      state.storage().failAfter(0);

      AdoptionReport again = examine(state.storage(), state);
      assertThat(again.verdict())
          .as("answer %d lost: %s", lost, AdoptionText.lines(again))
          .isNotEqualTo(Verdict.REFUSED);
      adopt(state.storage(), state, again);
      assertThat(normalized(state.storage())).as("answer %d lost", lost).isEqualTo(expected);
    }
    assertThat(failed).isPositive();
  }

  /** Both have examined the directories; the second runs before each change of the first. */
  @Test
  void ofTwoAdoptionsAtTheSameTimeOneFailsOrFindsTheOthersResult() throws Exception {
    OldSinkArchive archive = new OldSinkArchive("g-killed");
    State whole = archive.state("g-killed/11");
    recoverLeases(whole.storage());
    whole.storage().killBefore(0);
    adopt(whole.storage(), whole, examine(whole.storage(), whole));
    int changes = whole.storage().changes();
    SortedMap<String, String> expected = normalized(whole.storage());

    int failed = 0;
    for (int paused = 1; paused <= changes; paused++) {
      State state = archive.state("g-killed/11");
      recoverLeases(state.storage());
      AdoptionReport report = examine(state.storage(), state);
      state
          .storage()
          .interruptBefore(
              paused,
              () ->
                  assertThatCode(() -> adopt(state.storage(), state, report))
                      .doesNotThrowAnyException());
      try {
        adopt(state.storage(), state, report);
      } catch (CommandFailure e) {
        failed++;
        assertThat(e).hasMessageContaining("wrote the first entry at the same time");
      }
      assertThat(normalized(state.storage()))
          .as("paused before change %d", paused)
          .isEqualTo(expected);
    }
    assertThat(failed).as("those that had found no entry").isPositive();
  }

  @Test
  void logOfAConnectorThatWasStartedBeforeIsRefused() throws Exception {
    State state = new OldSinkArchive("a-default").state("a-default/stopped");
    AdoptionReport report = examine(state.storage(), state);
    CommitLog log = log(state.storage(), new TopicPartition("web-orders", 1));
    log.create();
    log.append(
        1,
        new CommitEntry.Adopted(
            new java.util.UUID(0, 7),
            Optional.empty(),
            io.tidemark.store.commit.LogState.adopted(new FakeTopicIds().identity("web-orders"), 3),
            NOW,
            "old",
            NOW));

    assertThatThrownBy(() -> adopt(state.storage(), state, report))
        .hasMessageContaining("the log directory has commit logs");
  }

  @Test
  void totalsAreExactAfterTheLastDirectoryOfTheOldSink() throws Exception {
    State state = new OldSinkArchive("c-hourly").state("c-hourly/berlin");
    AdoptionReport report = examine(state.storage(), state);
    assertThat(report.verdict())
        .as(AdoptionText.lines(report).toString())
        .isNotEqualTo(Verdict.REFUSED);

    adopt(state.storage(), state, report);

    CommitEntry.Adopted entry =
        (CommitEntry.Adopted)
            log(state.storage(), report.topics().get(0).partitions().get(0).topicPartition())
                .last()
                .orElseThrow()
                .entry();
    assertThat(entry.from()).isEqualTo(state.sink().name());
    // The last of its hours, in Berlin: 2027-01-04T13:00+01:00.
    Instant end = Instant.parse("2027-01-04T13:00:00Z");
    assertThat(state.storage().files().keySet())
        .extracting(each -> each.parent().value())
        .contains("/topics/events/dt=2027-01-04/hour=13");
    assertThat(entry.exactFrom()).isEqualTo(end);
    assertThat(progress)
        .contains("events: adopted. Totals of Hive partitions from %s on are exact".formatted(end));
  }

  @Test
  void totalsAreExactFromNowOnAfterDirectoriesThatAreOver() throws Exception {
    State state = new OldSinkArchive("d-hive").state("d-hive/daily");

    adopt(state.storage(), state, examine(state.storage(), state));

    assertThat(progress)
        .contains(
            "sales.eu-west: adopted. Totals of Hive partitions from %s on are exact"
                .formatted(NOW));
  }

  /** Of an interrupted commit, the files that are missing are then the last ones of its block. */
  @ParameterizedTest
  @ValueSource(strings = {"g-killed/07", "g-killed/11", "h-continued/2-between-renames/killed"})
  void commitIsFinishedInTheOrderOfTheLogAfterTheLogsAreInert(String name) throws Exception {
    State state = new OldSinkArchive(name.substring(0, name.indexOf('/'))).state(name);
    recoverLeases(state.storage());
    List<String> expected = new ArrayList<>();
    for (JsonNode partition : state.expected().get("partitions")) {
      for (JsonNode each : partition.get("pendingRenames")) {
        expected.add(
            "renamed %s to %s".formatted(each.get("temp").asText(), each.get("target").asText()));
      }
    }
    assertThat(expected).hasSizeGreaterThan(1);

    adopt(state.storage(), state, examine(state.storage(), state));

    assertThat(progress).containsSubsequence(expected);
    assertThat(progress.indexOf(expected.get(0)))
        .isGreaterThan(
            progress.stream()
                .filter(each -> each.endsWith(".adopted"))
                .mapToInt(progress::indexOf)
                .max()
                .orElseThrow());
  }

  @Test
  void temporaryFilesOfOtherTopicsStay() throws Exception {
    State state = new OldSinkArchive("g-killed").state("g-killed/11");
    recoverLeases(state.storage());
    StoragePath other = new StoragePath("/topics/+tmp/metrics-2/sensor=s01/1_tmp.avro");
    state.storage().put(other, new byte[] {1});

    adopt(state.storage(), state, examine(state.storage(), state));

    assertThat(state.storage().files().keySet())
        .filteredOn(each -> each.value().contains("/+tmp/"))
        .containsExactly(other);
    assertThat(progress).contains("metrics: removed /topics/+tmp/metrics");
  }

  static SortedMap<String, String> normalized(MemoryStorage storage) {
    return normalized(storage.files());
  }

  /** Returns all files without their UUIDs, and without files that a kill leaves. */
  private static SortedMap<String, String> normalized(Map<StoragePath, byte[]> files) {
    SortedMap<String, String> normalized = new TreeMap<>();
    files.forEach(
        (path, content) -> {
          if (!path.name().endsWith(".tmp")) {
            normalized.put(
                path.value(),
                UUIDS.matcher(new String(content, StandardCharsets.ISO_8859_1)).replaceAll("UUID"));
          }
        });
    return normalized;
  }
}
