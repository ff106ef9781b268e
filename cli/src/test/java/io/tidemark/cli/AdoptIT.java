package io.tidemark.cli;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.adopt.OldSinkDirectories;
import io.tidemark.cli.adopt.SentRecords;
import io.tidemark.cli.deployment.ExitCode;
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
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
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
 * the plugin with the same records at the same offsets, and some more. HiveServer2 must return each
 * record once, with its values, as in a table in which the plugin has landed all of them; fastavro
 * must read what was sent, from the files of both tables.
 */
@Tag("long")
class AdoptIT {
  private static final Duration DEADLINE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the command prints in a refusal, and the test then does. */
  private enum Cure {
    MOVE_TO_HIVE("Repeat with --move-to-hive-directories"),
    MOVE_AWAY("Restore these files, or move them out of the table");

    private final String text;

    Cure(String text) {
      this.text = text;
    }
  }

  /** Values that Hive escapes; committed files that were removed under a killed sink. */
  private static final Map<String, Cure> REFUSED =
      Map.of(
          "b-field/slash", Cure.MOVE_TO_HIVE,
          "b-field/values", Cure.MOVE_TO_HIVE,
          "d-hive/field", Cure.MOVE_TO_HIVE,
          "k-file-removed/after", Cure.MOVE_AWAY);

  /** Each letter of a pattern, of which some are the same column in Hive: a new table is begun. */
  private static final List<String> WITH_NEW_TABLES =
      List.of("c-hourly/letters-1", "c-hourly/letters-2", "c-hourly/letters-3");

  /** The offsets of partition 0 whose files were removed on purpose. */
  private static final long REMOVED = 50;

  // /topics/orders/city=a/orders+0+0000000000+0000000009.avro
  private static final Pattern PATH = Pattern.compile("/topics/[^ ,]+\\.avro");

  /** The text that a query returns for the Hive partition of null. */
  private static final String NULL_IN_HIVE = "__HIVE_DEFAULT_PARTITION__";

  /** The topics of all tests so far. */
  private static final Set<String> PRODUCED = new TreeSet<>();

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

  /** All states, or those of {@code -Dio.tidemark.adopt.states=g-killed/.*}, a pattern. */
  static List<String> inOneTable() throws IOException {
    List<String> states = new ArrayList<>(OldSinkDirectories.names());
    assertThat(states).hasSize(52).containsAll(REFUSED.keySet()).containsAll(WITH_NEW_TABLES);
    states.removeAll(WITH_NEW_TABLES);
    states.removeIf(each -> !each.matches(System.getProperty("io.tidemark.adopt.states", ".*")));
    return states;
  }

  static List<String> withNewTables() {
    return WITH_NEW_TABLES;
  }

  @ParameterizedTest
  @MethodSource("inOneTable")
  void everyRecordIsThereOnceWithItsValues(String state) throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of(state);
    SentRecords sent = old.sent().continued();
    restore(old, sent);
    Landing adopted = new Landing("adopted", state, old, sent);
    Landing whole = new Landing("whole", state, old, sent);
    whole.settings.keySet().removeAll(Set.of("hive.table.location", "topic.capture.groups.regex"));
    whole.settings.put("topics.dir", "whole-topics-" + whole.id);
    adoptAfterCure(old, state, adopted.settings);
    Set<String> topics = sent.topics();
    topics.removeIf(each -> !each.matches(adopted.settings.getOrDefault("topics.regex", ".*")));

