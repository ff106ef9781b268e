package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.ConnectRequestException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators' actions on a connector that lands, intended or by mistake. */
@OnRealStack
@Tag("faults")
final class OperatorActionsIT {

  /** The consumer group is deleted, too, so only the log knows where to continue. */
  @Test
  void connectorDeletedAndMadeAgainGoesOn(RealStack stack) {
    try (FaultScenario scenario = FaultScenario.begin(stack, "made-again")) {
      scenario.connector().stop();
      scenario.connector().delete();
      RealStack.joined(
          stack.admin().deleteConsumerGroups(List.of("connect-made-again")).all(),
          "deleting the group");
      scenario.endsWith(() -> scenario.configure(settings -> settings));
      scenario.recovers();
    }
  }

  @Test
  void secondConnectorOnALogOrATableIsRefusedAndTheFirstGoesOn(RealStack stack) {
    try (FaultScenario scenario = FaultScenario.begin(stack, "two-connectors")) {
      assertThat(
              stack.deployRefused(scenario.settingsOf("same-log").with("log.id", "two-connectors")))
          .contains("the log directory belongs to connector \"two-connectors\"");
      assertThat(stack.deployRefused(scenario.settingsOf("same-table")))
          .contains("is landed in this table by the log directory \"two-connectors\"");
      scenario.endsWith(scenario::progresses);
      scenario.recovers();
    }
  }

  /** The settings are those of the connector that created the table, or of another one. */
  @Test
  void otherLayoutIsRefusedByTheRestCallAndTheFirstGoesOn(RealStack stack) {
    try (FaultScenario scenario = FaultScenario.begin(stack, "laid-out")) {
      List<ConnectorSettings> changed =
          List.of(
              scenario.settingsOf("laid-out").with("path.format", "'day'=yyyy-MM-dd"),
              ConnectorSettings.of("laid-out", scenario.topic()),
              ConnectorSettings.of("laid-out-again", scenario.topic()));
      for (ConnectorSettings settings : changed) {
        assertThatThrownBy(() -> stack.connect().configure(settings.name(), settings.on(stack)))
            .isInstanceOf(ConnectRequestException.class)
            .hasMessageContaining("answers 400")
            .hasMessageContaining(
                "Queries cannot read two layouts in one table. Put the former settings back");
      }
      assertThat(stack.connect().status("laid-out-again")).isEmpty();
      scenario.endsWith(scenario::progresses);
      scenario.recovers();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "eager, org.apache.kafka.clients.consumer.RangeAssignor",
    "cooperative, org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
  })
  void tasksScaledUnderLoadLandEachRowOnce(String protocol, String assignor, RealStack stack) {
    try (FaultScenario scenario =
        FaultScenario.begin(
            stack,
            "scaled-" + protocol,
            settings ->
                settings
                    .with("tasks.max", 1)
                    .with("consumer.override.partition.assignment.strategy", assignor))) {
      scenario.configure(settings -> settings.with("tasks.max", 4));
      scenario.connector().awaitAssignedToAllTasks(scenario.topic());
      scenario.progresses();
      scenario.endsWith(() -> scenario.configure(settings -> settings.with("tasks.max", 2)));
      scenario.recovers();
    }
  }

  /**
   * Forward by REST: skipped, and accounted for. Backward and reset by REST: refused. Any direction
   * by another tool: ignored.
   */
  @Test
  void offsetsMoveForwardOnlyAndByTheConnectorOnly(RealStack stack) {
    String name = "offsets-altered";
    try (FaultScenario scenario = FaultScenario.begin(stack, name)) {
      scenario.quiesces();
      scenario.connector().stop();
      long first = scenario.log().next(0);
      long second = scenario.log().next(1);
      long third = scenario.log().next(2);
      scenario.sendsOnce();

      stack.connect().alterOffsets(name, Map.of(new TopicPartition(name, 0), first + 20));
      scenario.leavesOut(scenario.keys(0, first, first + 20));
      assertThatThrownBy(
              () ->
                  stack
                      .connect()
                      .alterOffsets(name, Map.of(new TopicPartition(name, 1), second - 10)))
          .isInstanceOf(ConnectRequestException.class)
          .hasMessageContaining("the offset cannot go back to " + (second - 10));
      assertThatThrownBy(() -> stack.connect().resetOffsets(name))
          .isInstanceOf(ConnectRequestException.class)
          .hasMessageContaining("the offset cannot be reset");
      RealStack.joined(
          stack
              .admin()
              .alterConsumerGroupOffsets(
                  "connect-" + name,
                  Map.of(
                      new TopicPartition(name, 1), new OffsetAndMetadata(0),
                      new TopicPartition(name, 2), new OffsetAndMetadata(third + 40)))
              .all(),
          "moving the group");

      scenario.endsWith(scenario.connector()::resume);
      scenario.recovers();
    }
  }
}
