package io.tidemark.connect.it.permissions;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connectors with the ACLs of Kafka that docs/OPERATIONS.md lists, and with one less. */
@OnRealStack
@Tag("long")
final class AclsIT {

  private static final byte[] NO_AVRO = "{\"seq\":1}".getBytes(StandardCharsets.UTF_8);

  /** Whose the right is: the worker's clients' for the connector, or Tidemark's own client's. */
  private enum Client {
    WORKER,
    OWN
  }

  /** The rights, for a connector whose name takes the place of {@code %s}. */
  private enum Right {
    COMMITS(Client.WORKER, ResourceType.GROUP, "connect-%s", READ),
    CONSUMES(Client.WORKER, ResourceType.TOPIC, "%s", READ),
    SENDS_LETTERS(Client.WORKER, ResourceType.TOPIC, "%s-letters", WRITE),
    MAKES_THEIR_TOPIC(Client.WORKER, ResourceType.TOPIC, "%s-letters", CREATE),
    SEES_THE_GROUP(Client.OWN, ResourceType.GROUP, "connect-%s", DESCRIBE),
    SEES_THE_TOPIC(Client.OWN, ResourceType.TOPIC, "%s", READ),
    READS_ANNOUNCEMENTS(Client.OWN, ResourceType.TOPIC, "%s-batches", READ),
    SENDS_EVENTS(Client.OWN, ResourceType.TOPIC, "%s-events", WRITE);

    private final Client client;
    private final ResourceType type;
    private final String resource;
    private final AclOperation operation;

    Right(Client client, ResourceType type, String resource, AclOperation operation) {
      this.client = client;
      this.type = type;
      this.resource = resource;
      this.operation = operation;
    }

    String resource(String connector) {
      return resource.formatted(connector);
    }

    void grant(RealStack stack, String connector) {
      GuardedListener.allow(stack, user(client, connector), type, resource(connector), operation);
    }

    /** The name of the connector that is without it. */
    String missedBy() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Test
  void listedRightsAreEnough(RealStack shared) {
    String name = "permitted";
    GuardedListener listener =
        new GuardedListener(List.of(user(Client.WORKER, name), user(Client.OWN, name)));
    RealStack stack = shared.withBroker(listener.brokerProperties());
    EnumSet.allOf(Right.class).forEach(right -> right.grant(stack, name));
    SourceTopic topic = stack.topic(name, 2);
    topic.send(Readings.V1, 0, 200);
    topic.sendRaw(1, NO_AVRO);
    topic.sendInTransaction(Readings.V1, 300, 310, true);
    topic.sendInTransaction(Readings.V1, 310, 320, false);

    Deployment connector = stack.deploy(settings(stack, listener, topic));

    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(stack.readAll(name + "-letters", 1)).hasSize(1);
    assertThat(stack.readAll(name + "-events", 1)).isNotEmpty();
    connector.stated().awaitBlock("dead-lettered");

    connector.stop();
    topic.send(0, Readings.V1, 400, 410);
    long end = topic.end(0);
    stack.connect().alterOffsets(name, Map.of(new TopicPartition(name, 0), end));
    assertThat(connector.log(topic).next(0)).isEqualTo(end);
  }

  @Test
  void missingRightIsNamedAndAllLandsOnceItIsGranted(RealStack shared) {
    List<String> users = new ArrayList<>();
    for (Right right : Right.values()) {
      users.add(user(Client.WORKER, right.missedBy()));
      users.add(user(Client.OWN, right.missedBy()));
    }
    GuardedListener listener = new GuardedListener(users);
    RealStack stack = shared.withBroker(listener.brokerProperties());
    for (Right right : Right.values()) {
      String name = right.missedBy();
      Set<Right> others = EnumSet.complementOf(EnumSet.of(right));
      others.forEach(other -> other.grant(stack, name));
      SourceTopic topic = stack.topic(name, 1);
      topic.send(Readings.V1, 0, 100);
      topic.sendRaw(0, NO_AVRO);
      Deployment connector = stack.deployFailing(settings(stack, listener, topic));

      awaitNamed(connector, right);

      right.grant(stack, name);
      awaitLanded(connector, topic);
      connector.table(topic).assertHoldsExactly(topic.produced());
      connector.stated().awaitBlock("dead-lettered");
      assertThat(stack.readAll(name + "-events", 1)).isNotEmpty();
      connector.deleteAndAwait();
    }
  }

  /** Waits until the status, or what the MBeans say is wrong, has the resource's name. */
  private static void awaitNamed(Deployment connector, Right right) {
    String resource = right.resource(connector.name());
    Polling.until(
        "%s without %s on %s is told".formatted(right.client, right.operation, resource),
        RealStack.DEADLINE,
        () -> {
          String told = told(connector);
          boolean named = told.contains(resource) && told.toLowerCase(Locale.ROOT).contains("auth");
          return named ? Optional.empty() : Optional.of("all that is told is: " + told);
        });
  }

  private static String told(Deployment connector) {
    try {
      return connector.status().flatMap(ConnectorStatus::failure).orElse("")
          + connector.said("task-metrics", "HeldBecause")
          + connector.said("ledger-metrics", "Problem");
    } catch (IOException e) {
      throw new UncheckedIOException("reading the MBeans of " + connector.name(), e);
    }
  }

  /** A task that has failed is restarted, as an operator would. */
  private static void awaitLanded(Deployment connector, SourceTopic topic) {
    Polling.until(
        connector.name() + " has landed all",
        RealStack.DEADLINE,
        () -> {
          Optional<ConnectorStatus> status = connector.status();
          if (status.flatMap(ConnectorStatus::failure).isPresent()) {
            connector.connect().restartFailed(connector.name());
            return Optional.of("it is restarted after " + status);
          }
          return connector.shortfall(topic);
        });
    connector.awaitLanded();
  }

  private static String user(Client client, String connector) {
    return client.name().toLowerCase(Locale.ROOT) + "-of-" + connector;
  }

  private static ConnectorSettings settings(
      RealStack stack, GuardedListener listener, SourceTopic topic) {
    String name = topic.name();
    ConnectorSettings settings =
        ConnectorSettings.of(name, topic)
            .statedByTheHour()
            .with("completeness.events.topic", stack.topic(name + "-events", 1).name())
            .with("completeness.batches.topic", stack.topic(name + "-batches", 1).name())
            .with("errors.tolerance", "all")
            .with("errors.deadletterqueue.topic.name", name + "-letters")
            .with("errors.deadletterqueue.topic.replication.factor", 1);
    for (String prefix : List.of("consumer.override.", "producer.override.", "admin.override.")) {
      settings = listener.login(settings, prefix, user(Client.WORKER, name));
    }
    return listener.login(settings, "kafka.", user(Client.OWN, name));
  }
}
