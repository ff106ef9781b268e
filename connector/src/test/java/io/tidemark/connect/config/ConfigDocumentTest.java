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
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

/** Compares docs/CONFIG.md with the configuration's definition. */
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

  /** Without this test, a key of the client that REGISTRY.md lacks could be missing here, too. */
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

            Generated from the code. Sizes are in bytes and times in milliseconds, as the names of the keys show. Required are
            `store.url`, `kafka.bootstrap.servers`, `schema.registry.url`, `value.converter`, and one of
            `consumer.override.isolation.level` and `worker.isolation.level`; with `hive.integration=true` also
            `hive.metastore.uris`. Set `key.converter` and `header.converter` to the ByteArrayConverter, too: other converters of
            the worker may fail at keys, or change ids in headers. Kafka Connect's own keys (`name`, `topics`, `tasks.max`,
            `consumer.override.…`) can be set in addition; [config/README.md](../config/README.md) lists those that matter, with
            reasons.

            `PUT /connector-plugins/TidemarkSinkConnector/config/validate` returns all errors of a configuration at once. If you PUT
            a changed configuration, Connect restarts the tasks, and the new values apply. To change directories, names or
            partitioners, follow [OPERATIONS.md](OPERATIONS.md#move-or-rename).

            [ARCHITECTURE.md](ARCHITECTURE.md#words) explains words such as *batch*, *flush* and *ledger*, and
            [RELIABILITY.md](RELIABILITY.md#states) the states *paused*, WAITING and REFUSED, and the classes *skipped*, *lost* and
            *not delivered*.
            """);
    ConfigDef definition = ConnectorConfig.DEFINITION;
    for (String group : definition.groups()) {
      if (group.isEmpty()) {
        continue; // Keys that the connector sets for its tasks.
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

        `topic.NAME.KEY` overrides `KEY` for one topic. `table.DATABASE.TABLE.KEY` overrides both for one table; write DATABASE
        and TABLE as in Hive, in lower case. Examples: `topic.orders.partitioner.class=DailyPartitioner`,
        `table.sales.orders.avro.codec=zstandard`. A key of the connector that an override makes useless is ignored there, such
        as `timestamp.field` with `topic.clicks.timestamp.extractor=Record`. [TABLES.md](TABLES.md#routing) and
        [COMPLETENESS.md](COMPLETENESS.md#single-topics-and-tables) have the rules.

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

        These keys can be set for the connector as well; [REGISTRY.md](REGISTRY.md#settings) explains them. With
        `completeness.events.topic` also `auto.register.schemas`, a key of the client's serializer.
        `schema.registry.request.timeout.ms` has the values of the [table above](#schema-registry). `max.retries` is also a key
        of Confluent's HDFS sink, so the worker logs a [warning](#keys-of-confluents-hdfs-sink) about it.

        | key | what it is | default |
        |---|---|---|
        """);
    registryRows().stream()
        .filter(row -> !ConnectorConfig.DEFINITION.names().containsAll(keys(row)))
        .forEach(row -> text.append(row).append('\n'));
    text.append(
        """

        ## Keys of Confluent's HDFS sink

        The keys of its versions 2 and 3. The worker logs a warning for each key that is accepted with a warning.

        Three defaults differ from Confluent's sink: `partitioner.class`, `avro.codec` and, with a partitioner by time,
        `timestamp.extractor`. The worker logs a warning for each that is absent, if the configuration seems to be one of
        Confluent's sink. Such a configuration has `flush.size`, a key that is not "kept" below, or a `partitioner.class` that
        begins with `io.confluent.`. If validation rejects a key below, it returns these warnings as errors, too, so that you
        see all differences at once.

        | key | result | meaning in Tidemark, or what to set |
        |---|---|---|
        """);
    HdfsSinkKeys.ALL.forEach(key -> text.append(row(key)));
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
        key.harmless()
            .map(value -> value.isEmpty() ? "an empty value" : "`" + value + "`")
            .map(value -> ", except " + value)
            .orElse("");
    String verdict =
        switch (key.verdict()) {
          case KEPT -> "kept";
          case WARNED -> "accepted with a warning";
          case REJECTED -> "rejected";
        };
    return "| `%s` | %s%s | %s |%n".formatted(name, verdict, harmless, key.text());
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
    return key.validator == null
        ? type
        : type + ": " + key.validator.toString().replace("[, ", "[empty, ");
  }
}
