package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.DeployedConnector.Ended;
import io.tidemark.connect.TidemarkSinkConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Migrates configurations of the forms that are found in public repositories, made anonymous. The
 * expected answer is beside each; {@code -Dtidemark.fixtures.write=migrate} writes it.
 */
class MigrateCommandTest {
  private static final Path FIXTURES = Path.of("src", "test", "resources", "migrate");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  static List<Path> fixtures() throws IOException {
    try (Stream<Path> files = Files.list(FIXTURES)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static Ended migrate(Path file, String... options) {
    List<String> arguments = new ArrayList<>(List.of("migrate", file.toString()));
    arguments.addAll(List.of(options));
    return DeployedConnector.runAs(arguments.toArray(String[]::new));
  }

  private Ended migrateText(String text) throws IOException {
    return migrate(Files.writeString(directory.resolve("old.json"), text));
  }

  private static Map<String, String> settings(String json) throws IOException {
    JsonNode root = JSON.readTree(json);
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each :
        (root.path("config").isObject() ? root.path("config") : root).properties()) {
      settings.put(each.getKey(), each.getValue().asText());
    }
    return settings;
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void answerIsTheExpectedOne(Path fixture) throws IOException {
    Path expected = Path.of(fixture.toString().replace(".json", ".txt"));
    Ended ended = migrate(fixture);
    String answer = "%s\n%sexit code %d\n".formatted(ended.out(), ended.err(), ended.code());
    if (System.getProperty("tidemark.fixtures.write", "").equals("migrate")) {
      Files.writeString(expected, answer);
    }

    assertThat(answer).isEqualTo(Files.readString(expected));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void newConfigurationHasOnlyErrorsThatTheReportNames(Path fixture) throws IOException {
    Ended ended = migrate(fixture);
    Map<String, String> settings = settings(ended.out());
    settings.put("validation.connect", "false");
    // Files of the worker, and values that it replaces.
    settings
        .keySet()
        .removeIf(key -> key.equals("hadoop.conf.dir") || key.startsWith("schema.registry.ssl."));
    settings.replaceAll((key, value) -> value.startsWith("${file:") ? "100000" : value);

    for (ConfigValue value : new TidemarkSinkConnector().validate(settings).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        assertThat(ended.err())
            .contains("Rejected by the connector's validation:", "- " + value.name() + ": ")
            .contains(value.errorMessages());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void noKeyIsDroppedSilently(Path fixture) throws IOException {
    Ended ended = migrate(fixture);
    Map<String, String> settings = settings(ended.out());

    for (String key : settings(Files.readString(fixture)).keySet()) {
      String listed = key.replaceFirst("^(transforms\\.[^.]+\\.).*", "$1*");
      assertThat(settings.containsKey(key) || isListed(key, ended) || isListed(listed, ended))
          .as(key)
          .isTrue();
    }
  }

  private static boolean isListed(String key, Ended ended) {
    return Pattern.compile("(?m)^- %s(:|=| \\(| is now |$)".formatted(Pattern.quote(key)))
        .matcher(ended.err())
        .find();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void secretsAreNotInTheReport(Path fixture) throws IOException {
    Ended ended = migrate(fixture);
    Map<String, String> old = settings(Files.readString(fixture));

    assertThat(ended.err()).doesNotContain("s3cret").doesNotContain("${file:");
    assertThat(settings(ended.out()).values().stream().filter(value -> value.contains("s3cret")))
        .isSubsetOf(old.values());
  }

  @Test
  void kerberosIsNeverDroppedSilently() throws IOException {
    Ended ended =
        migrateText(
            """
            {"connector.class": "com.cloudera.dim.kafka.connect.hdfs.HdfsSinkConnector",
             "topics": "orders", "hdfs.uri": "hdfs://namenode:8020",
             "hdfs.kerberos.authentication": true,
             "hdfs.kerberos.user.principal": "connect@EXAMPLE.COM",
             "hdfs.kerberos.keytab.path": "/etc/connect.keytab"}
            """);

    Map<String, String> settings = settings(ended.out());
    for (String key :
        List.of("hdfs.authentication.kerberos", "connect.hdfs.principal", "connect.hdfs.keytab")) {
      assertThat(settings.containsKey(key) || ended.err().contains("- " + key + ": "))
          .as(key)
          .isTrue();
    }
  }

  @Test
  void whatTheOldConnectorTookFromElsewhereIsToBeChecked() throws IOException {
    Ended ended =
        migrateText(
            """
            {"connector.class": "io.confluent.connect.hdfs.HdfsSinkConnector", "topics": "orders",
             "hdfs.url": "hdfs://namenode:8020", "flush.size": "1000",
             "rotate.interval.ms": "9223372036854775807",
             "hive.integration": "true", "hdfs.authentication.kerberos": "true",
             "consumer.override.auto.offset.reset": "latest",
             "consumer.override.group.id": "orders"}
            """);

    assertThat(settings(ended.out())).doesNotContainKey("batch.interval.ms");
    assertThat(ended.err())
        .contains("- batch.interval.ms: The old connector committed by flush.size")
        .contains("- hive.metastore.kerberos.principal: ")
        .contains("- consumer.override.auto.offset.reset: ")
        .contains("- consumer.override.group.id: ");
  }

  @Test
  void pathOfTheUrlIsInTheDirectories() throws IOException {
    String text =
        """
        {"connector.class": "io.confluent.connect.hdfs.HdfsSinkConnector", "topics": "orders",
         "hdfs.url": "hdfs:///data/", "topics.dir": "/", "logs.dir": "${topic}/wal"}
        """;
    Ended ended = migrateText(text);

    assertThat(settings(ended.out()))
        .containsEntry("store.url", "hdfs://name-node:8020")
        .containsEntry("topics.dir", "data")
        .containsEntry("logs.dir", "data/logs");
    assertThat(ended.err()).contains("- store.url=hdfs://name-node:8020: ");
  }

  @Test
  void valuesOfConfigProvidersRemain() throws IOException {
    Map<String, String> provided =
        Map.of(
            "topics.dir", "${file:/etc/dirs:topics}",
            "logs.dir", "${env:LOGS}",
            "store.url", "${file:/etc/dirs:url}",
            "path.format", "${file:/etc/dirs:path}");
    Map<String, String> old = new LinkedHashMap<>(provided);
    old.put("connector.class", "io.confluent.connect.hdfs.HdfsSinkConnector");
    old.put("partitioner.class", "TimeBasedPartitioner");
    old.put("partition.duration.ms", "3600000");
    Ended ended = migrateText(JSON.writeValueAsString(old));

    assertThat(settings(ended.out())).containsAllEntriesOf(provided);
    assertThat(ended.err()).doesNotContain("Rejected").doesNotContain("${");
  }

  @Test
  void statementThatIsNotUnderstoodIsListed() throws IOException {
    Ended ended =
        migrateText(
            """
            {"connector.class": "io.lenses.streamreactor.connect.hive.sink.HiveSinkConnector",
             "connect.hive.kcql": "upsert into a; insert into b select * from c STOREAS avro WITH_FLUSH_INTERVAL = 99999999999"}
            """);

    assertThat(ended.err())
        .contains("This statement is not understood: upsert into a")
        .contains("- connect.hive.kcql (WITH_FLUSH_INTERVAL = 99999999999): These clauses");
    assertThat(settings(ended.out())).containsEntry("topic2table.map", "c:b");
  }

  @Test
  void valuesOfTheOperatorReplacePlaceholders() throws IOException {
    Ended ended =
        migrate(
            FIXTURES.resolve("hdfs2-time-based.json"),
            "--set",
            "kafka.bootstrap.servers=broker1:9092",
            "--set",
            "name=events");

    assertThat(settings(ended.out())).containsEntry("kafka.bootstrap.servers", "broker1:9092");
    assertThat(JSON.readTree(ended.out()).path("name").asText()).isEqualTo("events");
    assertThat(ended.err()).doesNotContain("kafka:9092");
  }

  @Test
  void badInputIsWrongUsageWithACure() throws IOException {
    Map<String, String> mistakes =
        Map.of(
            "connector.class=x\npassword=s3cret", "this is not JSON, at line 1",
            "[1]", "this is not a JSON object",
            "{\"topics\": \"a\"}", "connector.class is not set",
            "{\"connector.class\": \"com.example.Sink\"}", "this sink is not known",
            "{\"connector.class\": {\"a\": 1}}", "the value of connector.class is not a text",
            "{\"a\": 1, \"a\": 2}", "this is not JSON");
    for (Map.Entry<String, String> mistake : mistakes.entrySet()) {
      Ended ended = migrateText(mistake.getKey());

      assertThat(ended.code()).as(ended.err()).isEqualTo(2);
      assertThat(ended.err()).contains(mistake.getValue()).doesNotContain("s3cret");
      assertThat(ended.out()).isEmpty();
    }
    Ended missing = migrate(directory.resolve("missing.json"));
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("missing.json: the file cannot be read");
  }

  private String report(String settings) throws IOException {
    return migrateText(
            """
            {"name": "old", "connector.class": "io.confluent.connect.hdfs.HdfsSinkConnector",
             "topics": "orders", "hdfs.url": "hdfs://nn:8020", "flush.size": "1000",
             "value.converter": "io.confluent.connect.avro.AvroConverter",
             "value.converter.schema.registry.url": "http://r:8081", "locale": "en",
             "partitioner.class": "io.confluent.connect.storage.partitioner.HourlyPartitioner"%s}
            """
                .formatted(settings))
        .toString();
  }

  /** The ledger's tables need a database that does not depend on the topic. */
  @Test
  void databaseOfAConfigProviderIsNotTakenForOneOfATopic() throws IOException {
    assertThat(
            report(
                ", \"timezone\": \"UTC\", \"hive.integration\": \"true\", \"hive.metastore.uris\": \"thrift://m:9083\", \"hive.database\": \"${file:/secrets:db}\""))
        .contains("hive.database: Not checked")
        .doesNotContain("Rejected by the connector's validation");
  }

  @ParameterizedTest
  @CsvSource({"EST, Etc/GMT+5", "MST, Etc/GMT+7", "HST, Etc/GMT+10", "ROC, Asia/Taipei"})
  void zoneThatOnlyJodaNamesIsKept(String old, String zone) throws IOException {
    assertThat(report(", \"timezone\": \"%s\"".formatted(old)))
        .contains("\"timezone\": \"%s\"".formatted(zone))
        .doesNotContain("Rejected by the connector's validation");
  }

  @Test
  void keysOfTheFrameworkAreChecked() throws IOException {
    assertThat(report(", \"timezone\": \"UTC\", \"tasks.max\": \"two\""))
        .contains("tasks.max: two is not a number from 1 on");
    assertThat(report(", \"timezone\": \"UTC\"").contains("tasks.max: ")).isFalse();
    assertThat(report(", \"timezone\": \"UTC\", \"topics.regex\": \"orders-(\""))
        .contains("topics.regex: Unclosed group");
  }

  @Test
  void ledgerIsBesideLogsThatAreNotAtTheRoot() throws IOException {
    assertThat(report(", \"timezone\": \"UTC\", \"logs.dir\": \"/data/land/logs\""))
        .contains("\"ledger.dir\": \"data/land/ledger\"");
    assertThat(report(", \"timezone\": \"UTC\"")).doesNotContain("ledger.dir");
  }
}
