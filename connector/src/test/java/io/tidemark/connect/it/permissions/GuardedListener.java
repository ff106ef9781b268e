package io.tidemark.connect.it.permissions;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.FreePorts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A listener of a broker at which users log in, who may do what ACLs allow. Whoever comes by the
 * usual listener may do everything.
 */
final class GuardedListener {

  private static final String PASSWORD = "any-password";
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";

  private final String address = "localhost:" + FreePorts.next();
  private final List<String> users;

  GuardedListener(List<String> users) {
    this.users = List.copyOf(users);
  }

  /** What the broker is to be told. */
  Map<String, String> brokerProperties() {
    return Map.of(
        "listeners", "SASL_PLAINTEXT://" + address,
        "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms", "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
            users.stream()
                .map(user -> "user_%s=\"%s\"".formatted(user, PASSWORD))
                .collect(Collectors.joining(" ", LOGIN, ";")),
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users", "User:ANONYMOUS");
  }

  /** The clients whose settings have a prefix come as a user. Example: {@code kafka.} */
  ConnectorSettings login(ConnectorSettings settings, String prefix, String user) {
    return settings
        .with(prefix + "bootstrap.servers", address)
        .with(prefix + "security.protocol", "SASL_PLAINTEXT")
        .with(prefix + "sasl.mechanism", "PLAIN")
        .with(
            prefix + "sasl.jaas.config",
            LOGIN + "username=\"%s\" password=\"%s\";".formatted(user, PASSWORD));
  }

  static void allow(
      RealStack stack, String user, ResourceType type, String resource, AclOperation operation) {
    RealStack.joined(
        stack
            .admin()
            .createAcls(
                List.of(
                    new AclBinding(
                        new ResourcePattern(type, resource, PatternType.LITERAL),
                        new AccessControlEntry(
                            "User:" + user, "*", operation, AclPermissionType.ALLOW))))
            .all(),
        "allowing %s to %s %s".formatted(user, operation, resource));
  }
}
