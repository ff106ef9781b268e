package io.tidemark.registry.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.ScriptedHost;
import io.tidemark.registry.TestIdentity;
import io.tidemark.registry.cache.CacheSettings;
import io.tidemark.registry.config.InvalidRegistryConfigException.Problem;
import io.tidemark.registry.confluent.SchemaContext;
import io.tidemark.registry.fingerprint.FingerprintSettings;
import io.tidemark.registry.security.BasicCredentials;
import io.tidemark.registry.security.BearerToken;
import io.tidemark.registry.security.ClientCredentials;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import io.tidemark.registry.wire.IdFormat;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RegistryConfigTest {

  @Test
  void urlAloneGivesTheDefaults() {
    RegistryConfig config = parse();
    assertThat(config.http().location()).isEqualTo("http://registry:8081");
    assertThat(config.http().rounds()).isEqualTo(5);
    assertThat(config.http().tls()).isEqualTo(TlsSettings.DEFAULT);
    assertThat(config.cache()).isEqualTo(CacheSettings.DEFAULT);
    assertThat(config.context()).isEqualTo(SchemaContext.DEFAULT);
    assertThat(config.api()).isEqualTo(RegistryApi.CONFLUENT);
    assertThat(parse("schema.registry.api=avro-1124").api()).isEqualTo(RegistryApi.AVRO_1124);
  }

  @Test
  void timesAndBoundsAreRead() {
    RegistryConfig config =
        parse(
            "http.connect.timeout.ms=1",
            "http.read.timeout.ms=2",
            "schema.registry.total.timeout.ms=3",
            "max.retries=0",
            "retries.wait.ms=5",
            "retries.max.wait.ms=6",
            "schema.registry.max.answer.bytes=7",
            "schema.max.bytes=13",
            "schema.registry.context=.staging",
            "schema.registry.cache.size=8",
            "schema.registry.cache.max.bytes=9",
            "schema.registry.not.found.ttl.ms=10",
            "latest.cache.ttl.sec=11",
            "schema.registry.confirm.interval.ms=12000",
            "schema.registry.cache.file=/var/tidemark/schemas");
    assertThat(config.http().connectTimeoutMs()).isEqualTo(1);
    assertThat(config.http().requestTimeoutMs()).isEqualTo(2);
    assertThat(config.http().totalTimeoutMs()).isEqualTo(3);
    assertThat(config.http().rounds()).isEqualTo(1);
    assertThat(config.http().backoffMs()).isEqualTo(5);
    assertThat(config.http().maxBackoffMs()).isEqualTo(6);
    assertThat(config.http().maxAnswerBytes()).isEqualTo(7);
    assertThat(config.http().maxSchemaBytes()).isEqualTo(13);
    assertThat(config.context()).isEqualTo(new SchemaContext(".staging"));
    assertThat(config.cache())
        .isEqualTo(
            new CacheSettings(
                8, 9, 10, 11_000, 12_000, Optional.of(Path.of("/var/tidemark/schemas")), 13));
    assertThat(parse("latest.cache.ttl.sec=-1").cache().latestTtlMs()).isEqualTo(Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic.auth.user.info", "schema.registry.basic.auth.user.info"})
  void userIsReadWithThePrefixOrWithout(String key) {
    RegistryConfig config = parse("basic.auth.credentials.source=USER_INFO", key + "=ann:hushhush");
    assertThat(config.http().endpoints().get(0).credentials())
        .contains(new BasicCredentials("ann", "hushhush"));
    assertThat(config.toString()).doesNotContain("hushhush");
  }

  @Test
  void tokensAreRead() {
    assertThat(
            parse("bearer.auth.credentials.source=STATIC_TOKEN", "bearer.auth.token=hushhush")
                .http()
                .endpoints()
                .get(0)
                .credentials())
        .contains(new BearerToken(new Secret("hushhush")));
    RegistryConfig config =
        parse(
            "bearer.auth.credentials.source=OAUTHBEARER",
            "bearer.auth.issuer.endpoint.url=https://id.example/token",
            "bearer.auth.client.id=tide",
            "bearer.auth.client.secret=hushhush",
            "bearer.auth.scope=read",
            "bearer.auth.cache.expiry.buffer.seconds=60",
            "bearer.auth.scope.claim.name=scope",
            "bearer.auth.logical.cluster=lsrc-1",
            "bearer.auth.identity.pool.id=pool-1");
    assertThat(config.http().endpoints().get(0).credentials())
        .contains(
            new ClientCredentials(
                URI.create("https://id.example/token"),
                "tide",
                new Secret("hushhush"),
                "read",
                60_000));
    assertThat(config.http().headers())
        .containsEntry("target-sr-cluster", new Secret("lsrc-1"))
        .containsEntry("Confluent-Identity-Pool-Id", new Secret("pool-1"));
    assertThat(config.toString()).doesNotContain("hushhush");
  }

  @Test
  void proxyAndHeadersAreRead() {
    RegistryConfig config =
        parse("proxy.host=proxy", "proxy.port=3128", "request.header.X-Api-Key=hushhush");
    assertThat(config.http().proxy()).contains(InetSocketAddress.createUnresolved("proxy", 3128));
    assertThat(config.http().headers()).containsEntry("X-Api-Key", new Secret("hushhush"));
    assertThat(parse("proxy.host=", "proxy.port=-1").http().proxy()).isEmpty();
  }

  @Test
  void storesAreRead(@TempDir Path directory) throws Exception {
    TestIdentity self = TestIdentity.of(directory);
    Path keys = self.writeKeys(directory.resolve("keys"), "JKS");
    TlsSettings tls =
        parse(
                "schema.registry.ssl.keystore.location=" + keys,
                "schema.registry.ssl.keystore.password=" + TestIdentity.PASSWORD,
                "schema.registry.ssl.truststore.certificates=" + self.certificatePem(),
                "schema.registry.ssl.truststore.type=PEM",
                "schema.registry.ssl.enabled.protocols=TLSv1.2, TLSv1.3",
                "schema.registry.ssl.endpoint.identification.algorithm=")
            .http()
            .tls();
    assertThat(tls.keys())
        .contains(
            new TlsStore.OfFile(
                keys, TlsStore.Type.JKS, new Secret(TestIdentity.PASSWORD), Secret.NONE));
    assertThat(tls.trust())
        .contains(new TlsStore.OfPem(new Secret(self.certificatePem().strip()), Secret.NONE));
    assertThat(tls.hostNameChecked()).isFalse();
    assertThat(tls.protocols()).containsExactly("TLSv1.2", "TLSv1.3");
  }

  @Test
  void otherKeysOfAConnectorArePassedOver() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("schema.registry.url", "http://registry:8081");
    settings.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    settings.put("ssl.keystore.password", "of Kafka's own");
    settings.put("tasks.max", 3);
    settings.put("schema.registry.cache.size", 5);
    settings.put("topics", List.of("a"));
    assertThat(RegistryConfig.parse(settings).cache().maxEntries()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schema.registry.urls=http://b|schema.registry.urls|is not a setting of this client",
        "basic.auth.user=ann|basic.auth.user|is not a setting of this client",
        "schema.registry.ssl.cipher.suites=X|schema.registry.ssl.cipher.suites|is not a setting of",
        "basic.auth.user.info=ann:x|basic.auth.user.info|is URL, so it would not be used",
        "basic.auth.credentials.source=USER_INFO|basic.auth.user.info|is missing",
        "basic.auth.credentials.source=SASL_INHERIT|basic.auth.credentials.source|is not supported",
        "bearer.auth.token=x|bearer.auth.credentials.source|is missing, so bearer.auth.token",
        "bearer.auth.credentials.source=STATIC_TOKEN|bearer.auth.token|is missing",
        "bearer.auth.credentials.source=OAUTHBEARER|bearer.auth.client.secret|is missing",
        "bearer.auth.credentials.source=CUSTOM|bearer.auth.credentials.source|is not supported",
        "proxy.host=a|proxy.port|is missing",
        "proxy.port=1|proxy.host|is missing",
        "request.header.Host=a|request.header.Host|the header \"Host\" cannot be sent",
        "max.retries=-1|max.retries|\"-1\" is not a number of retries from 0 to 1000",
        "http.connect.timeout.ms=soon|http.connect.timeout.ms|\"soon\" is not a number",
        "retries.wait.ms=9000;retries.max.wait.ms=10|retries.max.wait.ms|from 9000 to 3600000",
        "max.retries=1;schema.registry.max.retries=2|max.retries|is set twice",
        "schema.registry.api=other|schema.registry.api|is neither confluent nor avro-1124",
        "schema.registry.api=avro-1124;schema.registry.context=.a|schema.registry.context|no effect",
        "schema.registry.id.format=avro|schema.registry.id.format|is not one of confluent, subject-int32",
        "schema.registry.id.format=subject-int32|schema.registry.id.format|does not fit the registry",
        "schema.registry.api=avro-1124;schema.registry.id.format=confluent"
            + "|schema.registry.id.format|does not fit the registry",
        "schema.registry.subject.template=a|schema.registry.subject.template|has no effect",
        "schema.registry.api=avro-1124;schema.registry.subject.template=${tpic}"
            + "|schema.registry.subject.template|is not a subject",
        "schema.registry.id.format=single-object|schema.registry.subjects|is missing",
        "schema.registry.subjects=a|schema.registry.subjects|has no effect",
        "schema.registry.context=staging|schema.registry.context|is not a context",
        "schema.registry.ssl.truststore.type=BKS|schema.registry.ssl.truststore.type|not one of JKS",
        "schema.registry.ssl.truststore.location=/no/such|schema.registry.ssl|does not exist",
        "schema.registry.ssl.truststore.location=/dev/zero;schema.registry.ssl.truststore.type=PEM"
            + "|schema.registry.ssl|is a directory, a device or a pipe, which would be read without end",
        "schema.registry.ssl.keystore.location=/dev/tty|schema.registry.ssl|is a directory, a device or a",
        "schema.registry.ssl.keystore.location=/tmp|schema.registry.ssl|is a directory, a device or a",
        "schema.registry.ssl.keystore.location=/proc/self/status|schema.registry.ssl|is not a file of 1 to",
        "schema.registry.ssl.truststore.location=/etc/passwd;schema.registry.ssl.truststore.type=PKCS12"
            + "|schema.registry.ssl|rejects its type. Check",
        "schema.registry.ssl.truststore.password=x|schema.registry.ssl.truststore.location|missing",
        "schema.registry.ssl.keystore.key=x|schema.registry.ssl.keystore.certificate.chain|missing",
        "schema.registry.ssl.endpoint.identification.algorithm=no"
            + "|schema.registry.ssl.endpoint.identification.algorithm|Set https, or empty text",
      })
  void problemNamesItsKey(String settings, String key, String text) {
    assertThat(problems(settings.split(";", -1)))
        .anySatisfy(
            problem -> {
              assertThat(problem.key()).isEqualTo(key);
              assertThat(problem.text()).contains(text);
            });
  }

  @Test
  void idFormatFollowsTheRegistry() throws Exception {
    assertThat(parse().idFormat()).isEqualTo(IdFormat.CONFLUENT);
    byte[] value = {0, 0, 0, 0, 3};
    assertThat(parse("schema.registry.api=avro-1124").reader("orders").read(null, value).id())
        .isEqualTo(new SchemaId.OfSubject("orders", "3"));
    assertThat(
            parse(
                    "schema.registry.api=avro-1124",
                    "schema.registry.id.format=subject-varint-text",
                    "schema.registry.subject.template=${topic}-value")
                .reader("orders")
                .read(null, new byte[] {4, 'v', '3'})
                .id())
        .isEqualTo(new SchemaId.OfSubject("orders-value", "v3"));
    RegistryConfig singleObject =
        parse("schema.registry.id.format=single-object", "schema.registry.subjects=a, b");
    assertThat(singleObject.fingerprints())
        .isEqualTo(new FingerprintSettings(List.of("a", "b"), 1_000));
  }

  @Test
  void everyProblemIsToldAtOnceAndNoSecretWithIt() {
    InvalidRegistryConfigException failure =
        catchThrowableOfType(
            InvalidRegistryConfigException.class,
            () ->
                RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url",
                        "http://ann:hushhush@my_registry",
                        "basic.auth.credentials.source",
                        "USER_INFO",
                        "basic.auth.user.info",
                        "hushhush",
                        "bearer.auth.credentials.source",
                        "STATIC_TOKEN",
                        "bearer.auth.token",
                        " hush hush ",
                        "max.retries",
                        "many",
                        "schema.registry.nonsense",
                        "1")));
    assertThat(failure.problems())
        .extracting(Problem::key)
        .contains(
            "schema.registry.url",
            "basic.auth.user.info",
            "max.retries",
            "schema.registry.nonsense");
    assertThat(failure).message().doesNotContain("hush");
  }

  @Test
  void malformedTokenEndpointIsToldWithoutItsPassword() {
    assertThatThrownBy(
            () ->
                RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url", "http://registry",
                        "bearer.auth.credentials.source", "OAUTHBEARER",
                        "bearer.auth.client.id", "tide",
                        "bearer.auth.client.secret", "secret",
                        "bearer.auth.issuer.endpoint.url", "https://ann:hushhush@iss uer/token")))
        .hasMessageContaining("bearer.auth.issuer.endpoint.url: ")
        .hasMessageContaining("is malformed at character 8")
        .message()
        .doesNotContain("hushhush");
  }

  @Test
  void userInTheUrlAndBesideItContradict() {
    assertThatThrownBy(
            () ->
                RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url", "http://ann:a@registry",
                        "basic.auth.credentials.source", "USER_INFO",
                        "basic.auth.user.info", "bob:b")))
        .hasMessageContaining("is USER_INFO, and a URL contains a user too");
    assertThatThrownBy(
            () ->
                RegistryConfig.parse(
                    Map.of(
                        "schema.registry.url", "http://ann:a@registry",
                        "bearer.auth.credentials.source", "STATIC_TOKEN",
                        "bearer.auth.token", "b")))
        .hasMessageContaining("cannot be combined with basic credentials");
  }

  @Test
  void clientsOfEqualSettingsShareOneCache() throws Exception {
    try (ScriptedHost host = new ScriptedHost()) {
      host.thenJson(200, "{\"schema\": \"\\\"long\\\"\"}");
      Map<String, String> settings =
          Map.of(
              "schema.registry.url", host.url(),
              "basic.auth.credentials.source", "USER_INFO",
              "basic.auth.user.info", "ann:hushhush");
      try (SchemaRegistry first = RegistryConfig.parse(settings).open();
          SchemaRegistry second = RegistryConfig.parse(settings).open()) {
        assertThat(first.schema(SchemaId.of(1))).isSameAs(second.schema(SchemaId.of(1)));
      }
      assertThat(host.requests()).hasSize(1);

      Map<String, String> others = new HashMap<>(settings);
      others.put("basic.auth.user.info", "ann:other");
      try (SchemaRegistry first = RegistryConfig.parse(settings).open();
          SchemaRegistry second = RegistryConfig.parse(others).open()) {
        assertThat(first.schema(SchemaId.of(1))).isNotSameAs(second.schema(SchemaId.of(1)));
      }
      assertThat(host.requests()).hasSize(3);
    }
  }

  private static RegistryConfig parse(String... settings) {
    Map<String, String> map = new HashMap<>();
    map.put("schema.registry.url", "http://registry:8081");
    Arrays.stream(settings)
        .forEach(
            setting -> {
              int equals = setting.indexOf('=');
              map.put(setting.substring(0, equals), setting.substring(equals + 1));
            });
    return RegistryConfig.parse(map);
  }

  private static List<Problem> problems(String... settings) {
    return catchThrowableOfType(InvalidRegistryConfigException.class, () -> parse(settings))
        .problems();
  }
}
