package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores of this and earlier builds. This build opens, continues and recovers them. */
final class LogFixturesTest {

  static List<LogFixture> fixtures() throws IOException {
    return LogFixture.all();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void logContinuesAndItsTableHasEveryRowOnce(LogFixture fixture) throws Exception {
    ReopenedFixture.check(fixture);
  }

  @Test
  void fixturesHaveEveryKindOfEntryThatThisBuildKnows() throws Exception {
    Set<String> kinds = new TreeSet<>();
    for (LogFixture fixture : fixtures()) {
      for (CommitEntry entry : entries(fixture).values()) {
        kinds.add(entry.getClass().getName());
      }
    }
    assertThat(kinds)
        .containsAll(
            Arrays.stream(CommitEntry.class.getPermittedSubclasses()).map(Class::getName).toList());
  }

  /**
   * A change of the format fails here until its fixtures are written: see {@code
   * LogFixtureWriterTest}.
   */
  @Test
  void someFixturesAreWhatThisBuildWrites() throws Exception {
    Map<String, Boolean> asWrittenNow = new TreeMap<>();
    for (LogFixture fixture : fixtures()) {
      boolean same = true;
      for (Map.Entry<String, CommitEntry> entry : entries(fixture).entrySet()) {
        same &=
            Arrays.equals(
                CommitEntry.FORMAT.write(entry.getValue()), fixture.entries().get(entry.getKey()));
      }
      asWrittenNow.merge(fixture.directory(), same, Boolean::logicalAnd);
    }
    assertThat(asWrittenNow)
        .as("directories of fixtures whose entries this build would write just so")
        .containsValue(true);
  }

  private static Map<String, CommitEntry> entries(LogFixture fixture) throws CorruptLogException {
    Map<String, CommitEntry> entries = new TreeMap<>();
    for (Map.Entry<String, byte[]> entry : fixture.entries().entrySet()) {
      entries.put(
          entry.getKey(), CommitEntry.FORMAT.read(entry.getValue(), fixture + entry.getKey()));
    }
    assertThat(entries).as("entries of %s", fixture).isNotEmpty();
    return entries;
  }
}
