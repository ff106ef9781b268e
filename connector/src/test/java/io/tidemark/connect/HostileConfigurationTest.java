package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.connect.config.ConnectorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configurations of somebody who may validate them, but may not read or use the worker. */
@Timeout(120)
final class HostileConfigurationTest {
  private static final String SECRET = "hushhush";
  private static final List<String> PROPERTIES =
      List.of(
          "tidemark.local.directory",
          "tidemark.validation.hosts",
          "tidemark.kafka.allowed",
          "org.apache.kafka.automatic.config.providers");

  @TempDir Path directory;

  private final Map<String, String> before = new HashMap<>();

  @BeforeEach
  void rememberProperties() {
    PROPERTIES.forEach(name -> before.put(name, System.getProperty(name, "")));
  }

  @AfterEach
  void restoreProperties() {
    before.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "kafka.",
        "consumer.override.",
        "producer.override.",
        "admin.override.",
        "schema.registry.",
        "request.header.",
        "hive.",
        "hadoop.",
        "topic.quotes.",
        "partitioner.config.",
        "value.converter.",
        "transforms.x."
      })
  void configProvidersAreRefusedAndNothingIsResolvedOrSent(String prefix) throws IOException {
    Path file = Files.writeString(directory.resolve("worker.properties"), "key=" + SECRET);
    Queue<String> requests = new ConcurrentLinkedQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> requests.add(exchange.getRequestHeaders().toString()));
    server.start();
    try {
      Map<String, List<String>> errors =
          errors(
              Map.of(
                  prefix + "config.providers",
                  "x",
                  prefix + "config.providers.x.class",
                  "org.apache.kafka.common.config.provider.FileConfigProvider",
                  "schema.registry.url",
                  "http://127.0.0.1:" + server.getAddress().getPort(),
                  "request.header.X-Leak",
                  "${x:" + file + ":key}",
                  "kafka.bootstrap.servers",
                  "${x:" + file + ":key}:1"));
      assertThat(errors)
          .containsKeys(prefix + "config.providers", prefix + "config.providers.x.class");
      assertThat(errors.toString()).doesNotContain(SECRET);
      assertThat(requests).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void workerThatForbidsConfigProvidersValidates() {
    System.setProperty("org.apache.kafka.automatic.config.providers", "none");
    assertThat(errors(Map.of())).containsKey("kafka.bootstrap.servers");
    String key = "config.providers.x.class";
    assertThat(
            errors(Map.of("config.providers", "x", key, "org.apache.kafka.common.config.Anything")))
        .containsKey(key);
  }

  @Test
  void classThatIsNotOfKafkaIsNotGivenToItsClient() {
    Map<String, String> settings =
        new HashMap<>(Map.of("kafka.metric.reporters", Reporter.class.getName()));
    assertThat(errors(settings))
        .hasEntrySatisfying(
            "kafka.metric.reporters",
            texts -> assertThat(texts).singleElement().asString().contains("is refused"));
    assertThat(System.getProperty(Reporter.class.getName())).isNull();

    Map<String, String> all = properties(settings);
    assertThatThrownBy(() -> ServiceClients.topics(new ConnectorConfig(all)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kafka.metric.reporters is refused");
    assertThat(System.getProperty(Reporter.class.getName())).isNull();
  }

  @Test
  void storeOutsideOfTheWorkersDirectoryIsRefused() throws IOException {
    Map<String, String> inside = Map.of("store.url", directory.resolve("a").toUri().toString());
    System.setProperty("tidemark.local.directory", directory.toString());
    assertThat(errors(inside)).doesNotContainKey("store.url");
    ServiceClients.storage(new ConnectorConfig(properties(inside))).close();

    System.clearProperty("tidemark.local.directory");
    assertThat(errors(inside)).containsKey("store.url");
    assertThatThrownBy(() -> ServiceClients.storage(new ConnectorConfig(properties(inside))))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("store.url")
        .hasMessageContaining("tidemark.local.directory");
  }

  @Test
  void hostThatIsNotListedIsNotContactedAndHasOneAnswer() throws Exception {
    System.setProperty("tidemark.validation.hosts", "registry, kafka:9092");
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket open = banner(connections)) {
      String listening = answer("127.0.0.1:" + open.getLocalPort());
      assertThat(listening)
          .contains("tidemark.validation.hosts")
          .isEqualTo(answer("127.0.0.1:1"))
          .isEqualTo(answer("no-such-host.invalid:1"));
      assertThat(connections).hasValue(0);

      System.setProperty("tidemark.validation.hosts", "127.0.0.1:" + open.getLocalPort());
      assertThat(answer("127.0.0.1:" + open.getLocalPort())).contains("returned an error");
      assertThat(answer("127.0.0.1:1")).isEqualTo(listening);
      assertThat(connections.get()).isPositive();
    }
  }

  @Test
  void nameNodeOfANameServiceIsNotContactedUnlessItIsListed() throws Exception {
    System.setProperty("tidemark.validation.hosts", "cluster1");
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket open = banner(connections)) {
      Map<String, String> nameService =
          Map.of(
              "store.url",
              "hdfs://cluster1",
              "hadoop.dfs.nameservices",
              "cluster1",
              "hadoop.dfs.ha.namenodes.cluster1",
              "nn1",
              "hadoop.dfs.client.failover.proxy.provider.cluster1",
              "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider",
              "hadoop.dfs.namenode.rpc-address.cluster1.nn1",
              "127.0.0.1:" + open.getLocalPort());
      assertThat(errors(nameService))
          .extractingByKey("store.url")
          .asString()
          .contains("tidemark.validation.hosts");
      assertThat(connections).hasValue(0);

      System.setProperty("tidemark.validation.hosts", "cluster1,127.0.0.1:" + open.getLocalPort());
      assertThat(errors(nameService))
          .extractingByKey("store.url")
          .asString()
          .doesNotContain("tidemark.validation.hosts");
      assertThat(connections.get()).isPositive();
    }
  }

  @Test
  void variablesOfTheWorkerAreNotResolvedByHadoop() {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "hadoop.dfs.namenode.kerberos.principal", "nn/${user.home}@REALM",
                "hdfs.namenode.principal", "nn/${user.home}@REALM",
                "hadoop.dfs.nameservices", "${user.home}",
                "hadoop.fs.hdfs.impl", "${user.home}"));
    assertThat(errors(settings))
        .containsKeys(settings.keySet().toArray(String[]::new))
        .doesNotContainKey("store.url");
    Map<String, String> all = properties(settings);
    all.remove("hdfs.namenode.principal");
    assertThatThrownBy(() -> ServiceClients.storage(new ConnectorConfig(all)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("hadoop.")
        .hasMessageContaining(" is refused");
  }

  /** Kafka's client ignores what is in front of the last host and port. */
  @ParameterizedTest
  @ValueSource(strings = {"http://kafka:9092/%s", "kafka:9092/%s", "x://kafka:9092/[%s", "%s"})
  void hostBehindAListedOneIsNotContacted(String address) throws Exception {
    System.setProperty("tidemark.validation.hosts", "kafka:9092");
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket open = banner(connections)) {
      String other = address.formatted("127.0.0.1:" + open.getLocalPort());
      assertThat(errors(Map.of("kafka.bootstrap.servers", other)).toString())
          .contains("tidemark.validation.hosts");
      assertThat(connections).hasValue(0);
    }
  }

  @Test
  void whatAnotherServerSendsIsNotPartOfTheAnswer() throws Exception {
    try (ServerSocket ssh = banner(new AtomicInteger())) {
      // "SSH-" is 1397966893, which a client takes for a length.
      assertThat(answer("127.0.0.1:" + ssh.getLocalPort())).doesNotContain("SSH", "1397966893");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PLAINTEXT://"})
  void serverThatIsNoBrokerCostsNoMemory(String protocol) throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket ssh = banner(connections)) {
      String address = protocol + "127.0.0.1:" + ssh.getLocalPort();
      assertThat(errors(Map.of("kafka.bootstrap.servers", "127.0.0.1:1, " + address)))
          .hasEntrySatisfying(
              "kafka.bootstrap.servers",
              texts ->
                  assertThat(texts.toString())
                      .contains("what answers at " + address + " is not a broker without TLS")
                      .contains("Correct the port"));
      // Kafka's client would connect again and again, and allocate 1.4 GB each time.
      assertThat(connections).hasValue(1);
    }
  }

  /** Everything that validation says of a service at an address, without the address. */
  private static String answer(String address) {
    Map<String, List<String>> errors =
        errors(
            Map.of(
                "store.url", "hdfs://" + address,
                "schema.registry.url", "http://" + address,
                "hive.integration", "true",
                "hive.metastore.uris", "thrift://" + address,
                "kafka.bootstrap.servers", address.replaceFirst(":\\d+", ":1")));
    return errors.toString().replaceAll(address.replaceFirst(":.*", ":\\\\d+"), "ADDRESS");
  }

  private static ServerSocket banner(AtomicInteger connections) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread accepting =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  connections.incrementAndGet();
                  client
                      .getOutputStream()
                      .write("SSH-2.0-OpenSSH_9.2p1\r\n".getBytes(StandardCharsets.UTF_8));
                  client.setSoTimeout(1_000);
                  client.getInputStream().read(new byte[8192]); // unread bytes would reset it
                } catch (IOException e) {
                  // The client or the test has closed it.
                }
              }
            });
    accepting.setDaemon(true);
    accepting.start();
    return server;
  }

  private static Map<String, List<String>> errors(Map<String, String> changes) {
    return new TidemarkSinkConnector()
        .validate(properties(changes)).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }

  private static Map<String, String> properties(Map<String, String> changes) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "name", "quotes",
                "topics", "quotes",
                "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
                "consumer.override.isolation.level", "read_committed",
                "kafka.bootstrap.servers", "127.0.0.1:1",
                "schema.registry.url", "http://127.0.0.1:1",
                "store.url", "hdfs://127.0.0.1:1"));
    properties.putAll(changes);
    return properties;
  }

  /** A class on the class path of the worker, whose initializer leaves a trace. */
  static final class Reporter {
    static {
      System.setProperty(Reporter.class.getName(), "ran");
    }
  }
}
