package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command looks at a connector from outside. */
class ImportsTest {
  private static final String PLUGIN = "import io.tidemark.connect.";

  @Test
  void ofThePluginOnlyItsServicesAreUsed() throws IOException {
    Set<String> imported = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Stream<String> lines = Files.lines(file)) {
          lines.filter(line -> line.startsWith(PLUGIN)).forEach(imported::add);
        }
      }
    }
    assertThat(imported).containsExactly(PLUGIN + "ConnectorServices;");
  }
}
