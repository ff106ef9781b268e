package io.tidemark.connect.it.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The connector's own client of Kafka may not READ a topic; a broker with ACLs refuses it. */
@OnRealStack
@Tag("faults")
final class MissingAclIT {

  @Test
  void markerThatNobodyMayLookAtHoldsItsTableUntilReadIsAllowed(RealStack stack) {
    String name = "unreadable";
    String user = "connector";
    GuardedListener listener = new GuardedListener(List.of(user));
    RealStack guarded = stack.withBroker(listener.brokerProperties());
    SourceTopic topic = guarded.topic(name, 1);
    topic.sendInTransaction(Readings.V1, 0, 100, true);
    GuardedListener.allow(
        guarded, user, ResourceType.GROUP, "connect-" + name, AclOperation.DESCRIBE);
    GuardedListener.allow(guarded, user, ResourceType.TOPIC, name, AclOperation.DESCRIBE);
    Deployment connector =
        guarded.deploy(
            listener.login(ConnectorSettings.of(name, topic).statedByTheHour(), "kafka.", user));

    Polling.until(
        "the log has come to the marker",
        RealStack.DEADLINE,
        () -> {
          long next = connector.log(topic).next(0);
          return next == 100 ? Optional.empty() : Optional.of("it has come to " + next);
        });
    assertThat(connector.stated().awaitHeld(topic, "UNREADABLE"))
        .contains("unreadable-0: ")
        .contains("offsets behind")
        .contains("the user of the connector's own Kafka client (settings kafka.*) may not READ");
    assertThat(connector.log(topic).next(0)).as("before the marker").isEqualTo(100);
    assertThat(connector.stated().through(topic)).isEmpty();

    GuardedListener.allow(guarded, user, ResourceType.TOPIC, name, AclOperation.READ);
    connector.stated().awaitThrough(topic, Instant.now());
    connector.table(topic).assertHoldsExactly(topic.produced());
  }
}
