package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.RealStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The stacks of docker/compose.yaml and of the tests create HDFS's directories as
 * docs/OPERATIONS.md requires.
 */
class DirectoryModesTest {
  private static final Path ROOT = Path.of("..");

  /** A row. Example: {@code | `/logs` (`logs.dir`) | the workers' user | 700 | commit logs |}. */
  private static final Pattern REQUIRED =
      Pattern.compile("(?m)^\\| `(/\\w+)` .*\\| the workers' user \\| (\\d{3}) \\|");

  /** An argument. Example: {@code - "700:kafka:kafka:/logs"}. */
  private static final Pattern CREATED =
      Pattern.compile("(?m)^ +- \"(?<mode>\\d{3}):kafka:\\w+:(?<path>/\\w+)\"$");

  @Test
  void stacksCreateDirectoriesWithTheRequiredModes() throws IOException {
    Map<String, String> required = new TreeMap<>();
    Matcher row = REQUIRED.matcher(Files.readString(ROOT.resolve("docs/OPERATIONS.md")));
    while (row.find()) {
      required.put(row.group(1), row.group(2));
    }
    Map<String, String> created = new TreeMap<>();
    Matcher argument = CREATED.matcher(Files.readString(ROOT.resolve("docker/compose.yaml")));
    while (argument.find()) {
      created.put(argument.group("path"), argument.group("mode"));
    }
    assertThat(required).containsEntry("/logs", "700").containsEntry("/topics", "750").hasSize(3);
    assertThat(created).isEqualTo(required);
    assertThat(RealStack.MODES).isEqualTo(required);
  }
}
