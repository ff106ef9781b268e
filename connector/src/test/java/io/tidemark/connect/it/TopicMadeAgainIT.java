package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import org.junit.jupiter.api.Test;

/**
 * A topic is deleted and recreated. No record of its second life is lost, whether the new topic is
 * shorter, so that all its offsets are below the log's, or longer.
 */
@OnSharedStack
final class TopicMadeAgainIT {

  @Test
  void whileTheConnectorIsStopped(RealStack stack) {
    SourceTopic shorter = stack.topic("again-shorter", 2);
    SourceTopic longer = stack.topic("again-longer", 2);
    Deployment connector = landedOnce(stack, "again", shorter, longer);
    connector.stop();
    makeAgain(shorter, longer);
    connector.resume();
    bothLivesHaveLanded(connector, shorter, longer);
  }

  @Test
  void whileTheConnectorRuns(RealStack stack) {
    SourceTopic shorter = stack.topic("live-shorter", 2);
    SourceTopic longer = stack.topic("live-longer", 2);
    Deployment connector = landedOnce(stack, "live", shorter, longer);
    makeAgain(shorter, longer);
    bothLivesHaveLanded(connector, shorter, longer);
  }

  private static Deployment landedOnce(
      RealStack stack, String name, SourceTopic shorter, SourceTopic longer) {
    shorter.send(Readings.V1, 0, 2_000);
    longer.send(Readings.V1, 0, 2_000);
    Deployment connector = stack.deploy(ConnectorSettings.of(name, shorter, longer));
    connector.awaitLanded();
    return connector;
  }

  private static void makeAgain(SourceTopic shorter, SourceTopic longer) {
    shorter.makeAgain();
    longer.makeAgain();
    shorter.send(Readings.V1, 1_000_000, 1_000_500);
    longer.send(Readings.V1, 1_000_000, 1_005_000);
  }

  private static void bothLivesHaveLanded(Deployment connector, SourceTopic... topics) {
    connector.awaitLanded();
    for (SourceTopic topic : topics) {
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
