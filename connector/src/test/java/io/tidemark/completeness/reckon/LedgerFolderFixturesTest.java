package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerExamples;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogFolding;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a ledger's directories contain beside entries and accounts, in version 1: every later build
 * reads it. The files are never changed. Missing ones are written as {@code LedgerFixturesTest}
 * describes.
 */
class LedgerFolderFixturesTest {
  private static final Path FIXTURES =
      Path.of("src", "test", "resources", "fixtures", "ledger-folders-version-1");

  private final MemoryStorage storage = new MemoryStorage();
  private final LedgerDirectories folders =
      new LedgerDirectories(new StoragePath("/ledger"), "sales");

  /** Puts a file of this build if the fixture is missing, and replaces it by the fixture. */
  private void restore(StoragePath place, String fixture) throws IOException {
    Path path = FIXTURES.resolve(fixture);
    if (Boolean.getBoolean("tidemark.docs.write") && !Files.exists(path)) {
      Files.createDirectories(FIXTURES);
      try (InputStream in = storage.open(place)) {
        Files.write(path, in.readAllBytes());
      }
    }
    storage.delete(place);
    try (OutputStream out = storage.create(place)) {
      out.write(Files.readAllBytes(path));
    }
  }

  @Test
  void releasedLogsOfVersion1AreRead() throws Exception {
    ReleasedLogs released = new ReleasedLogs(storage, folders);
    released.put(new Ledger(42, LedgerExamples.STATE, new TreeMap<>(), new TreeMap<>()));
    restore(folders.released().child("00000000000000000042.json"), "released.json");

    Map<TopicPartition, LogFolding.Released> expected = new HashMap<>();
    LedgerExamples.STATE
        .topics()
        .forEach(
            (topic, state) ->
                state
                    .at()
                    .forEach(
                        (each, at) ->
                            expected.put(
                                new TopicPartition(topic, each),
                                new LogFolding.Released(at.number(), Optional.of(at.attempt())))));
    assertThat(released.read()).isNotEmpty().isEqualTo(expected);
  }

  @Test
  void groupThatVersion1DeclaredBelongsToItsLog() throws Exception {
    assertThat(new GroupDeclarations(storage, folders).declare("nightly")).isEmpty();
    restore(folders.groups().child("nightly.json"), "group.json");

    assertThat(new GroupDeclarations(storage, folders).declare("nightly")).isEmpty();
    LedgerDirectories other = new LedgerDirectories(folders.root(), "payments");
    assertThat(new GroupDeclarations(storage, other).declare("nightly"))
        .hasValueSatisfying(problem -> assertThat(problem).contains("the log sales"));
  }

  @Test
  void requestOfVersion1IsAnsweredOnce() throws Exception {
    SnapshotRequests requests = new SnapshotRequests(storage, folders);
    StoragePath place = requests.request("ann@host", Instant.parse("2026-11-21T08:00:00Z"));
    restore(place, "request.json");

    assertThat(requests.pending()).isEqualTo(List.of(place));
    requests.remove(List.of(place));
    assertThat(requests.pending()).isEmpty();
  }
}
