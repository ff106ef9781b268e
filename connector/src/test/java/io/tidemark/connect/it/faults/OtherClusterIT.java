package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The connector's own client is configured with another Kafka cluster than its worker consumes
 * from. Both have the topic, with different records.
 */
@OnRealStack
@Tag("faults")
final class OtherClusterIT {

  private static final String DIFFERENT = "so the two use different Kafka clusters";

  @Test
  void nothingIsCommittedUntilBothSpeakToOneCluster(RealStack stack) {
    RealStack other = stack.withOtherCluster();
    SourceTopic consumed = stack.topic("other-cluster", 2);
    SourceTopic asked = other.topic("other-cluster", 2);
    consumed.send(Readings.V1, 0, 100);
    asked.send(Readings.V1, 1_000, 1_070);
    ConnectorSettings right =
        ConnectorSettings.of("other-cluster", consumed).with("cluster.check.timeout.ms", 3_000);
    ConnectorSettings wrong =
        right.with("kafka.bootstrap.servers", other.services().kafka().bootstrapServers());

    Deployment connector = stack.deployFailing(wrong);
    assertThat(connector.awaitFailure()).contains(DIFFERENT);
    assertThat(connector.log(consumed).batches()).isEmpty();

    connector.configureStopped(right);
    connector.awaitRunning();
    connector.awaitLanded();
    connector.table(consumed).assertHoldsExactly(consumed.produced());

    // Now the log contains the cluster's id.
    connector.configureStopped(wrong);
    assertThat(connector.awaitFailure()).contains("has landed the topic of the Kafka cluster");
    consumed.send(Readings.V1, 100, 200);
    connector.configureStopped(right);
    connector.awaitRunning();
    connector.awaitLanded();
    FaultScenario.holdsExactly("other-cluster", connector.table(consumed), consumed.produced());
    assertThat(connector.log(consumed).unaccounted(consumed::end)).isEmpty();
  }
}
