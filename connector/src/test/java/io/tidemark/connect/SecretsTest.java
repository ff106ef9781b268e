package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The REST API's answer to a configuration does not repeat its secrets. */
final class SecretsTest {
  private static final String SECRET = "s3cr3t";
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "consumer.override.isolation.level", "read_committed",
          "validation.connect", "false",
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  static Stream<Map<String, String>> wrong() {
    return Stream.of(
        Map.of("store.url", "s3a://key:" + SECRET + "/with+slash@bucket/path"),
        Map.of("store.url", "hdfs://user:" + SECRET + "@name node:8020"),
        Map.of("store.url", "hdfs://user:" + SECRET + "@namenode:8020"),
        Map.of(
            "hive.integration",
            "true",
            "hive.metastore.uris",
            "jdbc:mysql://hive:" + SECRET + "@db:3306/hive"),
        Map.of(
            "bearer.auth.credentials.source",
            "OAUTHBEARER",
            "bearer.auth.issuer.endpoint.url",
            "https://user:" + SECRET + "@iss uer/token",
            "bearer.auth.client.id",
            "tidemark",
            "bearer.auth.client.secret",
            SECRET),
        Map.of(
            "hive.metastore.use.SSL", "true",
            "hive.metastore.truststore.password", SECRET,
            "hive.metastore.keystore.password", SECRET),
        Map.of("fields.hash.salt", SECRET, "fields.hash", "a..b"),
        Map.of("schema.registry.url", "http://user:" + SECRET + "@regis try:8081"),
        Map.of("schema.registry.url", "ftp://user:" + SECRET + "@registry:8081"),
        Map.of("schema.registry.url", "http://" + SECRET + "@registry:8081"),
        Map.of("schema.registry.url", "http://user:" + SECRET + "@"),
        Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", SECRET),
        Map.of(
            "bearer.auth.credentials.source",
            "STATIC_TOKEN",
            "bearer.auth.token",
            SECRET + "\n" + SECRET),
        Map.of(
            "schema.registry.ssl.truststore.location",
            "/nowhere",
            "schema.registry.ssl.truststore.password",
            SECRET),
        Map.of(
            "schema.registry.ssl.keystore.type", "PEM",
            "schema.registry.ssl.keystore.key", SECRET,
            "schema.registry.ssl.key.password", SECRET));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void wrongConfigurationIsRefusedWithoutItsSecrets(Map<String, String> wrong) {
    List<ConfigValue> answer = validate(wrong);
    assertThat(answer).as("it is refused").anyMatch(value -> !value.errorMessages().isEmpty());
    assertThat(answer).extracting(ConfigValue::toString).noneMatch(text -> text.contains(SECRET));
  }

  @Test
  void goodConfigurationIsRepeatedWithoutItsSecrets() {
    List<ConfigValue> inTheUrl =
        validate(Map.of("schema.registry.url", "http://a:8081,http://user:" + SECRET + "@b:8081"));
    List<ConfigValue> besideIt =
        validate(
            Map.of(
                "basic.auth.credentials.source",
                "USER_INFO",
                "basic.auth.user.info",
                "user:" + SECRET));
    assertThat(inTheUrl)
        .allMatch(value -> value.errorMessages().isEmpty())
        .extracting(ConfigValue::toString)
        .noneMatch(text -> text.contains(SECRET));
    assertThat(besideIt)
        .allMatch(value -> value.errorMessages().isEmpty())
        .extracting(ConfigValue::toString)
        .noneMatch(text -> text.contains(SECRET));
  }

  private static List<ConfigValue> validate(Map<String, String> differing) {
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.putAll(differing);
    return new TidemarkSinkConnector().validate(properties).configValues();
  }
}
