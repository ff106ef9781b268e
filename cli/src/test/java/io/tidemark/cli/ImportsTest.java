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
  void onlyTheServicesOfAConnectorUseThePlugin() throws IOException {
    Set<String> importing = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file).contains(PLUGIN)) {
          importing.add(file.getFileName().toString());
        }
      }
    }
    assertThat(importing).containsExactly("ConnectorServices.java");
  }
}
