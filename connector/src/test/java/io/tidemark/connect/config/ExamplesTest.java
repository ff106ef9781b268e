package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.TidemarkSinkConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The configurations of config/ are valid, and config/README.md has the reason for each line. */
class ExamplesTest {
  private static final Path FOLDER = Path.of("..", "config");
  private static final String COMPLETE = "stock-quotes.json";

  /** Keys with names of the example itself. */
  private static final List<String> NAMES = List.of("name", "topics");

  @ParameterizedTest
  @MethodSource("files")
  void exampleHasNoError(String file) throws IOException {
    Map<String, String> config = new HashMap<>(config(file));
    config.put("validation.connect", "false"); // Its addresses do not exist on this machine.

    assertThat(
            new TidemarkSinkConnector()
                .validate(config).configValues().stream()
                    .filter(value -> !value.errorMessages().isEmpty())
                    .map(ConfigValue::toString))
        .isEmpty();
    assertThat(ConfigChecks.warnings(ConnectorConfig.unchecked(config))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("files")
  void readmeHasTheReasonForEachLineThatDiffersFromTheCompleteOne(String file) throws IOException {
    String section = section(file);
    Map<String, String> complete = config(COMPLETE);
    Map<String, String> differing = new TreeMap<>(config(file));
    if (!file.equals(COMPLETE)) {
      differing.entrySet().removeIf(line -> line.getValue().equals(complete.get(line.getKey())));
      differing.keySet().removeAll(NAMES);
    }
    String consumers =
        file.equals(COMPLETE) ? Files.readString(FOLDER.resolve("README.md")) : section;
    assertThat(differing.keySet())
        .allSatisfy(key -> assertThat(consumers).contains("`" + key + "`"));
  }

  @Test
  void readmeNamesEachFile() throws IOException {
    String readme = Files.readString(FOLDER.resolve("README.md"));
    files().forEach(file -> assertThat(readme).contains("[" + file + "](" + file + ")"));
  }

  static Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static String section(String file) throws IOException {
    String readme = Files.readString(FOLDER.resolve("README.md"));
    int begin = readme.indexOf("\n## " + file);
    assertThat(begin).as("config/README.md has a section %s", file).isNotNegative();
    int end = readme.indexOf("\n## ", begin + 1);
    return readme.substring(begin, end < 0 ? readme.length() : end);
  }

  private static Map<String, String> config(String file) throws IOException {
    return new ObjectMapper()
        .readValue(FOLDER.resolve(file).toFile(), new TypeReference<TreeMap<String, String>>() {});
  }
}
