package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.TidemarkSinkConnector;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.stack.FreePorts;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import io.tidemark.stack.security.Certificates;
import io.tidemark.store.commit.TopicMetadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kafka clients of the connector that use TLS, each with another kind of login. */
final class KafkaSecurityIT {
  private static final String SECRET = "hushhush";
  private static final String SASL = "localhost:" + FreePorts.next();
  private static final String SSL = "localhost:" + FreePorts.next();
  private static final String OAUTH = "localhost:" + FreePorts.next();
  private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String MODULES = "org.apache.kafka.common.security.";

  @TempDir private static Path directory;

  private static Certificates certificates;
  private static TokenEndpoint endpoint;
  private static LocalStack stack;

  /** A kind of login, and the settings with which it succeeds and fails. */
  enum Login {
    SCRAM {
      @Override
      Map<String, String> settings(boolean right) {
        return sasl(
            "SCRAM-SHA-512",
            "scram.ScramLoginModule required username=\"ann\" password=\"%s\";"
                .formatted(right ? SECRET : SECRET + "-wrong"));
      }
    },
    OAUTHBEARER {
      @Override
      Map<String, String> settings(boolean right) {
        return sasl(
            "OAUTHBEARER",
            "oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"ann\"%s;"
                .formatted(right ? "" : " unsecuredLoginLifetimeSeconds=\"-10\""));
      }
    },
    /** With signed tokens of a server, which the broker validates with the server's key. */
    TOKEN_ENDPOINT {
      @Override
      Map<String, String> settings(boolean right) {
        Map<String, String> settings =
            new HashMap<>(
                sasl(
                    "OAUTHBEARER",
                    "oauthbearer.OAuthBearerLoginModule required clientId=\"ann\" clientSecret=\"%s\";"
                        .formatted(right ? SECRET : SECRET + "-wrong")));
        settings.put("kafka.bootstrap.servers", OAUTH);
        settings.put(
            "kafka.sasl.login.callback.handler.class",
            MODULES + "oauthbearer.OAuthBearerLoginCallbackHandler");
        settings.put("kafka.sasl.oauthbearer.token.endpoint.url", endpoint.tokenUrl());
        settings.put("kafka.sasl.login.retry.backoff.max.ms", "200");
        return settings;
      }
    },
    MUTUAL_TLS {
      @Override
      Map<String, String> settings(boolean right) {
        Map<String, String> settings = new HashMap<>(tls(SSL, "SSL"));
        if (right) {
          settings.put("kafka.ssl.keystore.location", certificates.keyStore().toString());
          settings.put("kafka.ssl.keystore.type", Certificates.TYPE);
          settings.put("kafka.ssl.keystore.password", Certificates.PASSWORD);
        }
        return settings;
      }
    };

    abstract Map<String, String> settings(boolean right);

    private static Map<String, String> sasl(String mechanism, String login) {
      Map<String, String> settings = new HashMap<>(tls(SASL, "SASL_SSL"));
      settings.put("kafka.sasl.mechanism", mechanism);
      settings.put("kafka.sasl.jaas.config", MODULES + login);
      return settings;
    }

    private static Map<String, String> tls(String address, String protocol) {
      Map<String, String> settings = new HashMap<>();
      settings.put("kafka.bootstrap.servers", address);
      settings.put("kafka.security.protocol", protocol);
      certificates.ofKafkaClient().forEach((key, value) -> settings.put("kafka." + key, value));
      return settings;
    }
  }

  @BeforeAll
  static void startKafka() throws Exception {
    certificates = new Certificates(directory);
    Path java = Path.of(System.getProperty("java.home"));
    assertThat(new ProcessBuilder(certificates.creation(java)).inheritIO().start().waitFor())
        .isZero();
    certificates.writeTrustStore();
    endpoint = new TokenEndpoint("ann", SECRET);
    // Kafka's clients and brokers from 3.9.1 on call no other endpoint.
    System.setProperty(ALLOWED_URLS, endpoint.urls());
    Map<String, String> properties = new HashMap<>(certificates.ofKafkaBroker());
    properties.put("listeners", "SASL_SSL://" + SASL + ",SSL://" + SSL + ",OAUTH://" + OAUTH);
    properties.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL,OAUTH:SASL_SSL");
    properties.put("listener.name.oauth.sasl.enabled.mechanisms", "OAUTHBEARER");
    properties.put(
        "listener.name.oauth.oauthbearer.sasl.jaas.config",
        MODULES + "oauthbearer.OAuthBearerLoginModule required;");
    properties.put(
        "listener.name.oauth.oauthbearer.sasl.server.callback.handler.class",
        MODULES + "oauthbearer.OAuthBearerValidatorCallbackHandler");
    properties.put(
        "listener.name.oauth.oauthbearer.sasl.oauthbearer.jwks.endpoint.url", endpoint.keysUrl());
    properties.put(
        "listener.name.oauth.oauthbearer.sasl.oauthbearer.expected.audience",
        TokenEndpoint.AUDIENCE);
    properties.put("listener.name.ssl.ssl.client.auth", "required");
    properties.put("sasl.enabled.mechanisms", "SCRAM-SHA-512,OAUTHBEARER");
    properties.put(
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
        MODULES + "scram.ScramLoginModule required;");
    properties.put(
        "listener.name.sasl_ssl.oauthbearer.sasl.jaas.config",
        MODULES + "oauthbearer.OAuthBearerLoginModule required;");
    stack =
        LocalStack.builder()
            .directory(Files.createTempDirectory(Path.of("target"), "stack-"))
            .firstCompilerOnly()
            .kafkaJvmOptions("-D" + ALLOWED_URLS + "=" + endpoint.urls())
            .with(Service.KAFKA)
            .kafkaProperties(properties)
            .start();
    try (Admin admin = stack.kafka().admin()) {
      admin.createTopics(Set.of(new NewTopic("quotes", 1, (short) 1))).all().get();
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      "ann", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4_096), SECRET)))
          .all()
          .get();
    }
  }

  @AfterAll
  static void stopKafka() {
    stack.close();
    endpoint.close();
    System.clearProperty(ALLOWED_URLS);
  }

  @ParameterizedTest
  @EnumSource
  void connectorsClientLogsIn(Login login) throws Exception {
    Map<String, String> properties = properties(login.settings(true));
    assertThat(errors(properties)).doesNotContainKey("kafka.bootstrap.servers");
    try (TopicMetadata topics =
        new KafkaTopicMetadata(
            new ConnectorConfig(properties).kafkaClient(), "connect-quotes", true)) {
      assertThat(topics.identity("quotes").topicId()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void loginThatFailsIsReportedWithoutItsSecret(Login login) {
    Map<String, List<String>> errors = errors(properties(login.settings(false)));
    assertThat(errors).containsKey("kafka.bootstrap.servers");
    assertThat(errors.toString()).doesNotContain(SECRET, Certificates.PASSWORD);
  }

  private static Map<String, List<String>> errors(Map<String, String> properties) {
    Map<String, List<String>> errors = new HashMap<>();
    for (ConfigValue value : new TidemarkSinkConnector().validate(properties).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return errors;
  }

  private static Map<String, String> properties(Map<String, String> login) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "name", "quotes",
                "topics", "quotes",
                "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
                "consumer.override.isolation.level", "read_committed",
                "schema.registry.url", "http://127.0.0.1:1",
                "store.url", "hdfs://127.0.0.1:1"));
    properties.putAll(login);
    return properties;
  }
}
