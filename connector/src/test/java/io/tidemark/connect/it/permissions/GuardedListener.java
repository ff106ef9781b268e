package io.tidemark.connect.it.permissions;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.stack.FreePorts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A listener of a broker at which users log in and have the permissions of ACLs. Clients at the
 * usual listener may do everything.
 */
final class GuardedListener {

  private static final String PASSWORD = "any-password";
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";

  private static final String WORKER = "worker";
  private static final String CONNECTOR = "connector";

  private final String address = "localhost:" + FreePorts.next();

  /** The properties for the broker. */
  Map<String, String> brokerProperties() {
    return Map.of(
        "listeners", "SASL_PLAINTEXT://" + address,
        "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms", "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
            Stream.of(WORKER, CONNECTOR)
                .map(user -> "user_%s=\"%s\"".formatted(user, PASSWORD))
                .collect(Collectors.joining(" ", LOGIN, ";")),
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users", "User:ANONYMOUS");
  }

  /** The two principals of docs/OPERATIONS.md are two users. */
  ConnectorSettings loginAsDocumented(ConnectorSettings settings) {
    ConnectorSettings all = login(settings, "kafka.", CONNECTOR);
    for (String prefix : List.of("consumer.override.", "producer.override.", "admin.override.")) {
      all = login(all, prefix, WORKER);
    }
    return all;
  }

  /** A permission in the document, for the user who is its principal. */
  KafkaRight right(DocumentedRight right, String connector, String topic) {
    boolean workers = right.principal().equals(DocumentedRight.WORKERS);
    return right.of(workers ? WORKER : CONNECTOR, connector, topic);
  }

  /**
   * Lets the clients whose settings have a prefix log in as a user. Example of a prefix: {@code
   * kafka.}
   */
  private ConnectorSettings login(ConnectorSettings settings, String prefix, String user) {
    return settings
        .with(prefix + "bootstrap.servers", address)
        .with(prefix + "security.protocol", "SASL_PLAINTEXT")
        .with(prefix + "sasl.mechanism", "PLAIN")
        .with(
            prefix + "sasl.jaas.config",
            LOGIN + "username=\"%s\" password=\"%s\";".formatted(user, PASSWORD));
  }
}
