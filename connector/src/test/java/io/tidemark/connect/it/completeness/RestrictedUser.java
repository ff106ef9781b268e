package io.tidemark.connect.it.completeness;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.FreePorts;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A user of Kafka who may do what ACLs allow, and comes by a listener of its own. Whoever comes by
 * the usual listener may do everything.
 */
final class RestrictedUser {

  private static final String NAME = "connector";
  private static final String PASSWORD = "connector-password";
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";

  private final String listener = "localhost:" + FreePorts.next();

  /** What the broker is to be told. */
  Map<String, String> brokerProperties() {
    return Map.of(
        "listeners", "SASL_PLAINTEXT://" + listener,
        "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms", "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
            LOGIN + "user_%s=\"%s\";".formatted(NAME, PASSWORD),
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users", "User:ANONYMOUS");
  }

  /** The connector's own client of Kafka comes as this user; its worker's consumers do not. */
  ConnectorSettings usedBy(ConnectorSettings settings) {
    return settings
        .with("kafka.bootstrap.servers", listener)
        .with("kafka.security.protocol", "SASL_PLAINTEXT")
        .with("kafka.sasl.mechanism", "PLAIN")
        .with(
            "kafka.sasl.jaas.config",
            LOGIN + "username=\"%s\" password=\"%s\";".formatted(NAME, PASSWORD));
  }

  void allow(RealStack stack, ResourceType type, String resource, AclOperation operation) {
    RealStack.joined(
        stack
            .admin()
            .createAcls(
                List.of(
                    new AclBinding(
                        new ResourcePattern(type, resource, PatternType.LITERAL),
                        new AccessControlEntry(
                            "User:" + NAME, "*", operation, AclPermissionType.ALLOW))))
            .all(),
        "allowing %s on %s".formatted(operation, resource));
  }
}
