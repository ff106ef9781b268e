package io.tidemark.connect.it.stack;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.Hdfs;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.SecurityOptions;
import io.tidemark.stack.Service;
import io.tidemark.stack.WebHdfs;
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
 * build on their plugin path. Each test has its own instance, which contains the connectors of that
 * test and is used by its thread alone.
 */
public final class RealStack implements AutoCloseable {

  /** The largest heap of each worker: enough for a put() of a million small records. */
  public static final int WORKER_HEAP_MEGABYTES = 2_048;

  /** The largest answer of the broker: more than a million small records. */
  public static final int FETCH_MAX_BYTES = 800_000_000;

  /** The user whose files in HDFS the connectors write. */
  public static final String CONNECTOR_USER = "tidemark";

  /** The modes of the connectors' directories, as in docs/OPERATIONS.md. */
  public static final Map<String, String> MODES =
      Map.of("/ledger", "755", "/logs", "700", "/topics", "750");

  /** The longest time of a single step. A longer one is an error even on a busy machine. */
  public static final Duration DEADLINE = Duration.ofMinutes(4);

  /**
   * The archive of another connector. It is also on the workers' plugin path if it has been built:
   * {@code mvn package -pl local-stack/neighbour -DskipTests}.
   */
  public static final Path NEIGHBOUR = Path.of("../local-stack/neighbour/target/neighbour.zip");

  private static final long ANSWER_SECONDS = 30;

  private final LocalStack services;
  private final TestCluster cluster;
  private final List<Deployment> deployments = new ArrayList<>();
  private final List<RealStack> others = new ArrayList<>();

  private RealStack(LocalStack services) {
    this(
        services,
        new TestCluster(
            services.kafka().clientSettings(SecurityOptions.CONNECT), services.registry().url()));
  }

  private RealStack(LocalStack services, TestCluster cluster) {
    this.services = services;
    this.cluster = cluster;
  }

  /** The same services for one test, which ends with {@link #endTest()}. */
  RealStack forTest() {
    return new RealStack(services, cluster);
  }

  static RealStack start() {
    try {
      Path directory = Files.createTempDirectory(Path.of("target"), "stack-");
      LocalStack.Builder builder = builder();
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
                      // A connector that configures no converter must report which one to set.
                      "value.converter",
                      "org.apache.kafka.connect.storage.StringConverter",
                      // The largest put() of a test is kept until the test requests it.
                      "metrics.sample.window.ms",
                      "600000"))
              // A user who is not HDFS's superuser, because permissions do not apply to the
              // superuser.
              .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER)
              .kafkaProperties(Map.of("fetch.max.bytes", Integer.toString(FETCH_MAX_BYTES)))
              .start();
      return of(services);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A separate stack of these releases, with one worker, and with HiveServer2 if it is compatible.
   * The caller closes it.
   *
   * @param workersOptions more options for the worker's JVM
   */
  public static RealStack start(
      Releases releases, JavaInstallation workersJava, String... workersOptions) {
    try {
      LocalStack.Builder builder =
          builder()
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

  /** A separate stack whose Metastore uses PostgreSQL, with one worker. The caller closes it. */
  public static RealStack startOnPostgres() {
    try {
      return of(
          builder()
              .directory(Files.createTempDirectory(Path.of("target"), "stack-"))
              .with(Service.REGISTRY, Service.METASTORE, Service.CONNECT, Service.HIVE_SERVER)
              .metastoreOnPostgres()
              .pluginArchive(pluginArchive())
              .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A separate stack with two workers, whose plugins are in this folder. The caller closes it.
   *
   * @param pluginPath each plugin in a folder of its own
   */
  public static RealStack start(Path pluginPath) {
    try {
      return of(
          builder()
              .directory(Files.createTempDirectory(Path.of("target"), "stack-"))
              .with(Service.REGISTRY, Service.METASTORE, Service.CONNECT, Service.HIVE_SERVER)
              .pluginPath(pluginPath)
              .connectWorkers(2)
              .connectJvmOptions("-DHADOOP_USER_NAME=" + CONNECTOR_USER)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tests do most things a few times only, so the first compiler is enough. */
  private static LocalStack.Builder builder() {
    return LocalStack.builder().firstCompilerOnly();
  }

  private static RealStack of(LocalStack services) throws IOException {
    WebHdfs hdfs = services.hdfs().files();
    for (Map.Entry<String, String> root : MODES.entrySet()) {
      hdfs.makeDirectories(root.getKey());
      hdfs.setOwner(root.getKey(), CONNECTOR_USER, Hdfs.READERS);
      hdfs.setPermission(root.getKey(), root.getValue());
    }
    return new RealStack(services);
  }

  /** The services of a secured stack, in which every user may create logs and tables. */
  public static RealStack secured(LocalStack services) throws IOException {
    for (String root : MODES.keySet()) {
      services.hdfs().files().makeDirectories(root);
      services.hdfs().files().setPermission(root, "777");
    }
    return new RealStack(services);
  }

  /** Starts another HDFS, without a login, which is stopped after the test. */
  public RealStack withOtherHdfs() {
    return beside(builder -> builder.with(Service.HDFS));
  }

  /** Starts another Metastore for the same HDFS, which is stopped after the test. */
  public RealStack withOtherMetastore(Map<String, String> properties) {
    return beside(builder -> builder.withOnly(Service.METASTORE).metastoreProperties(properties));
  }

  /** Starts another Kafka cluster of one broker, which is stopped after the test. */
  public RealStack withOtherCluster() {
    return beside(builder -> builder.with(Service.KAFKA));
  }

  /**
   * Starts another Kafka cluster of several brokers, and a worker that consumes from it. Both are
   * stopped after the test.
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
   * Starts another Kafka cluster of one broker with these properties, and a worker that consumes
   * from it. Both are stopped after the test.
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
          new RealStack(differing.apply(builder().directory(directory).beside(services)).start());
      others.add(other);
      return other;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the plugin archive of this build. */
  public static Path pluginArchive() {
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

  /** The failures of a connector's task from now on. The caller closes it. */
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
   * A topic of one topic-partition with replicas on these brokers. The first broker is its leader,
   * alone if necessary. A broker without the newest records may be elected, which loses them.
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

  /** The state of the current test's connectors, for the message of a failure. */
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

  /** Deletes the connectors of the test that has ended, and stops its additional services. */
  public void endTest() {
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
