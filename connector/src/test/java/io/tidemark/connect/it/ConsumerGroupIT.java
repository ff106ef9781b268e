package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Another tool moves a consumer group. No record is lost or doubled, and the move is noticed. */
@OnRealStack
final class ConsumerGroupIT {

  private static final String WARNING = ": the connector's consumer group is at offset ";

  @Test
  void groupMovedByAnotherToolIsIgnoredWithAWarning(RealStack stack) {
    SourceTopic topic = stack.topic("moved-group", 3);
    topic.send(Readings.V1, 0, 3_000);
    Deployment connector = stack.deploy(ConnectorSettings.of("moved-group", topic));
    connector.awaitLanded();
    connector.stop();
    // After a stop and a start the group is unchanged. A batch may have ended at 0, but not at 7.
    connector.resume();
    connector.stop();
    assertThat(warnings(stack, topic)).isEmpty();

    RealStack.joined(
        stack
            .admin()
            .alterConsumerGroupOffsets(
                "connect-moved-group",
                Map.of(
                    new TopicPartition(topic.name(), 0), new OffsetAndMetadata(7),
                    new TopicPartition(topic.name(), 1), new OffsetAndMetadata(3_500)))
            .all(),
        "moving the group");
    topic.send(Readings.V1, 3_000, 4_000);
    connector.resume();
    connector.awaitLanded();

    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(warnings(stack, topic))
        .anyMatch(line -> line.contains(topic.name() + "-0" + WARNING + "7, but"))
        .anyMatch(line -> line.contains(topic.name() + "-1" + WARNING + "3500, but"))
        .noneMatch(line -> line.contains(topic.name() + "-2" + WARNING));
  }

  private static List<String> warnings(RealStack stack, SourceTopic topic) {
    List<String> found = new ArrayList<>();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      worker
          .process()
          .log()
          .text()
          .lines()
          .filter(line -> line.contains(topic.name() + "-") && line.contains(WARNING))
          .forEach(found::add);
    }
    return found;
  }
}
