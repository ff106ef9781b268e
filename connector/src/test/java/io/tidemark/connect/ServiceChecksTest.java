package io.tidemark.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.health.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Errors of a configuration whose services do not answer. ValidationIT has services that answer.
 */
final class ServiceChecksTest {
  private static final List<Service> ASKED =
      List.of(Service.KAFKA, Service.STORE, Service.SCHEMA_REGISTRY, Service.METASTORE);

  /** An invalid address of Kafka; the client would try a valid one for seconds. */
  private static final String NOT_ASKED = " ";

  @Test
  void everyServiceThatIsNotThereIsToldUnderItsKey() throws Exception {
    int closed = closedPort();
    Map<String, List<String>> errors = errors("localhost:" + closed, Map.of());
    assertThat(errors)
        .containsOnlyKeys(
            "store.url", "kafka.bootstrap.servers", "schema.registry.url", "hive.metastore.uris");
    errors
        .values()
        .forEach(
            messages ->
                assertThat(messages)
                    .singleElement()
                    .asString()
                    .contains("returned an error: ")
                    .contains("validation.connect=false"));
  }

  @Test
  void servicesThatSayNothingAreAskedAtOnceAndForFiveSeconds() throws Exception {
    // Accepts connections and does not answer.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long began = System.nanoTime();
      Map<String, List<String>> errors =
          errors(
              "localhost:" + silent.getLocalPort(), Map.of("retry.backoff.ms", "soon"), allUsed());
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
      assertThat(errors)
          .containsOnlyKeys(
              "retry.backoff.ms",
              "store.url",
              "kafka.bootstrap.servers",
              "schema.registry.url",
              "hive.metastore.uris");
    }
  }

  /** Connect's answer to a deployment has the messages without their keys. */
  @Test
  void everyErrorNamesItsServiceAddressKeyAndCure() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "localhost:" + silent.getLocalPort();
      Map<String, List<String>> errors = errors(address, Map.of(), allUsed());
      for (Service service : ASKED) {
        assertThat(errors.getOrDefault(service.addressKey(), List.of()))
            .singleElement()
            .asString()
            .startsWith("%s: %s at ".formatted(service.addressKey(), service.inWords()))
            .contains("validation.connect=false")
            .containsAnyOf(service.addressKey() + " is correct", "orrect the address")
            .containsAnyOf(address + " did not answer", address + " returned an error");
      }
    }
  }

  @Test
  void credentialsOfTheRegistrysAddressAreNotTold() throws Exception {
    Map<String, String> changes =
        Map.of(
            "schema.registry.url",
            "http://ann:open-sesame@localhost:" + closedPort(),
            "kafka.bootstrap.servers",
            NOT_ASKED);
    assertThat(errors("localhost:" + closedPort(), changes).toString())
        .contains("schema.registry.url: the schema registry at http://localhost:")
        .doesNotContain("open-sesame");
  }

  /** The client first loads its classes. That takes seconds in a new or busy worker. */
  @Test
  void firstQuestionOfAWorkerHasTimeForItsClientToStart() throws Exception {
    HttpServer slow = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    slow.createContext("/", ServiceChecksTest::answerLate);
    slow.start();
    try {
      String address = "localhost:" + slow.getAddress().getPort();
      Set<Service> used = ConcurrentHashMap.newKeySet();
      Map<String, String> alone =
          Map.of(
              "store.url", "s3a://bucket",
              "kafka.bootstrap.servers", NOT_ASKED,
              "hive.metastore.uris", "jdbc:derby");
      assertThat(errors(address, alone, used)).doesNotContainKey("schema.registry.url");
      assertThat(used).contains(Service.SCHEMA_REGISTRY);
      assertThat(errors(address, alone, used)).containsKey("schema.registry.url");
    } finally {
      slow.stop(0);
    }
  }

  private static void answerLate(HttpExchange exchange) throws IOException {
    try (exchange) {
      TimeUnit.SECONDS.sleep(6);
      byte[] body = "{\"error_code\":40403,\"message\":\"none\"}".getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
      exchange.sendResponseHeaders(404, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void nobodyIsAskedWhereThatIsSwitchedOff() throws Exception {
    assertThat(errors("localhost:" + closedPort(), Map.of("validation.connect", "false")))
        .isEmpty();
  }

  @Test
  void serviceWhoseKeyIsWrongIsNotAsked() throws Exception {
    Map<String, List<String>> errors =
        errors(
            "localhost:" + closedPort(),
            Map.of(
                "store.url", "s3a://bucket",
                "kafka.bootstrap.servers", NOT_ASKED,
                "schema.registry.api", "mine",
                "hive.metastore.uris", "jdbc:derby"));
    assertThat(errors)
        .containsOnlyKeys(
            "store.url", "kafka.bootstrap.servers", "schema.registry.api", "hive.metastore.uris");
    assertThat(errors.toString()).doesNotContain("did not answer", "returned an error");
  }

  @Test
  void hostThatNobodyKnowsIsNamed() throws Exception {
    Map<String, List<String>> errors = errors("no-such-host.invalid:1", Map.of());
    assertThat(errors.getOrDefault("store.url", List.of()).toString())
        .contains("no-such-host.invalid");
  }

  @Test
  void directoryOfHadoopsFilesHasThemAndAsksForALoginOnlyWithItsSettings(@TempDir Path directory)
      throws Exception {
    Map<String, String> changes =
        Map.of("hadoop.conf.dir", directory.toString(), "kafka.bootstrap.servers", NOT_ASKED);
    String address = "localhost:" + closedPort();
    assertThat(errors(address, changes).getOrDefault("hadoop.conf.dir", List.of()).toString())
        .contains("has neither core-site.xml nor hdfs-site.xml");
    Files.writeString(
        directory.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>hadoop.security.authentication</name><value>kerberos</value></property>
        </configuration>
        """);
    assertThat(errors(address, changes).getOrDefault("hadoop.conf.dir", List.of()).toString())
        .contains("hadoop.security.authentication=kerberos")
        .contains("Set hdfs.authentication.kerberos=true");
  }

  /** A client of HDFS tries name nodes in turn, with pauses. It must end within the time. */
  @Test
  void nameServiceOfNameNodesThatAreAwayIsToldBeforeTheTimeIsOver(@TempDir Path directory)
      throws Exception {
    nameService(directory, "localhost:" + closedPort(), "localhost:" + closedPort());

    assertThat(errorOfNameService(directory, allUsed()))
        .contains("the store at hdfs://ns1 returned an error")
        .contains("Connection refused");
  }

  @Test
  void wrongAddressesOfNameNodesAreTold(@TempDir Path directory) throws Exception {
    nameService(directory, "no-such-host.invalid:8020", "nor-this-one.invalid:8020");

    assertThat(errorOfNameService(directory, ConcurrentHashMap.newKeySet()))
        .contains("the store at hdfs://ns1 returned an error")
        .contains(".invalid");
  }

  @Test
  void nameServiceThatNoFileDefinesIsTold(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("hdfs-site.xml"), "<configuration/>");

    assertThat(errorOfNameService(directory, ConcurrentHashMap.newKeySet()))
        .contains("store.url hdfs://ns1: the host ns1 is unknown")
        .contains("hadoop.conf.dir must contain the hdfs-site.xml that defines it");
  }

  private static String errorOfNameService(Path confDir, Set<Service> used) {
    Map<String, String> changes =
        Map.of(
            "store.url",
            "hdfs://ns1",
            "hadoop.conf.dir",
            confDir.toString(),
            "kafka.bootstrap.servers",
            NOT_ASKED,
            "hive.metastore.uris",
            "jdbc:derby");
    return errors("localhost:1", changes, used).getOrDefault("store.url", List.of()).toString();
  }

  private static void nameService(Path confDir, String first, String second) throws IOException {
    Map<String, String> settings =
        Map.of(
            "dfs.nameservices",
            "ns1",
            "dfs.ha.namenodes.ns1",
            "n1,n2",
            "dfs.namenode.rpc-address.ns1.n1",
            first,
            "dfs.namenode.rpc-address.ns1.n2",
            second,
            "dfs.client.failover.proxy.provider.ns1",
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    StringBuilder xml = new StringBuilder("<configuration>");
    settings.forEach(
        (key, value) ->
            xml.append(
                "<property><name>%s</name><value>%s</value></property>".formatted(key, value)));
    Files.writeString(confDir.resolve("hdfs-site.xml"), xml.append("</configuration>").toString());
  }

  private static int closedPort() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      return open.getLocalPort();
    }
  }

  private static Map<String, List<String>> errors(String address, Map<String, String> changes) {
    return errors(new TidemarkSinkConnector().validate(properties(address, changes)));
  }

  /**
   * Validates the configuration. {@code used} are the services whose clients the worker has used.
   */
  private static Map<String, List<String>> errors(
      String address, Map<String, String> changes, Set<Service> used) {
    Map<String, String> properties = properties(address, changes);
    Config config = new Config(new ArrayList<>(ConnectorConfig.DEFINITION.validate(properties)));
    ServiceChecks.check(ConnectorConfig.unchecked(properties), config, used);
    return errors(config);
  }

  private static Set<Service> allUsed() {
    Set<Service> used = ConcurrentHashMap.newKeySet();
    used.addAll(EnumSet.allOf(Service.class));
    return used;
  }

  private static Map<String, List<String>> errors(Config config) {
    return config.configValues().stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }

  private static Map<String, String> properties(String address, Map<String, String> changes) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "name",
                "quotes",
                "connector.class",
                "io.tidemark.connect.TidemarkSinkConnector",
                "topics",
                "quotes",
                "value.converter",
                ConnectorConfig.BYTE_ARRAY_CONVERTER,
                "consumer.override.isolation.level",
                "read_committed",
                "kafka.bootstrap.servers",
                address,
                "schema.registry.url",
                "http://" + address,
                "store.url",
                "hdfs://" + address,
                "hive.integration",
                "true",
                "hive.metastore.uris",
                "thrift://" + address));
    properties.putAll(changes);
    return properties;
  }
}
