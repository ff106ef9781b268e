package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.adopt.OldSinkDirectories;
import io.tidemark.cli.adopt.SentRecords;
import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.OldConfig;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.Service;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Directories that the old sink left, on real services: adopted by the command, and continued by
 * the plugin with the same records at the same offsets. HiveServer2 must return each record once,
 * with its values, as in a table in which the plugin has landed all of them.
 */
@Tag("long")
class AdoptIT {
  private static final Duration DEADLINE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static LocalStack stack;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws IOException {
    stack =
        LocalStack.builder()
            .directory(Files.createTempDirectory(Path.of("target"), "stack-"))
            .with(Service.REGISTRY, Service.METASTORE, Service.CONNECT, Service.HIVE_SERVER)
            .pluginArchive(pluginArchive())
            .firstCompilerOnly()
            .start();
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  private static Path pluginArchive() throws IOException {
    try (DirectoryStream<Path> archives =
        Files.newDirectoryStream(
            Path.of("..", "connector", "target"), "tidemark-kafka-connect-*.zip")) {
      return archives.iterator().next();
    }
  }

  /**
   * All that the command accepts without an option, and whose records can be sent again: some
   * archives have no schema of the registry.
   */
  static List<String> accepted() throws IOException {
    List<String> accepted = new ArrayList<>(OldSinkDirectories.withSchemas());
    accepted.removeAll(OldSinkDirectories.REFUSED);
    // Values that Hive escapes, or that are Hive's name of null.
    accepted.removeIf(each -> each.matches("b-field/(slash|values|stop-timed-out)"));
    // Each letter of a pattern, of which some are the same column in Hive.
    accepted.removeIf(each -> each.startsWith("c-hourly/letters"));
    assertThat(accepted).hasSize(35);
    return accepted;
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void everyRecordIsThereOnceWithItsValues(String state) throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of(state);
    String id = state.replaceAll("[^a-z0-9]", "_");
    SentRecords sent = old.sent();
    Set<String> topics = sent.topics();
    restore(old);
    Map<String, String> given = new TreeMap<>(services());
    given.put("name", "new-" + id);
    given.put("logs.dir", "new-logs");
    given.put("hive.table.name", "adopted_" + id + "_${topic}");
    Map<String, String> settings = configured(old.settings(), given);
    adopt(old, settings);

    Map<String, String> all = new TreeMap<>(given);
    all.put("name", "all-" + id);
    all.put("logs.dir", "all-logs");
    all.put("topics.dir", "all-topics-" + id);
    all.put("hive.table.name", "all_" + id + "_${topic}");
    stack.connect().client().configure("new-" + id, settings);
    stack.connect().client().configure("all-" + id, configured(old.settings(), all));
    try {
      for (String topic : topics) {
        compare(settings, topic, id, sent.count(topic));
      }
      // Several topic-partitions have published files before the first registers the new table.
      assertThat(stack.connect().worker(0).process().log().text().lines())
          .noneMatch(line -> line.contains(id) && line.contains("no longer in Hive"));
    } finally {
      stack.connect().client().delete("new-" + id);
      stack.connect().client().delete("all-" + id);
      deleteTopics(topics);
    }
  }

  /** The table that the old sink had created keeps its name, and gets the new files. */
  @Test
  void oldTableInHiveIsContinued() throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of("d-hive/default");
    restore(old);
    JsonNode table = JSON.readTree(old.metastore().orElseThrow()).at("/tables/0/table");
    stack
        .hive()
        .execute(
            "create database if not exists old",
            """
            create external table old.stays_default
            partitioned by (`partition` string)
            row format serde 'org.apache.hadoop.hive.serde2.avro.AvroSerDe'
            stored as inputformat 'org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat'
            outputformat 'org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat'
            location '%s/topics/stays-default'
            tblproperties ('avro.schema.literal'='%s')
            """
                .formatted(
                    stack.hdfs().uri(), table.at("/parameters/avro.schema.literal").asText()),
            "alter table old.stays_default add partition (`partition`='0')");
    long before = count("old.stays_default");
    Map<String, String> given = new TreeMap<>(services());
    given.put("name", "continued");
    given.put("logs.dir", "new-logs");
    Map<String, String> settings = configured(old.settings(), given);

    assertThat(adopt(old, settings).out())
        .contains("the new connector continues Hive's table old.stays_default");

    long sent = old.sent().count("stays-default");
    assertThat(before).isBetween(1L, sent - 1);
    stack.connect().client().configure("continued", settings);
    try {
      Polling.until(
          "the table has all rows",
          DEADLINE,
          () -> {
            long rows = count("old.stays_default");
            return rows == sent
                ? Optional.empty()
                : Optional.of(rows + ", " + stack.connect().client().status("continued"));
          });
      assertThat(stack.hive().query("select count(distinct p, n) from old.stays_default"))
          .isEqualTo(List.of(List.of(sent)));
      assertThat(stack.hive().query("show tblproperties old.stays_default"))
          .contains(List.of("tidemark.log", "continued"));
    } finally {
      stack.connect().client().delete("continued");
      deleteTopics(old.sent().topics());
    }
  }

