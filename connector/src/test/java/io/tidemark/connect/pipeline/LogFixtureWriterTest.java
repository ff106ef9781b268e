package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes the fixtures of this build's format. It writes them into a temporary directory, to check
 * that they can be opened. If a system property names a directory, it also writes them to the test
 * resources.
 *
 * <pre>
 * mvn test -pl connector -am -Dtest=LogFixtureWriterTest \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dtidemark.fixtures.write=log-version-1-example
 * </pre>
 *
 * <p>Every change of the format adds a directory: {@code log-version-2} for entries of version 2,
 * or {@code log-version-1-WHAT} if the version does not change. An existing directory is never
 * rewritten or edited, because it contains the files that its build wrote.
 */
final class LogFixtureWriterTest {
  private static final String DIRECTORY_PROPERTY = "tidemark.fixtures.write";

  // log-version-1, log-version-1-accounts
  private static final Pattern DIRECTORY = Pattern.compile("log-version-(\\d+)(-[a-z0-9-]+)?");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void fixturesOfThisBuildCanBeOpened(@TempDir Path temporary) throws Exception {
    String directory = System.getProperty(DIRECTORY_PROPERTY, "log-version-0");
    List<LogFixture> fixtures = LogFixtureScenes.play(directory);
    for (LogFixture fixture : fixtures) {
      fixture.writeBelow(temporary);
    }
    List<LogFixture> written = LogFixture.allBelow(temporary);
    assertThat(written).hasSameSizeAs(fixtures);
    for (LogFixture fixture : written) {
      ReopenedFixture.check(fixture);
    }
    if (System.getProperty(DIRECTORY_PROPERTY) != null) {
      keep(directory, fixtures);
    }
  }

  private static void keep(String directory, List<LogFixture> fixtures) throws IOException {
    Matcher name = DIRECTORY.matcher(directory);
    assertThat(name.matches()).as("%s is like log-version-1", directory).isTrue();
    Path resources = Path.of(System.getProperty("basedir", ""), "src", "test", "resources");
    Path root = resources.resolve("fixtures");
    assertThat(root.resolve(directory)).as("fixtures are written once").doesNotExist();
    for (LogFixture fixture : fixtures) {
      for (byte[] entry : fixture.entries().values()) {
        assertThat(JSON.readTree(entry).path("version").asText()).isEqualTo(name.group(1));
      }
    }
    for (LogFixture fixture : fixtures) {
      fixture.writeBelow(root);
    }
  }
}
