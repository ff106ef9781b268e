package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the REST API answers to a wrong configuration does not repeat the secrets in it. */
final class SecretsTest {
  private static final String SECRET = "s3cr3t";
  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "connector.class", "io.tidemark.connect.TidemarkSinkConnector",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  static Stream<Map<String, String>> wrong() {
    return Stream.of(
        Map.of("store.url", "s3a://key:" + SECRET + "/with+slash@bucket/path"),
        Map.of("store.url", "hdfs://user:" + SECRET + "@name node:8020"),
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
    Map<String, String> properties = new HashMap<>(GOOD);
    properties.putAll(wrong);
    Config answer = new TidemarkSinkConnector().validate(properties);
    List<String> messages =
        answer.configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .toList();
    assertThat(messages).as("it is refused").isNotEmpty();
    assertThat(messages).noneMatch(message -> message.contains(SECRET));
  }
}
