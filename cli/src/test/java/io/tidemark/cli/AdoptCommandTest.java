package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.adopt.AdoptServices;
import io.tidemark.cli.adopt.FakeTopicIds;
import io.tidemark.cli.adopt.KafkaOffsets;
import io.tidemark.cli.adopt.OldGroup;
import io.tidemark.cli.adopt.OldSinkDirectories;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.cli.migrate.Migration;
import io.tidemark.cli.migrate.OldConfig;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.ReadOnlyCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code tidemark adopt} on a local disk, with directories that a real sink left. */
class AdoptCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TopicPartition FIRST = new TopicPartition("web-orders", 0);

  @TempDir Path directory;
  private final List<String> members = new ArrayList<>();
  private Map<String, String> settings = new HashMap<>();
  private KafkaOffsets offsets = new KafkaOffsets(Map.of(), Map.of(), Map.of());

  @BeforeEach
  void oldSinkWasStopped() throws Exception {
    oldSinkLeft("a-default/stopped");
  }

  private void oldSinkLeft(String state) throws Exception {
    OldSinkDirectories old = OldSinkDirectories.of(state);
    old.unpack(directory.resolve("store"));
    offsets = old.kafka();
    Files.writeString(directory.resolve("old.json"), JSON.writeValueAsString(old.settings()));
    Map<String, String> given =
        Map.of(
            "kafka.bootstrap.servers", "kafka:9092",
            "schema.registry.url", "http://registry:8081",
            "name", "new",
            "logs.dir", "new-logs",
            "store.url",
                directory.resolve("store").toUri().toString().replaceFirst("^file:/+", "file:///"));
    settings = new HashMap<>(Migration.of(new OldConfig(false, old.settings()), given).settings());
    settings.putAll(given);
  }

  private DeployedConnector.Ended run(String... options) throws IOException {
    Files.writeString(directory.resolve("new.json"), JSON.writeValueAsString(settings));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    AdoptCommand command =
        new AdoptCommand(
            new Console(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Clock.systemUTC(),
                Duration.ofMillis(50)),
            new Kafka());
    List<String> arguments = new ArrayList<>();
    arguments.add(directory.resolve("old.json").toString());
    arguments.add(directory.resolve("new.json").toString());
    arguments.addAll(List.of(options));
    int code =
        new CommandLine(command)
            .setErr(new PrintWriter(err, true))
            .setExecutionExceptionHandler(
                (failure, line, parsed) -> {
                  err.append(String.valueOf(failure.getMessage()));
                  return failure instanceof CommandFailure known ? known.exitCode().number() : 99;
                })
            .execute(arguments.toArray(String[]::new));
    return new DeployedConnector.Ended(code, out.toString(), err.toString());
  }

  private final class Kafka implements AdoptServices, OldGroup {
    @Override
    public TopicMetadata topics(ConnectorServices connector) {
      return new FakeTopicIds();
    }

    @Override
    public ReadOnlyCatalog catalog(ConnectorServices connector) {
      throw new UnsupportedOperationException("there is no catalog");
    }

    @Override
    public OldGroup group(ConnectorServices connector) {
      return this;
    }

    @Override
    public List<String> members(String group) {
      return group.equals("connect-old-orders") ? members : List.of();
    }

    @Override
    public KafkaOffsets offsets(String group, UnaryOperator<Set<String>> wanted) {
      assertThat(group).isIn("connect-old-orders", "connect-old-visits-slash");
      assertThat(wanted.apply(Set.of("web-orders", "visits-slash", "others"))).isNotEmpty();
      return offsets;
    }

    @Override
    public void close() {}
  }

  private CommitLog log(TopicPartition of) throws IOException {
    return CommitLog.of(
        new LocalStorage(directory.resolve("store")), new StoragePath("/new-logs"), "new", of);
  }

  @Test
  void withoutExecuteNothingChanges() throws Exception {
    DeployedConnector.Ended ended = run();

    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("partition 0: ACCEPTED, next offset 400 (log)")
        .contains("Nothing was changed. Add --execute to adopt.");
    assertThat(directory.resolve("store/new-logs")).doesNotExist();
    assertThat(directory.resolve("store/topics/web-orders/.tidemark")).doesNotExist();
    assertThat(directory.resolve("store/logs/web-orders/0/log")).exists();
  }

  @Test
  void newConnectorContinuesAtTheNextOffset() throws Exception {
    DeployedConnector.Ended ended = run("--execute");

    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("web-orders-0: continues at offset 400");
    assertThat(log(FIRST).last().orElseThrow().entry().state().next()).isEqualTo(400);
    assertThat(directory.resolve("store/logs/web-orders/0/log.adopted")).exists();
    assertThat(run("--execute").out()).contains("web-orders-0: was adopted before");
  }

  @Test
  void sinkThatRunsIsRefused() throws Exception {
    members.add("consumer-1 on /10.0.0.1");
    assertThat(run("--execute").err())
        .contains("the consumer group connect-old-orders has members: ")
        .contains("Stop it");
  }

  /** So an operator can see by day what else is refused. */
  @Test
  void sinkThatRunsIsExamined() throws Exception {
    members.add("consumer-1 on /10.0.0.1");
    settings.put("topics", "others");
    DeployedConnector.Ended ended = run();
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.err()).contains("the consumer group connect-old-orders has members: ");
    assertThat(ended.out()).contains("REFUSED web-orders: the new connector does not read it");

    settings.put("topics", "web-orders");
    ended = run();
    assertThat(ended.code()).as("nothing else is refused").isEqualTo(1);
    assertThat(ended.err()).contains("the consumer group connect-old-orders has members: ");
    assertThat(ended.out()).contains("partition 0: ACCEPTED").doesNotContain("REFUSED");
  }

  /** After the change no record could land. */
  @Test
  void connectorWhoseRecordsAreNotAvroIsRefused() throws Exception {
    Map<String, String> old = new HashMap<>(OldSinkDirectories.of("a-default/stopped").settings());
    old.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    Files.writeString(directory.resolve("old.json"), JSON.writeValueAsString(old));

    assertThat(run("--execute").err())
        .contains("old.json: the new connector cannot continue. value.converter=")
        .contains("First let the producers write Avro");
    assertThat(directory.resolve("store/new-logs")).doesNotExist();
  }

  @Test
  void placeholderInTheOldConfigurationIsRefused() throws Exception {
    Map<String, String> old = new HashMap<>(OldSinkDirectories.of("a-default/stopped").settings());
    old.put("topics.dir", "${file:/etc/connect/hdfs.properties:topics}");
    Files.writeString(directory.resolve("old.json"), JSON.writeValueAsString(old));

    DeployedConnector.Ended ended = run("--back", "--execute");
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out()).contains("REFUSED topics.dir: ").contains("Write the value into the");
  }

  @Test
  void temporaryFilesOfAdoptedTopicsAreRemovedIfWanted() throws Exception {
    Path own = directory.resolve("store/topics/+tmp/web-orders/partition=0/1_tmp.avro");
    Path others = directory.resolve("store/topics/+tmp/others/partition=0/1_tmp.avro");
    for (Path each : List.of(own, others)) {
      Files.createDirectories(each.getParent());
      Files.write(each, new byte[] {1});
    }

    assertThat(run("--execute").code()).isZero();
    assertThat(own).exists();
    assertThat(run("--remove-temporary-files", "--execute").out())
        .contains("web-orders: removed /topics/+tmp/web-orders");
    assertThat(own).doesNotExist();
    assertThat(others).exists();
  }

  @Test
  void otherPartitionerIsRefused() throws Exception {
    settings.put("partitioner.class", "Unpartitioned");
    DeployedConnector.Ended ended = run("--execute");
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out())
        .contains("REFUSED web-orders: partitioner.class differs: ")
        .contains("Take these settings from the output of tidemark migrate.");
    assertThat(directory.resolve("store/new-logs")).doesNotExist();
  }

  @Test
  void otherDirectoryIsRefused() throws Exception {
    settings.put("topics.dir", "elsewhere");
    assertThat(run().out()).contains("the new connector has its table in /elsewhere/web-orders");
  }

  @Test
  void logDirectoryThatIsTheOldSinksIsRefused() throws Exception {
    settings.put("logs.dir", "logs");
    settings.put("log.id", "web-orders");
    assertThat(run().out()).contains("and the log directory /logs/web-orders").contains("overlap");
  }

  @Test
  void topicThatTheNewConnectorDoesNotReadIsRefused() throws Exception {
    settings.put("topics", "others");
    assertThat(run().out()).contains("REFUSED web-orders: the new connector does not read it");
  }

  @Test
  void unknownTopicIsRefused() throws Exception {
    offsets = new KafkaOffsets(Map.of(), Map.of(), Map.of());
    assertThat(run("--topic", "web-orders", "--topic", "others").err())
        .contains("--topic [others]: the old connector has no such topic");
  }

  /** HDFS has more levels of directories for a value with a slash: Hive cannot see its rows. */
  @Test
  void filesOfValuesWithSlashesAreMovedIfTheOperatorAgrees() throws Exception {
    oldSinkLeft("b-field/slash");
    Path left = directory.resolve("store/topics/visits-slash");
    Path old = left.resolve("city=/abs/grade=1/visits-slash+0+0000000001+0000000006.avro");
    Path hive = left.resolve("city=%2Fabs/grade=1/visits-slash+0+0000000001+0000000006.avro");

    DeployedConnector.Ended refused = run("--execute");
    assertThat(refused.code()).as(refused.err()).isEqualTo(3);
    assertThat(refused.out())
        .contains("REFUSED visits-slash: 9 files are not in the directories in which Hive looks")
        .contains("Repeat with --move-to-hive-directories");
    assertThat(old).exists();

    DeployedConnector.Ended ended = run("--move-to-hive-directories", "--execute");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    assertThat(ended.out()).contains("visits-slash-0: continues at offset 30");
    assertThat(hive).exists();
    assertThat(old).doesNotExist();
    assertThat(run("--execute").out()).contains("visits-slash-0: was adopted before");
  }

  /** The names of its files lead the old sink to the offset; they have no record for Hive. */
  @Test
  void oldSinkContinuesAfterTheNewConnector() throws Exception {
    assertThat(run("--execute").code()).isZero();
    CommitLog log = log(FIRST);
    LogState adopted = log.last().orElseThrow().entry().state();
    log.append(
        2,
        new CommitEntry.Skip(
            new java.util.UUID(0, 2),
            log.last().map(each -> each.entry().identity()),
            adopted.after(
                new io.tidemark.store.batch.OffsetRange(400, 430),
                new io.tidemark.store.batch.RecordCounts(0, 0, 30, 0, 0)),
            Clock.systemUTC().instant(),
            new io.tidemark.store.batch.OffsetRange(400, 430)));

    DeployedConnector.Ended printed = run("--back");
    assertThat(printed.code()).as(printed.err()).isZero();
    Path file =
        directory.resolve(
            "store/topics/web-orders/partition=1/web-orders+0+0000000429+0000000429.avro");
    assertThat(printed.out())
        .contains("web-orders-0: the old sink continues at offset 430")
        .contains("web-orders+0+0000000429+0000000429.avro")
        .contains("--group connect-old-orders --topic web-orders:0 --reset-offsets --to-offset 430")
        .contains("web-orders-1: the old sink continues at offset 200")
        .contains("nothing in topics.dir: the names of its files end before this offset");
    assertThat(file).doesNotExist();

    assertThat(run("--back", "--topic", "web-orders").out()).isEqualTo(printed.out());
    assertThat(run("--back", "--execute", "--topic", "others").err())
        .contains("--topic [others]: the old connector has no such topic");
    assertThat(file).doesNotExist();

    assertThat(run("--back", "--execute").code()).isZero();

    try (var records =
        new org.apache.avro.file.DataFileReader<>(
            file.toFile(), new org.apache.avro.generic.GenericDatumReader<>())) {
      assertThat(records.hasNext()).isFalse();
      assertThat(records.getSchema().getProp("connect.name")).isNotNull();
    }
  }

  /** The old connector reads {@code others}, too, in which the group has an offset. */
  private void oldSinkReads(String topics) throws Exception {
    Map<String, String> old = new HashMap<>(OldSinkDirectories.of("a-default/stopped").settings());
    old.put("topics", topics);
    Files.writeString(directory.resolve("old.json"), JSON.writeValueAsString(old));
    TopicPartition other = new TopicPartition("others", 0);
    Map<TopicPartition, Long> group = new HashMap<>(offsets.group());
    group.put(other, 5L);
    Map<TopicPartition, Long> beginning = new HashMap<>(offsets.beginning());
    beginning.put(other, 0L);
    Map<TopicPartition, Long> end = new HashMap<>(offsets.end());
    end.put(other, 10L);
    offsets = new KafkaOffsets(group, beginning, end);
    settings.put(
        "store.url",
        directory.resolve("store").toUri().toString().replaceFirst("^file:/+", "file:///"));
  }

  /** Its records would land twice. */
  @Test
  void topicThatBothConnectorsWouldReadIsRefused() throws Exception {
    oldSinkReads("web-orders,others");
    settings.put("topics", "web-orders,others");
    DeployedConnector.Ended refused = run("--topic", "web-orders", "--execute");
    assertThat(refused.code()).as(refused.err()).isEqualTo(3);
    assertThat(refused.out())
        .contains("REFUSED others: both connectors would read it")
        .contains("add --topic others");
    assertThat(directory.resolve("store/new-logs")).doesNotExist();

    settings.put("topics", "others");
    assertThat(run("--topic", "others", "--execute").out()).contains("others-0: continues at");
    settings.put("topics", "web-orders,others");
    DeployedConnector.Ended ended = run("--topic", "web-orders", "--execute");
    assertThat(ended.code()).as("others is adopted: " + ended.out()).isZero();
  }

  @Test
  void filesOfTopicsThatAreNotSelectedAreNotRead() throws Exception {
    oldSinkReads("web-orders,others");
    Path damaged =
        directory.resolve("store/topics/others/partition=0/others+0+0000000000+0000000009.avro");
    Files.createDirectories(damaged.getParent());
    byte[] bytes = new byte[20];
    java.util.Arrays.fill(bytes, (byte) 0xff);
    System.arraycopy(new byte[] {'O', 'b', 'j', 1}, 0, bytes, 0, 4);
    Files.write(damaged, bytes);

    settings.put("topics", "web-orders");
    DeployedConnector.Ended ended = run("--topic", "web-orders");
    assertThat(ended.code()).as(ended.err()).isZero();
  }

  /** Without files and logs the old sink continues at the offset of its group. */
  @Test
  void wayBackNeedsNoFileIfNothingLanded() throws Exception {
    oldSinkReads("others");
    settings.put("topics", "others");
    assertThat(run("--execute").out()).contains("others-0: continues at offset 5");

    DeployedConnector.Ended ended = run("--back", "--execute");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("others-0: the old sink continues at offset 5")
        .contains("nothing in topics.dir: it has no file of the topic-partition")
        .contains("--topic others:0 --reset-offsets --to-offset 5");
  }

  @Test
  void placeholdersOfTheNewConfigurationAreResolvedOrNamed() throws Exception {
    Path secrets = Files.writeString(directory.resolve("secrets.properties"), "logs=new-logs\n");
    Path worker =
        Files.writeString(
            directory.resolve("worker.properties"),
            """
            config.providers=file
            config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
            """);
    settings.put("logs.dir", "${file:" + secrets + ":logs}");
    settings.put("schema.registry.basic.auth.user.info", "${file:/etc/secrets:registry}");

    DeployedConnector.Ended refused = run();
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("new.json: logs.dir is ${file:")
        .contains("which the worker resolves. Add --worker-properties FILE or --set logs.dir=");

    settings.remove("schema.registry.basic.auth.user.info");
    DeployedConnector.Ended ended = run("--worker-properties", worker.toString());
    assertThat(ended.code()).as(ended.err()).isZero();
    settings.put("logs.dir", "new-logs");
    settings.put("schema.registry.basic.auth.user.info", "${file:/etc/secrets:registry}");
    assertThat(run().code()).as("adopt does not use the registry").isZero();
  }

  @Test
  void brokerWhoseNameIsNotKnownIsNamed() throws Exception {
    settings.put("kafka.bootstrap.servers", "kafka.invalid:9092");
    run();
    DeployedConnector.Ended ended =
        DeployedConnector.runAs(
            "adopt",
            directory.resolve("old.json").toString(),
            directory.resolve("new.json").toString());
    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.err())
        .contains("new.json: a client of Kafka cannot be made: ")
        .contains("kafka.bootstrap.servers")
        .doesNotContain("defect");
  }
}
