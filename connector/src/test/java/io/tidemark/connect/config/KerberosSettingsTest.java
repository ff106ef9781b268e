package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.Keytab;
import io.tidemark.connect.hdfs.KeytabFixture;
import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of Kerberos and of TLS to the Metastore: what they mean, and what is refused. */
final class KerberosSettingsTest {
  @TempDir Path directory;

  private final Map<String, String> settings = new HashMap<>();

  @BeforeEach
  void set() throws IOException {
    Path keytab = KeytabFixture.write(directory.resolve("a.keytab"), "alice", "EXAMPLE.COM");
    settings.putAll(
        Map.of(
            "name", "quotes",
            "topics", "quotes",
            "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
            "consumer.override.isolation.level", "read_committed",
            "validation.connect", "false",
            "kafka.bootstrap.servers", "kafka:9092",
            "schema.registry.url", "http://registry:8081",
            "store.url", "hdfs://namenode:8020"));
    settings.putAll(
        Map.of(
            "hdfs.authentication.kerberos", "true",
            "connect.hdfs.principal", "alice@EXAMPLE.COM",
            "connect.hdfs.keytab", keytab.toString(),
            "hdfs.namenode.principal", "nn/_HOST@EXAMPLE.COM",
            "hive.integration", "true",
            "hive.metastore.uris", "thrift://metastore:9083",
            "hive.metastore.kerberos.principal", "hive/_HOST@EXAMPLE.COM",
            "hive.metastore.use.SSL", "true",
            "hive.metastore.truststore.path", "/trust.p12",
            "hive.metastore.truststore.password", "s3cr3t"));
  }

  private ConnectorConfig config() {
    return ConnectorConfig.unchecked(settings);
  }

  private Map<String, List<String>> errors() {
    Map<String, List<String>> errors = new HashMap<>();
    for (ConfigValue value : new TidemarkSinkConnector().validate(settings).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return errors;
  }

  @Test
  void allSettingsTogetherAreALoginToHdfsAndTheMetastore() {
    assertThat(errors()).isEmpty();
    HadoopUser alice =
        new HadoopUser(
            Optional.of(
                new Keytab(
                    "alice@EXAMPLE.COM",
                    directory.resolve("a.keytab").toString(),
                    Duration.ofHours(1))),
            Optional.empty());
    assertThat(config().hadoopUser()).isEqualTo(alice);
    assertThat(config().hadoopSettings())
        .isEqualTo(Map.of("dfs.namenode.kerberos.principal", "nn/_HOST@EXAMPLE.COM"));
    TlsSettings tls =
        new TlsSettings(
            Optional.empty(), Optional.of(store("/trust.p12", "s3cr3t")), true, List.of());
    assertThat(config().metastore().orElseThrow().access())
        .isEqualTo(
            new MetastoreAccess(alice, Optional.of("hive/_HOST@EXAMPLE.COM"), Optional.of(tls)));
    assertThat(config().metastore().orElseThrow().toString()).doesNotContain("s3cr3t");
  }

  private static TlsStore store(String path, String password) {
    return new TlsStore.OfFile(
        Path.of(path), TlsStore.Type.PKCS12, new Secret(password), Secret.NONE);
  }

  @Test
  void httpTransportHasTheSchemeOfItsTlsAndNoKerberos() {
    settings.put("hive.metastore.uris", "http://metastore:9083/metastore");
    settings.remove("hive.metastore.kerberos.principal");
    Map<String, List<String>> contradicts =
        Map.of(
            "hive.metastore.uris",
            List.of(
                "contradicts another key. With hive.metastore.use.SSL=true write https://, otherwise http://. With HTTP there is no Kerberos: remove hive.metastore.kerberos.principal, or use thrift://."));
    assertThat(errors()).isEqualTo(contradicts);
    settings.put("hive.metastore.uris", "https://metastore:9083/metastore");
    settings.put("hive.metastore.kerberos.principal", "hive/_HOST@EXAMPLE.COM");
    assertThat(errors()).isEqualTo(contradicts);
    settings.put("hive.metastore.uris", "https://metastore:9083/metastore");
    settings.remove("hive.metastore.kerberos.principal");
    assertThat(errors()).isEmpty();
  }

  @Test
  void ownerOfTablesIsTheShortNameOrTheProxyUser() {
    assertThat(config().hadoopUser().name()).isEqualTo("alice");
    settings.put("hdfs.proxy.user", "carol");
    assertThat(config().hadoopUser().name()).isEqualTo("carol");
  }

  @Test
  void withoutSettingsTheUserIsThatOfTheProcess() {
    settings.keySet().removeIf(key -> key.contains(".hdfs.") || key.startsWith("hdfs."));
    settings.keySet().removeIf(key -> key.contains("kerberos") || key.contains("SSL"));
    assertThat(config().hadoopUser()).isEqualTo(HadoopUser.OF_THE_PROCESS);
    assertThat(config().metastore().orElseThrow().access())
        .isEqualTo(MetastoreAccess.OF_THE_PROCESS);
    assertThat(errors()).isEmpty();
  }

  @Test
  void clientCertificateIsOfItsOwnStore() {
    settings.put("hive.metastore.keystore.path", "/own.jks");
    settings.put("hive.metastore.keystore.type", "JKS");
    settings.put("hive.metastore.keystore.password", "s3cr3t-own");
    assertThat(config().metastore().orElseThrow().access().tls().orElseThrow().keys())
        .hasValue(
            new TlsStore.OfFile(
                Path.of("/own.jks"), TlsStore.Type.JKS, new Secret("s3cr3t-own"), Secret.NONE));
  }

  @Test
  void keytabOfAnotherPrincipalIsRefusedAtItsKey() {
    settings.put("connect.hdfs.principal", "bob@EXAMPLE.COM");
    assertThat(errors()).containsOnlyKeys("connect.hdfs.keytab");
    assertThat(String.valueOf(errors().get("connect.hdfs.keytab")))
        .contains("contains no key of bob@EXAMPLE.COM");
  }

  @Test
  void keytabThatIsMissingIsRefusedAtItsKey() {
    settings.put("connect.hdfs.keytab", "/no/such/keytab");
    assertThat(errors()).containsOnlyKeys("connect.hdfs.keytab");
    assertThat(String.valueOf(errors().get("connect.hdfs.keytab")))
        .contains("/no/such/keytab is not a file that the user");
  }

  @Test
  void textThatIsNoPrincipalIsRefusedAtItsKey() {
    settings.put("connect.hdfs.principal", "/@EXAMPLE.COM");
    assertThat(errors()).containsOnlyKeys("connect.hdfs.principal");
  }
}
