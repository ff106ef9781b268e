package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

@OnRealStack
final class TopicMadeAgainIT {

  /** One is shorter in its second life, so its offsets all stand below the log's; one is longer. */
  @Test
  void losesNothingOfItsSecondLife(RealStack stack) throws Exception {
    SourceTopic shorter = stack.topic("again-shorter", 2);
    SourceTopic longer = stack.topic("again-longer", 2);
    shorter.send(Readings.V1, 0, 2_000);
    longer.send(Readings.V1, 0, 2_000);
    Deployment connector = stack.deploy(ConnectorSettings.of("again", shorter, longer));
    connector.awaitLanded();
    connector.stop();

    shorter.makeAgain();
    longer.makeAgain();
    shorter.send(Readings.V1, 1_000_000, 1_000_500);
    longer.send(Readings.V1, 1_000_000, 1_005_000);
    connector.resume();
    connector.awaitLanded();

    for (SourceTopic topic : List.of(shorter, longer)) {
      connector.table(topic).assertHoldsExactly(topic.produced());
      assertThat(connector.log(topic).batches())
          .as("generations of %s", topic.name())
          .extracting(LogEntry::generation)
          .contains(1, 2);
      assertThat(connector.table(topic).published().keySet())
          .anyMatch(path -> path.contains("+g1+"))
          .anyMatch(path -> path.contains("+g2+"));
    }
  }
}
