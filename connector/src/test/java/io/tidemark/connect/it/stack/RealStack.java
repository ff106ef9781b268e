package io.tidemark.connect.it.stack;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.Service;
import io.tidemark.stack.release.MetastoreRelease;
import io.tidemark.stack.release.Releases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The services that all tests share, with two Connect workers that have the plugin archive of this
 * build on their plugin path. Each test has an instance of its own, which knows the connectors of
 * that test, and is used by its thread alone.
 */
public final class RealStack implements AutoCloseable {

  /** The largest heap of each worker: enough for a put() of a million small records. */
  public static final int WORKER_HEAP_MEGABYTES = 2_048;

  /** The most that the broker gives in one answer: more than a million small records. */
  public static final int FETCH_MAX_BYTES = 800_000_000;

  /** The user whose files in HDFS the connectors write. */
  public static final String CONNECTOR_USER = "tidemark";

  /** How long any one thing may take; what is slower on a busy machine has gone wrong. */
  public static final Duration DEADLINE = Duration.ofMinutes(2);

  /**
   * The archive of another connector, which is on the workers' plugin path too if it has been
   * built: {@code mvn package -pl local-stack/neighbour -DskipTests}.
   */
  public static final Path NEIGHBOUR = Path.of("../local-stack/neighbour/target/neighbour.zip");

  private static final long ANSWER_SECONDS = 30;

  private final LocalStack services;
  private final TestCluster cluster;
  private final List<Deployment> deployments = new ArrayList<>();
  private final List<RealStack> others = new ArrayList<>();

  private RealStack(LocalStack services) {
    this(services, new TestCluster(services.kafka().bootstrapServers(), services.registry().url()));
  }

  private RealStack(LocalStack services, TestCluster cluster) {
    this.services = services;
    this.cluster = cluster;
  }

  /** The same services for one test, which is ended by {@link #endTest()}. */
  RealStack forTest() {
    return new RealStack(services, cluster);
  }