    adopted.start();
    whole.start();
    try {
      for (String topic : topics) {
        List<JsonNode> expected =
            sent.lines().stream()
                .filter(each -> each.get("topic").asText().equals(topic))
                .filter(SentRecords::isRecord)
                .toList();
        List<JsonNode> landed = expected.stream().filter(AdoptIT::lands).toList();
        List<JsonNode> both =
            expected.stream()
                .filter(each -> lands(each) || old.isCommitted(each))
                .filter(each -> !isRemoved(state, each))
                .toList();
        adopted.await(topic, both.size());
        whole.await(topic, landed.size());
        if (REFUSED.get(state) == Cure.MOVE_TO_HIVE) {
          assertThat(rows("select p, n, city, grade, text from " + adopted.table(topic)))
              .isEqualTo(both.stream().map(each -> inHive(old, each)).sorted().toList());
        } else {
          String values = " select " + columns(state, whole.table(topic)) + " from ";
          String all = REFUSED.containsKey(state) ? " where p > 0 or n >= " + REMOVED : "";
          assertThat(rows(values + adopted.table(topic)))
              .isEqualTo(rows(values + whole.table(topic) + all));
        }
        String directory = old.directory(topic);
        adopted.compareWithFastavro(directory, List.of(directory), both);
        directory = "/whole-topics-" + whole.id + "/" + topic;
        whole.compareWithFastavro(directory, List.of(directory), landed);
      }
      // Several topic-partitions have published files before the first registers the new table.
      assertThat(stack.connect().worker(0).process().log().text().lines())
          .noneMatch(line -> line.contains(adopted.id) && line.contains("no longer in Hive"));
      adopted.awaitDeadLetters(each -> !old.isCommitted(each));
      whole.awaitDeadLetters(each -> true);
    } finally {
      adopted.delete();
      whole.delete();
    }
  }

  /** The logs are open, as a kill leaves them: the name node lists 35 bytes. */
  @Test
  void openLogsAreAdoptedAfterTheirLeasesAreRecovered() throws Exception {
    String state = "g-killed/11";
    OldSinkDirectories old = OldSinkDirectories.of(state);
    SentRecords sent = old.sent().continued();
    restore(old, sent);
    List<String> logs =
        old.files().keySet().stream().filter(each -> each.endsWith("/log")).toList();
    assertThat(logs).isNotEmpty();
    for (String each : logs) {
      stack.hdfs().files().delete(each);
      Path content =
          Files.write(directory.resolve("content"), old.files().getOrDefault(each, new byte[0]));
      var unused =
          program(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              "src/test/hdfs/KilledWriter.java",
              stack.hdfs().uri().toString(),
              each,
              content.toString(),
              "35");
    }
    Landing recovered = new Landing("recovered", state, old, sent);
    DeployedConnector.Ended refused = command(old, recovered.settings);
    assertThat(refused.code()).as(refused.out()).isEqualTo(ExitCode.OPERATOR.number());
    for (String each : logs) {
      assertThat(refused.out())
          .contains(each + " is open: the name node lists 35 of its")
          .contains("hdfs debug recoverLease -path " + each + " -retries 10");
      stack.hdfs().recoverLease(each);
    }

    adopt(old, recovered.settings);

    recovered.start();
    try {
      String topic = sent.topics().iterator().next();
      recovered.await(topic, sent.lines().size());
      String directory = old.directory(topic);
      recovered.compareWithFastavro(directory, List.of(directory), sent.lines());
    } finally {
      recovered.delete();
    }
  }

  /** The old directories stay, and a new table has what was not committed. */
  @ParameterizedTest
  @MethodSource("withNewTables")
  void newTableContinuesWhereHiveCannotDistinguishTheOldColumns(String state) throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of(state);
    SentRecords sent = old.sent().continued();
    restore(old, sent);
    Landing begun = new Landing("begun", state, old, sent);
    assertThat(command(old, begun.settings).err()).contains("occurs twice").contains("Correct it");
    begun.settings.put("path.format", "'dt'=yyyy-MM-dd");
    DeployedConnector.Ended refused = command(old, begun.settings);
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(refused.err())
        .contains("occurs twice")
        .contains("Begin a new table beside the old one, with another topics.dir");

    begun.settings.put("topics.dir", "begun-topics-" + begun.id);
    setOffsets("connect-" + begun.name(), old);
    begun.start();
    try {
      String topic = sent.topics().iterator().next();
      begun.await(topic, sent.lines().stream().filter(each -> !old.isCommitted(each)).count());
      String directory = "/begun-topics-" + begun.id + "/" + topic;
      begun.compareWithFastavro(directory, List.of(old.directory(topic), directory), sent.lines());
    } finally {
      begun.delete();
    }
  }

  /** Returns whether the new connector lands a record. Hive cannot return the others. */
  private static boolean lands(JsonNode line) {
    return SentRecords.isRecord(line) && !line.at("/value/city").asText().equals(NULL_IN_HIVE);
  }

  private static boolean isRemoved(String state, JsonNode line) {
    return REFUSED.get(state) == Cure.MOVE_AWAY
        && line.get("partition").asInt() == 0
        && line.get("offset").asLong() < REMOVED;
  }

  /** Returns what Hive returns of a record of a table with the columns city and grade. */
  private static String inHive(OldSinkDirectories old, JsonNode line) {
    JsonNode value = line.get("value");
    // The old sink wrote the text null for null. HDFS drops a slash at the end.
    String city =
        !old.isCommitted(line)
            ? value.get("city").asText("")
            : value.get("city").isNull()
                ? "null"
                : value.get("city").asText().replaceFirst("/+$", "");
    return List.of(
            value.get("p").asText(),
            value.get("n").asText(),
            city.isEmpty() ? NULL_IN_HIVE : city,
            value.get("grade").asText(),
            value.get("text").asText())
        .toString();
  }

  private static String columns(String state, String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    for (List<?> row : stack.hive().query("describe " + table)) {
      String name = String.valueOf(row.get(0));
      if (name.isBlank() || name.startsWith("#")) {
        break;
      }
      columns.add("`" + name + "`");
    }
    if (state.startsWith("c-hourly")) {
      // Before 1970 the old sink rounded local times up. Its files stay where they are.
      columns.removeAll(List.of("`dt`", "`hour`"));
    }
    return String.join(", ", columns);
  }

  /** Adopts a state. One that is refused is adopted after what the command printed was done. */
  private void adoptAfterCure(OldSinkDirectories old, String state, Map<String, String> settings)
      throws Exception {
    Cure cure = REFUSED.get(state);
    if (cure == null) {
      adopt(old, settings);
      return;
    }
    DeployedConnector.Ended refused = command(old, settings);
    assertThat(refused.code()).as(refused.out()).isEqualTo(ExitCode.OPERATOR.number());
    assertThat(refused.out()).contains(cure.text);
    if (cure == Cure.MOVE_TO_HIVE) {
      adopt(old, settings, "--move-to-hive-directories");
      return;
    }
    List<String> named =
        PATH.matcher(refused.out()).results().map(MatchResult::group).distinct().toList();
    assertThat(named).isNotEmpty();
    for (String each : named) {
      stack.hdfs().files().delete(each);
    }
    adopt(old, settings);
  }

  /** A connector, its tables, and the records that were sent. */
  private final class Landing {
    private final String kind;
    private final String id;
    private final SentRecords sent;
    private final Map<String, String> settings;

    Landing(String kind, String state, OldSinkDirectories old, SentRecords sent) throws Exception {
      this.kind = kind;
      this.id = state.replaceAll("[^a-z0-9]", "_");
      this.sent = sent;
      Map<String, String> given = new TreeMap<>(services());
      given.put("name", name());
      given.put("logs.dir", kind.equals("whole") ? "whole-logs" : "new-logs");
      given.put("hive.table.name", kind + "_" + id + "_${topic}");
      if (!sent.lines().stream().allMatch(AdoptIT::lands)) {
        given.put("errors.tolerance", "all");
        given.put("errors.deadletterqueue.topic.name", deadLetters());
        given.put("errors.deadletterqueue.topic.replication.factor", "1");
        given.put("behavior.on.null.values", "dead-letter");
      }
      this.settings = configured(old.settings(), given);
    }

    private String name() {
      return kind + "-" + id;
    }

    private String deadLetters() {
      return "dead-" + name();
    }

    void start() {
      stack.connect().client().configure(name(), settings);
    }

    void delete() {
      stack.connect().client().delete(name());
    }

    String table(String topic) {
      return "%s.%s_%s_%s"
          .formatted(
              settings.getOrDefault("hive.database", "default"),
              kind,
              id,
              topic.replaceAll("[^A-Za-z0-9_]", "_"));
    }

    void await(String topic, long expected) {
      Polling.until(
          topic + " has landed",
          DEADLINE,
          () -> {
            long rows = count(table(topic));
            return rows == expected
                ? Optional.empty()
                : Optional.of(
                    "%s has %d of %d rows; %s"
                        .formatted(
                            table(topic), rows, expected, stack.connect().client().status(name())));
          });
    }

    /** Each record that did not land is in the dead letter topic. */
    void awaitDeadLetters(Predicate<JsonNode> read) throws Exception {
      long expected =
          sent.lines().stream()
              .filter(read)
              .filter(each -> !lands(each) && !SentRecords.isAborted(each))
              .count();
      if (expected > 0) {
        try (Admin admin = stack.kafka().admin()) {
          TopicPartition topic = new TopicPartition(deadLetters(), 0);
          assertThat(
                  admin
                      .listOffsets(Map.of(topic, OffsetSpec.latest()))
                      .partitionResult(topic)
                      .get()
                      .offset())
              .isGreaterThanOrEqualTo(expected);
        }
      }
    }

    /**
     * Compares the records of files with what was sent, both as fastavro reads them with the schema
     * of the table.
     *
     * @param table the directory of the table
     * @param directories the directories of the files
     */
    void compareWithFastavro(String table, List<String> directories, List<JsonNode> expected)
        throws Exception {
      WebHdfs hdfs = stack.hdfs().files();
      Path files = Files.createTempDirectory(directory, kind);
      int number = 0;
      for (String each : directories) {
        for (WebHdfs.Entry file : hdfs.walk(each)) {
          // Hive ignores names that begin so.
          if (file.path().endsWith(".avro")
              && !file.path().substring(each.length()).matches(".*/[._].*")) {
            Files.write(files.resolve(number++ + ".avro"), hdfs.read(file.path()));
          }
        }
      }
      List<WebHdfs.Entry> schemas = hdfs.list(table + "/.tidemark/schemas");
      Path schema =
          Files.write(
              directory.resolve("schema.avsc"), hdfs.read(schemas.get(schemas.size() - 1).path()));
      Path ofSent = Files.createTempDirectory(directory, "sent");
      sent.write(ofSent, expected);
      assertThat(fastavro(schema, files))
          .hasSize(expected.size())
          .isEqualTo(fastavro(schema, ofSent));
    }
  }

  private List<String> fastavro(Path schema, Path files) throws Exception {
    Path rows =
        program("python3", "src/test/python/print_rows.py", schema.toString(), files.toString());
    return Files.readAllLines(rows).stream().sorted().toList();
  }

  /** Runs another program. Returns its output. */
  private Path program(String... command) throws Exception {
    Path output = directory.resolve("output");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, MINUTES)).as(command[0] + " ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return output;
  }

  /** The table that the old sink had created keeps its name, and gets the new files. */
  @Test
  void oldTableInHiveIsContinued() throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of("d-hive/default");
    restore(old, old.sent());
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
    }
  }

  /**
   * Writes the directories to HDFS, and the records and the group's offsets to Kafka, without what
   * an earlier test has left.
   */
  private static void restore(OldSinkDirectories old, SentRecords sent) throws Exception {
    WebHdfs hdfs = stack.hdfs().files();
    for (String root : List.of("/topics", "/lake", "/logs", "/wal", "/new-logs")) {
      hdfs.delete(root);
    }
    for (Map.Entry<String, byte[]> each : old.files().entrySet()) {
      hdfs.write(each.getKey(), each.getValue());
    }
    deleteTopics();
    deleteGroup(old.group());
    PRODUCED.addAll(sent.topics());
    produce(sent);
    setOffsets(old.group(), old);
  }

  private static void setOffsets(String group, OldSinkDirectories old) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    old.kafka()
        .group()
        .forEach(
            (at, offset) ->
                offsets.put(
                    new TopicPartition(at.topic(), at.partition()), new OffsetAndMetadata(offset)));
    try (Admin admin = stack.kafka().admin()) {
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }
  }

  private static void deleteGroup(String group) throws Exception {
    try (Admin admin = stack.kafka().admin()) {
      admin.deleteConsumerGroups(List.of(group)).all().get();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(GroupIdNotFoundException.class);
    }
  }

  /** Deletes the topics of earlier tests, which a pattern of topics would match. */
  private static void deleteTopics() throws Exception {
    try (Admin admin = stack.kafka().admin()) {
      for (Set<String> left = left(admin); !left.isEmpty(); left = left(admin)) {
        try {
          admin.deleteTopics(left).all().get();
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
        }
      }
    }
  }

  private static Set<String> left(Admin admin) throws Exception {
    Set<String> left = new TreeSet<>(admin.listTopics().names().get());
    left.retainAll(PRODUCED);
    return left;
  }

  private DeployedConnector.Ended adopt(
      OldSinkDirectories old, Map<String, String> settings, String... options) throws IOException {
    DeployedConnector.Ended dry = command(old, settings, options);
    assertThat(dry.code()).as(dry.out() + dry.err()).isZero();
    List<String> executed = new ArrayList<>(List.of(options));
    executed.add("--execute");
    DeployedConnector.Ended adopted = command(old, settings, executed.toArray(String[]::new));
    assertThat(adopted.code()).as(adopted.out() + adopted.err()).isZero();
    return adopted;
  }

  private DeployedConnector.Ended command(
      OldSinkDirectories old, Map<String, String> settings, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("adopt");
    arguments.add(write("old.json", old.settings()).toString());
    arguments.add(write("new.json", settings).toString());
    arguments.addAll(List.of(options));
    return run(arguments.toArray(String[]::new));
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