  /**
   * The old sink wrote {@code 50%}, {@code a/b}, {@code k=v}, {@code #}, quotes and empty values to
   * directories in which Hive does not look. The new connector refuses the record after the last
   * row: its value is Hive's name of null.
   */
  @Test
  void rowsOfValuesThatHiveEscapesAreReturned() throws Exception {
    String nullInHive = "__HIVE_DEFAULT_PARTITION__"; // The text that a query returns.
    int seam = 50;
    int last = 55;
    OldSinkDirectories old = OldSinkDirectories.of("d-hive/field");
    restore(old);
    Map<String, String> given = new TreeMap<>(services());
    given.put("name", "escapes");
    given.put("logs.dir", "new-logs");
    given.put("hive.table.name", "escapes_${topic}");
    Map<String, String> settings = configured(old.settings(), given);

    adopt(old, settings, "--move-to-hive-directories");

    List<String> expected = new ArrayList<>();
    for (JsonNode each : old.sent().lines()) {
      JsonNode value = each.get("value");
      int at = each.get("offset").asInt();
      if (at <= last) {
        // The old sink wrote the text null for null.
        String city = value.get("city").isNull() && at >= seam ? "" : value.get("city").asText();
        expected.add(
            List.of(
                    value.get("n").asText(),
                    city.isEmpty() ? nullInHive : city,
                    value.get("grade").asText(),
                    value.get("text").asText())
                .toString());
      }
    }
    expected.sort(null);
    stack.connect().client().configure("escapes", settings);
    try {
      Polling.until(
          "the table has all rows",
          DEADLINE,
          () -> {
            long rows = count("old.escapes_stays");
            return rows == expected.size()
                ? Optional.empty()
                : Optional.of(rows + ", " + stack.connect().client().status("escapes"));
          });
      assertThat(rows("select n, city, grade, text from old.escapes_stays")).isEqualTo(expected);
    } finally {
      stack.connect().client().delete("escapes");
      deleteTopics(old.sent().topics());
    }
  }

  /** Writes the directories to HDFS, and the records and the group's offsets to Kafka. */
  private static void restore(OldSinkDirectories old) throws Exception {
    WebHdfs hdfs = stack.hdfs().files();
    for (String root : List.of("/topics", "/logs", "/new-logs")) {
      hdfs.delete(root);
    }
    for (Map.Entry<String, byte[]> each : old.files().entrySet()) {
      hdfs.write(each.getKey(), each.getValue());
    }
    produce(old.sent());
    Map<TopicPartition, OffsetAndMetadata> group = new HashMap<>();
    old.kafka()
        .group()
        .forEach(
            (at, offset) ->
                group.put(
                    new TopicPartition(at.topic(), at.partition()), new OffsetAndMetadata(offset)));
    try (Admin admin = stack.kafka().admin()) {
      admin.alterConsumerGroupOffsets(old.group(), group).all().get();
    }
  }

