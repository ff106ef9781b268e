package io.tidemark.completeness.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The ledger's files of version 1: every later build reads them. They are never changed. To add a
 * file:
 *
 * <pre>
 * mvn test -pl connector -am -Dtest=LedgerFixturesTest
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dtidemark.docs.write=true
 * </pre>
 */
class LedgerFixturesTest {
  private static final String WRITE = "tidemark.docs.write";
  private static final Path DIRECTORY =
      Path.of("src", "test", "resources", "fixtures", "ledger-version-1");

  private record File<T>(JsonFormat<T> format, T value) {
    void write(Path path) throws IOException {
      Files.write(path, format.write(value));
    }

    void read(Path path) throws Exception {
      assertThat(format.read(Files.readAllBytes(path), path.toString())).isEqualTo(value);
    }
  }

  private static Map<String, File<?>> files() {
    Map<String, File<?>> files = new TreeMap<>();
    LedgerExamples.ENTRIES.forEach(
        entry ->
            files.put(
                "entry-%s.json".formatted(entry.getClass().getSimpleName()),
                new File<>(LedgerEntry.FORMAT, entry)));
    files.put("account.json", new File<>(Account.FORMAT, LedgerExamples.ACCOUNT));
    files.put("account-with-waits.json", new File<>(Account.FORMAT, waiting()));
    files.put("manifest.json", new File<>(Manifest.FORMAT, LedgerExamples.MANIFEST));
    return files;
  }

  private static Account waiting() {
    Account account = LedgerExamples.ACCOUNT;
    return new Account(
        account.log(),
        account.task(),
        account.worker(),
        account.assigned(),
        account.logs(),
        List.of("REFUSED orders-3: the schema 7 is not compatible with the table"));
  }

  @Test
  void filesOfVersion1AreRead() throws Exception {
    Map<String, File<?>> files = files();
    for (Map.Entry<String, File<?>> each : files.entrySet()) {
      Path path = DIRECTORY.resolve(each.getKey());
      if (Boolean.getBoolean(WRITE) && !Files.exists(path)) {
        Files.createDirectories(DIRECTORY);
        each.getValue().write(path);
      }
      each.getValue().read(path);
    }
    try (Stream<Path> there = Files.list(DIRECTORY)) {
      assertThat(there.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(files.keySet());
    }
  }
}
