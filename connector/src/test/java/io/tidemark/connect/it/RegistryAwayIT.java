package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@OnRealStack
final class RegistryAwayIT {

  /**
   * Records with known ids land. The topic-partition with an unknown id waits, and nothing fails.
   */
  @Test
  void registryIsAwayInTheMidstOfALanding(RealStack stack) {
    Map<String, String> registry =
        IdFormatsIT.registry(
            stack, Optional.of("avro-1124"), "schema.registry.id.format=subject-int32");
    SourceTopic topic = stack.topic("registry-gone", 2).writtenBy(registry);
    topic.send(Readings.V1, 0, 500);
    Deployment connector = stack.deploy(IdFormatsIT.connector("registry-gone", topic, registry));
    connector.awaitLanded();

    topic.register(Readings.V2);
    stack.services().schemaRepo().process().kill();
    try {
      topic.send(0, Readings.V1, 500, 1_500);
      topic.send(1, Readings.V2, 500, 1_500);
      Polling.until(
          "the known id lands",
          RealStack.DEADLINE,
          () ->
              connector.log(topic).next(0) == topic.end(0)
                  ? Optional.empty()
                  : Optional.of("the log stands at " + connector.log(topic).next(0)));
      assertThat(connector.status().orElseThrow().failure()).isEmpty();
    } finally {
      stack.services().schemaRepo().process().start();
    }
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }
}