  private DeployedConnector.Ended adopt(
      OldSinkDirectories old, Map<String, String> settings, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("adopt");
    arguments.add(write("old.json", old.settings()).toString());
    arguments.add(write("new.json", settings).toString());
    arguments.addAll(List.of(options));
    DeployedConnector.Ended dry = run(arguments.toArray(String[]::new));
    assertThat(dry.code()).as(dry.out() + dry.err()).isZero();
    arguments.add("--execute");
    DeployedConnector.Ended adopted = run(arguments.toArray(String[]::new));
    assertThat(adopted.code()).as(adopted.out() + adopted.err()).isZero();
    return adopted;
  }

  private static void deleteTopics(Set<String> topics) throws Exception {
    try (Admin admin = stack.kafka().admin()) {
      admin.deleteTopics(topics).all().get();
    }
  }

  private static void compare(Map<String, String> settings, String topic, String id, long count)
      throws Exception {
    String database = settings.getOrDefault("hive.database", "default");
    String suffix = "_" + id + "_" + topic.replaceAll("[^A-Za-z0-9_]", "_");
    Polling.until(
        topic + " has landed",
        DEADLINE,
        () -> {
          long adopted = count(database + ".adopted" + suffix);
          long whole = count(database + ".all" + suffix);
          return adopted == count && whole == count
              ? Optional.empty()
              : Optional.of(
                  "%d and %d of %d rows; %s; %s"
                      .formatted(
                          adopted,
                          whole,
                          count,
                          stack.connect().client().status("new-" + id),
                          stack.connect().client().status("all-" + id)));
        });
    List<String> columns = new ArrayList<>();
    for (List<?> row : stack.hive().query("describe " + database + ".all" + suffix)) {
      String name = String.valueOf(row.get(0));
      if (name.isBlank() || name.startsWith("#")) {
        break;
      }
      columns.add("`" + name + "`");
    }
    if (id.startsWith("c_hourly")) {
      // Before 1970 the old sink rounded local times up. Its files stay where they are.
      columns.removeAll(List.of("`dt`", "`hour`"));
    }
    String values = " select " + String.join(", ", columns) + " from " + database + ".";
    assertThat(rows(values + "adopted" + suffix)).isEqualTo(rows(values + "all" + suffix));
  }

  private static List<String> rows(String select) throws SQLException {
    return stack.hive().query(select.trim()).stream()
        .map(row -> row.stream().map(AdoptIT::text).toList().toString())
        .sorted()
        .toList();
  }

  private static String text(@Nullable Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }

  private static long count(String table) {
    try {
      // Unlike count(*), this needs no job.
      return stack.hive().query("select 1 from " + table).size();
    } catch (SQLException e) {
      return -1; // The table is not registered yet.
    }
  }

  private static void produce(SentRecords sent) throws Exception {
    try (Admin admin = stack.kafka().admin()) {
      List<NewTopic> topics = new ArrayList<>();
      for (String topic : sent.topics()) {
        topics.add(new NewTopic(topic, sent.partitions(topic), (short) 1));
      }
      admin.createTopics(topics).all().get();
    }
    sent.produce(stack.kafka().bootstrapServers(), stack.registry().url());
  }

  private static Map<String, String> services() {
    Map<String, String> services = new HashMap<>();
    services.put("kafka.bootstrap.servers", stack.kafka().bootstrapServers());
    services.put("schema.registry.url", stack.registry().url());
    services.put("store.url", stack.hdfs().uri().toString());
    services.put("hadoop.conf.dir", "");
    services.put("hive.integration", "true");
    services.put("hive.metastore.uris", stack.metastore().uris());
    services.put("batch.interval.ms", "1000");
    return services;
  }

  private static Map<String, String> configured(Map<String, String> old, Map<String, String> given)
      throws Exception {
    Map<String, String> settings =
        new TreeMap<>(Migration.of(new OldConfig(false, old), given).settings());
    settings.putAll(given);
    settings.values().removeIf(String::isBlank);
    return settings;
  }

  private Path write(String name, Map<String, String> settings) throws IOException {
    JsonNode json = JSON.valueToTree(settings);
    return Files.writeString(directory.resolve(name), json.toString());
  }

  private static DeployedConnector.Ended run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Tidemark.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            Duration.ofMillis(50),
            arguments);
    return new DeployedConnector.Ended(code, out.toString(), err.toString());
  }
}
