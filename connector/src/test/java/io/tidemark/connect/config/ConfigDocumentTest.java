package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.config.RegistryConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

/** Holds docs/CONFIG.md to the configuration's definition. */
class ConfigDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "CONFIG.md");
  private static final Path REGISTRY = Path.of("..", "docs", "REGISTRY.md");
  private static final String WRITE = "tidemark.docs.write";

  @Test
  void documentSaysWhatTheDefinitionSays() throws IOException {
    String generated = document();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(DOCUMENT, generated);
    }
    assertThat(Files.readString(DOCUMENT))
        .as(
            "docs/CONFIG.md differs from the definition; generate it: mvn test -pl connector -am "
                + "-Dtest=ConfigDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
            WRITE)
        .isEqualTo(generated);
  }

  /** A key of the client that REGISTRY.md lacks would be missing here, too. */
  @Test
  void everyKeyOfTheRegistrysClientIsInRegistryMd() throws IOException {
    Set<String> documented = new HashSet<>();
    registryRows().forEach(row -> documented.addAll(keys(row)));
    documented.addAll(ConnectorConfig.DEFINITION.names());

    assertThat(RegistryConfig.keys())
        .allSatisfy(
            key ->
                assertThat(documented)
                    .as(key)
                    .containsAnyOf(
                        key,
                        key.replaceFirst("^schema\\.registry\\.", ""),
                        "schema.registry." + key));
  }

  private static String document() throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            # Settings of the connector

            Generated from the configuration's definition; a test holds it there. Sizes are in bytes and times in
            milliseconds, as the keys say. The framework's own keys (`name`, `topics`, `tasks.max`, `consumer.override.…`)
            come on top; [config/README.md](../config/README.md) gives those that matter here, with their reasons.
            Everything that is wrong in a configuration comes back at once from
            `PUT /connector-plugins/TidemarkSinkConnector/config/validate`.
            """);
    ConfigDef definition = ConnectorConfig.DEFINITION;
    for (String group : definition.groups()) {
      if (group.isEmpty()) {
        continue; // The connector's own words to its tasks.
      }
      text.append("\n## ")
          .append(group)
          .append("\n\n| key | default | values | what it is |\n|---|---|---|---|\n");
      definition.configKeys().values().stream()
          .filter(key -> group.equals(key.group) && !key.internalConfig)
          .sorted((one, other) -> Integer.compare(one.orderInGroup, other.orderInGroup))
          .forEach(key -> text.append(row(key)));
    }
    text.append(
        """

        ## Settings of single topics and tables

        `topic.NAME.KEY` stands for one topic over `KEY`, and `table.DATABASE.TABLE.KEY` for one table over both; the table is
        written as Hive has it, in small letters. Example: `topic.orders.partitioner.class=DailyPartitioner`,
        `table.sales.orders.avro.codec=zstandard`. [REFERENCE.md](REFERENCE.md#routing) and
        [COMPLETENESS.md](COMPLETENESS.md#single-topics-and-tables) have the rules. What is set for all, and has no effect with
        what is set for one, is left out there: `topic.clicks.timestamp.extractor=Record` needs no change of `timestamp.field`.
        These keys can be set so:

        | key | of a topic | of a table |
        |---|---|---|
        """);
    Stream.of(ScopedKey.Scope.values())
        .flatMap(scope -> scope.keys().stream())
        .distinct()
        .forEach(key -> text.append(scopedRow(key)));
    text.append(scopedRow(ConnectorConfig.PARTITIONER_CONFIG_PREFIX + "…"));
    text.append(
        """

        ## Further keys of the registry's client

        These are the connector's, too. The rows are those of [REGISTRY.md](REGISTRY.md#settings), which has more on each.

        | key | what it is | default |
        |---|---|---|
        """);
    registryRows().stream()
        .filter(row -> !ConnectorConfig.DEFINITION.names().containsAll(keys(row)))
        .forEach(row -> text.append(row).append('\n'));
    text.append(
        """

        ## Keys of Confluent's HDFS sink

        What becomes of each key of its versions 2 and 3. A key that is taken with a warning has a line in the worker's log.
        So has a key that is left out and whose default differs; where keys are refused, it is an error beside them.

        | key | verdict | what it means here, or what to set |
        |---|---|---|
        """);
    HdfsSinkKeys.all().forEach(key -> text.append(row(key)));
    return text.toString();
  }

  private static String scopedRow(String key) {
    boolean any = key.endsWith("…");
    return "| `%s` | %s | %s |\n"
        .formatted(
            key,
            any || ScopedKey.Scope.TOPIC.keys().contains(key) ? "yes" : "no",
            any || ScopedKey.Scope.TABLE.keys().contains(key) ? "yes" : "no");
  }

  /** The rows of the tables of settings. */
  private static List<String> registryRows() throws IOException {
    return Files.readAllLines(REGISTRY).stream()
        .dropWhile(line -> !line.equals("## Settings"))
        .takeWhile(line -> !line.equals("## A registry that was wiped"))
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  /**
   * The keys of a row, of which later ones may be written from their last dot on. Example: <code>
   * | `ssl.keystore.location`, `.type` | …</code>
   */
  private static Set<String> keys(String row) {
    Set<String> keys = new LinkedHashSet<>();
    String start = "";
    Matcher key = Pattern.compile("`([^`]+)`").matcher(row.substring(0, row.indexOf('|', 1)));
    while (key.find()) {
      if (start.isEmpty()) {
        start = key.group(1).replaceFirst("\\.[^.]+$", "");
      }
      keys.add(key.group(1).startsWith(".") ? start + key.group(1) : key.group(1));
    }
    return keys;
  }

  private static String row(HdfsSinkKeys.Key key) {
    String name = key.name().endsWith(".") ? key.name() + "…" : key.name();
    String harmless =
        key.harmless().isEmpty()
            ? ""
            : key.harmless().stream()
                .sorted()
                .map(value -> value.isEmpty() ? "nothing" : "`" + value + "`")
                .collect(Collectors.joining(", ", ", but for ", ""));
    return "| `%s` | %s%s | %s |%n".formatted(name, key.verdict(), harmless, key.text());
  }

  private static String row(ConfigKey key) {
    return "| `%s` | %s | %s | %s |%n"
        .formatted(key.name, defaultOf(key), values(key), key.documentation.replace("|", "\\|"));
  }

  private static String defaultOf(ConfigKey key) {
    if (!key.hasDefault()) {
      return "required";
    }
    if (key.name.equals(ConnectorConfig.STAGING_THREADS)) {
      return "cores, at most 4";
    }
    String text = key.defaultValue == null ? "" : key.defaultValue.toString();
    return text.isEmpty() || key.type() == ConfigDef.Type.PASSWORD ? "" : "`" + text + "`";
  }

  private static String values(ConfigKey key) {
    String type = key.type().name().toLowerCase(Locale.ROOT);
    return key.validator == null ? type : type + ": " + key.validator;
  }
}