  static RealStack start() {
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "stack-");
      LocalStack.Builder builder = LocalStack.builder();
      if (Files.exists(NEIGHBOUR)) {
        builder.pluginArchive(NEIGHBOUR);
      }
      LocalStack services =
          builder
              .directory(directory)
              .all()
              .with(Service.SCHEMA_REPO)
              .pluginArchive(pluginArchive())
              .pluginArchive(
                  ClassOfAUser.archive(pluginArchive(), ByInitial.class, Path.of("target")))
              .connectWorkers(2)
              .connectHeapMegabytes(WORKER_HEAP_MEGABYTES)
              .connectProperties(
                  Map.of(
                      // A connector that names no converter of its own must say what to set.
                      "value.converter",
                      "org.apache.kafka.connect.storage.StringConverter",
                      // The largest put() of a test is remembered until the test asks for it.
                      "metrics.sample.window.ms",
                      "600000"))
              // Not HDFS's superuser, whom no permission stops; and what a worker does for a test
              // it mostly does a few times only.
              .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER, "-XX:TieredStopAtLevel=1")
              .kafkaProperties(Map.of("fetch.max.bytes", Integer.toString(FETCH_MAX_BYTES)))
              .start();
      return of(services);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A stack of its own of these releases, with one worker, and HiveServer2 where it fits; to be
   * closed by the caller.
   *
   * @param workersOptions more options for the worker's JVM
   */
  public static RealStack start(
      Releases releases, JavaInstallation workersJava, String... workersOptions) {
    try {
      LocalStack.Builder builder =
          LocalStack.builder()
              .directory(Files.createTempDirectory(Path.of("target"), "stack-"))
              .releases(releases)
              .connectJava(workersJava)
              .with(Service.REGISTRY, Service.SCHEMA_REPO, Service.METASTORE, Service.CONNECT)
              .pluginArchive(pluginArchive())
              .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER)
              .connectJvmOptions(workersOptions);
      if (releases.metastore() == MetastoreRelease.HIVE_4_0) {
        builder.with(Service.HIVE_SERVER);
      }
      return of(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RealStack of(LocalStack services) throws IOException {
    for (String root : List.of("/ledger", "/logs", "/topics")) {
      services.hdfs().files().makeDirectories(root);
      services.hdfs().files().setOwner(root, CONNECTOR_USER);
    }
    // As docs/OPERATIONS.md has it: nobody else needs the logs.
    services.hdfs().files().setPermission("/logs", "700");
    return new RealStack(services);
  }

  /**
   * Another Kafka cluster, of one broker, beside the other services; it is stopped after the test.
   */
  public RealStack withOtherCluster() {
    return beside(builder -> builder.with(Service.KAFKA));
  }

  /**
   * A Kafka cluster of several brokers and a worker that consumes from it, beside the other
   * services; both are stopped after the test.
   */
  public RealStack withBrokers(int brokers) {
    return beside(
        builder ->
            builder
                .with(Service.CONNECT)
                .kafkaBrokers(brokers)
                .pluginArchive(pluginArchive())
                .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER));
  }

  /**
   * A Kafka cluster of one broker with these properties and a worker that consumes from it, beside
   * the other services; both are stopped after the test.
   */
  public RealStack withBroker(Map<String, String> properties) {
    return beside(
        builder ->
            builder
                .with(Service.CONNECT)
                .kafkaProperties(properties)
                .pluginArchive(pluginArchive())
                .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER));
  }

  private RealStack beside(UnaryOperator<LocalStack.Builder> differing) {
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "stack-");
      RealStack other =
          new RealStack(
              differing.apply(LocalStack.builder().directory(directory).beside(services)).start());
      others.add(other);
      return other;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path pluginArchive() {
    try (DirectoryStream<Path> archives =
        Files.newDirectoryStream(Path.of("target"), "tidemark-kafka-connect-*.zip")) {
      Iterator<Path> found = archives.iterator();
      if (!found.hasNext()) {
        throw new IOException(
            "there is no plugin archive in target: run mvn package -pl connector -am -DskipTests");
      }
      return found.next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public LocalStack services() {
    return services;
  }

  public Admin admin() {
    return cluster.admin();
  }

  /** The first records of a topic of any number of topic-partitions. */
  public List<ConsumerRecord<byte[], byte[]>> readAll(String topic, int count) {
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                services.kafka().bootstrapServers(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList());
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      Polling.until(
          topic + " has " + count + " records",
          DEADLINE,
          () -> {
            consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            return records.size() >= count
                ? Optional.empty()
                : Optional.of("it has " + records.size());
          });
      return records;
    }
  }

  /** The failures of a connector's task from now on; to be closed by the caller. */
  public TaskFailures failuresOf(String connector, int task) {
    return new TaskFailures(services.kafka().bootstrapServers(), connector, task);
  }

  public ConnectClient connect() {
    return services.connect().client();
  }

  public SourceTopic topic(String name, int topicPartitions) {
    return cluster.topic(name, topicPartitions, 1);
  }

  /** See {@link TestCluster#topicOfThePresent}. */
  public SourceTopic topicOfThePresent(String name, int topicPartitions) {
    return cluster.topicOfThePresent(name, topicPartitions, 1);
  }

  /**
   * A topic of one topic-partition, of which these brokers have replicas. The first leads it, alone
   * if it must, and one that has missed records may be elected, which loses them.
   */
  public SourceTopic uncleanTopic(String name, List<Integer> brokers) {
    return new SourceTopic(
        cluster,
        new NewTopic(name, Map.of(0, brokers))
            .configs(
                Map.of(
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "1",
                    TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "true")),
        1);
  }

  /** Deploys a connector; it is deleted after the test. */
  public Deployment deploy(ConnectorSettings settings) {
    Deployment deployment = new Deployment(this, settings);
    deployments.add(deployment);
    deployment.configure(settings);
    return deployment;
  }

  /** Creates a connector in a state, RUNNING, PAUSED or STOPPED; it is deleted after the test. */
  public Deployment create(ConnectorSettings settings, String state) {
    Deployment deployment = new Deployment(this, settings);
    deployments.add(deployment);
    deployment.create(state);
    return deployment;
  }

  /** Deploys a connector that is to fail; it is deleted after the test. */
  public Deployment deployFailing(ConnectorSettings settings) {
    Deployment deployment = new Deployment(this, settings);
    deployments.add(deployment);
    deployment.put();
    return deployment;
  }

  /**
   * Deploys a connector that is to fail at once, and returns the trace; it is deleted after the
   * test.
   */
  public String deployRefused(ConnectorSettings settings) {
    return deployFailing(settings).awaitFailure();
  }

  /** Starts the workers that are down. */
  public void startWorkers() {
    for (ConnectWorker worker : services.connect().workers()) {
      if (!worker.process().isAlive()) {
        worker.start();
      }
    }
  }

  /** The id of a schema, registered under the subject of a topic's values. */
  public int register(String topic, Schema schema) {
    return cluster.register(topic, schema);
  }

  /** What the connectors of the current test say of themselves, for a failure's message. */
  public String report() {
    StringBuilder report = new StringBuilder();
    for (Deployment deployment : deployments) {
      report.append(deployment.name()).append(": ").append(statusOf(deployment)).append('\n');
    }
    report.append("logs: ").append(services.logs()).append('\n');
    others.forEach(other -> report.append(other.report()));
    return report.toString();
  }

  private static String statusOf(Deployment deployment) {
    try {
      return deployment
          .status()
          .map(status -> status.failure().orElseGet(status::toString))
          .orElse("unknown to Connect");
    } catch (ConnectRequestException | UncheckedIOException | IllegalStateException e) {
      return "no status: " + e;
    }
  }

  /** Deletes the connectors of the test that has ended, and stops what it had beside the stack. */
  void endTest() {
    others.forEach(RealStack::close);
    others.clear();
    if (!deployments.isEmpty()) {
      startWorkers();
      deployments.forEach(Deployment::delete);
      deployments.clear();
    }
  }

  /** The result of an administration request. */
  public static <T> T joined(KafkaFuture<T> future, String what) {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(what + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + ": interrupted", e);
    }
  }

  @Override
  public void close() {
    cluster.close();
    services.close();
  }
}
