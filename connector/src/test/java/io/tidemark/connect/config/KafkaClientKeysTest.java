package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of Kafka's clients that a configuration may not use as it likes. */
class KafkaClientKeysTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metric.reporters | com.example.Evil
          metric.reporters | org.apache.kafka.common.metrics.JmxReporter, com.example.Evil
          interceptor.classes | java.lang.Runtime
          partition.assignment.strategy | com.example.Evil
          ssl.engine.factory.class | com.example.Evil
          security.providers | com.example.Evil
          sasl.login.class | org.apache.kafka.connect.runtime.Worker
          sasl.oauthbearer.jwt.retriever.class | com.example.Evil
          key.deserializer | com.example.Evil
          some.plugin.class | com.example.Evil
          class | com.example.Evil
          sasl.kerberos.kinit.cmd | /tmp/evil
          sasl.jaas.config | com.sun.security.auth.module.JndiLoginModule required user.provider.url="ldap://x";
          sasl.jaas.config | com.sun.security.auth.module.LdapLoginModule required;
          sasl.jaas.config | com.sun.security.auth.module.KeyStoreLoginModule required keyStoreURL="file:///etc/x";
          sasl.jaas.config | /**/com.example.Evil required;
          sasl.jaas.config | "com.example.Evil" required;
          sasl.jaas.config | Evil required;
          sasl.oauthbearer.token.endpoint.url | file:///etc/passwd
          sasl.oauthbearer.token.endpoint.url | FILE:/etc/passwd
          sasl.oauthbearer.jwks.endpoint.url | jar:file:/x!/y
          sasl.oauthbearer.assertion.file | /etc/passwd
          sasl.oauthbearer.assertion.private.key.file | /etc/passwd
          """)
  void codeAndFilesOfTheWorkerAreRefused(String key, String value) {
    assertThat(KafkaClientKeys.problem("kafka." + key, value))
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("is refused", "tidemark.kafka.allowed"));
  }

  /** Neither class nor program, and no property of the worker would help. */
  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/dev/tty", " /dev/zero ", "DIR", "DIR/pipe", "DIR/a,pipe"})
  void storeThatIsNoFileIsRefusedForThatReason(String place, @TempDir Path directory)
      throws Exception {
    for (String pipe : List.of("pipe", "a,pipe")) {
      new ProcessBuilder("mkfifo", directory.resolve(pipe).toString()).start().waitFor();
    }
    for (String key : List.of("kafka.ssl.keystore.location", "kafka.ssl.truststore.location")) {
      assertThat(KafkaClientKeys.problem(key, place.replace("DIR", directory.toString())))
          .contains(
              "is refused: it is a directory, a device or a pipe, which a client would read without end. Name a file.");
    }
  }

  /** Kafka's parser of logins takes the rest of a line behind a slash for a comment. */
  @ParameterizedTest
  @ValueSource(strings = {"/usr/bin/kinit", "https://x", "/opt/kinit", "file:///run/token"})
  void loginModuleBehindACommentIsRefused(String comment) {
    System.setProperty(KafkaClientKeys.ALLOWED, "file:///run/token,/opt/kinit");
    try {
      assertThat(
              KafkaClientKeys.problem(
                  "kafka.sasl.jaas.config", comment + "\ncom.example.Evil required;"))
          .isPresent();
    } finally {
      System.clearProperty(KafkaClientKeys.ALLOWED);
    }
  }

  @Test
  void whatTheWorkerListsIsPermitted() {
    System.setProperty(KafkaClientKeys.ALLOWED, "com.example.Iam, file:///run/token,/opt/kinit");
    try {
      assertThat(KafkaClientKeys.problem("kafka.sasl.jaas.config", "com.example.Iam required;"))
          .isEmpty();
      assertThat(KafkaClientKeys.problem("kafka.metric.reporters", "com.example.Iam")).isEmpty();
      assertThat(KafkaClientKeys.problem("kafka.metric.reporters", "com.example.Iam,x.Y"))
          .isPresent();
      assertThat(KafkaClientKeys.problem("kafka.sasl.kerberos.kinit.cmd", "/opt/kinit")).isEmpty();
      String url = "kafka.sasl.oauthbearer.token.endpoint.url";
      assertThat(KafkaClientKeys.problem(url, "file:///run/token")).isEmpty();
      assertThat(KafkaClientKeys.problem(url, "file:///run/token2")).isPresent();
    } finally {
      System.clearProperty(KafkaClientKeys.ALLOWED);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          security.protocol | SASL_SSL
          metadata.recovery.strategy | rebootstrap
          metric.reporters | org.apache.kafka.common.metrics.JmxReporter
          metric.reporters | ''
          key.deserializer | org.apache.kafka.common.serialization.ByteArrayDeserializer
          partition.assignment.strategy | org.apache.kafka.clients.consumer.RangeAssignor
          sasl.login.callback.handler.class | org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
          sasl.kerberos.kinit.cmd | /usr/bin/kinit
          sasl.jaas.config | org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";
          sasl.jaas.config | com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true;
          sasl.jaas.config | ${file:/etc/connect/secrets.properties:jaas}
          sasl.oauthbearer.token.endpoint.url | https://login.example/token
          sasl.oauthbearer.header.urlencode | true
          ssl.truststore.location | /etc/kafka/trust.jks
          """)
  void settingsOfKafkaItselfArePermitted(String key, String value) {
    assertThat(KafkaClientKeys.problem("kafka." + key, value)).isEmpty();
  }

  @Test
  void everyClassAmongTheSettingsOfKafkasClientsIsChecked() {
    assertThat(
            Stream.of(
                    ConsumerConfig.configDef(),
                    ProducerConfig.configDef(),
                    AdminClientConfig.configDef())
                .flatMap(each -> each.configKeys().values().stream())
                .filter(each -> each.type == ConfigDef.Type.CLASS)
                .map(each -> each.name))
        .hasSizeGreaterThan(8)
        .allSatisfy(
            key ->
                assertThat(KafkaClientKeys.problem("kafka." + key, "com.example.Evil"))
                    .isPresent());
  }
}
