package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration is told of services that do not answer; ValidationIT has those that do. */
final class ServiceChecksTest {

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
                    .contains("was asked and failed: ")
                    .contains("validation.connect=false"));
  }

  @Test
  void servicesThatSayNothingAreAskedAtOnceAndForFiveSeconds() throws Exception {
    // Takes connections, and answers none.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long began = System.nanoTime();
      Map<String, List<String>> errors =
          errors("localhost:" + silent.getLocalPort(), Map.of("retry.backoff.ms", "soon"));
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
                "kafka.bootstrap.servers", " ",
                "schema.registry.api", "mine",
                "hive.metastore.uris", "jdbc:derby"));
    assertThat(errors)
        .containsOnlyKeys(
            "store.url", "kafka.bootstrap.servers", "schema.registry.api", "hive.metastore.uris");
    assertThat(errors.toString()).doesNotContain("was asked");
  }

  @Test
  void hostThatNobodyKnowsIsNamed() throws Exception {
    Map<String, List<String>> errors = errors("no-such-host.invalid:1", Map.of());
    assertThat(errors.getOrDefault("store.url", List.of()).toString())
        .contains("no-such-host.invalid");
  }

  @Test
  void directoryOfHadoopsFilesHasThemAndAsksForNoKerberos(@TempDir Path directory)
      throws Exception {
    Map<String, String> changes = Map.of("hadoop.conf.dir", directory.toString());
    String address = "localhost:" + closedPort();
    assertThat(errors(address, changes).getOrDefault("hadoop.conf.dir", List.of()).toString())
        .contains("holds neither core-site.xml nor hdfs-site.xml");
    Files.writeString(
        directory.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>hadoop.security.authentication</name><value>kerberos</value></property>
        </configuration>
        """);
    assertThat(errors(address, changes).getOrDefault("hadoop.conf.dir", List.of()).toString())
        .contains("hadoop.security.authentication=kerberos")
        .contains("not supported");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      return open.getLocalPort();
    }
  }

  private static Map<String, List<String>> errors(String address, Map<String, String> changes) {
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
    return new TidemarkSinkConnector()
        .validate(properties).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .collect(Collectors.toMap(ConfigValue::name, ConfigValue::errorMessages));
  }
}
