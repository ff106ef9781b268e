package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KafkaSettingsTest {

  private static final Path DATA = Path.of("data");

  @Test
  void onlyBrokerIsItsOwnController() {
    KafkaSettings settings =
        new KafkaSettings(List.of(23_456), 23_457, Optional.empty(), Map.of(), List.of());
    assertThat(settings.name(1)).isEqualTo("kafka");
    assertThat(settings.bootstrapServers()).isEqualTo("localhost:23456");
    assertThat(settings.properties(1, DATA))
        .containsEntry("process.roles", "broker,controller")
        .containsEntry("controller.quorum.voters", "1@localhost:23457")
        .containsEntry("listeners", "PLAINTEXT://localhost:23456,CONTROLLER://localhost:23457")
        .containsEntry("offsets.topic.replication.factor", "1")
        .doesNotContainKey("controlled.shutdown.enable");
  }

  @Test
  void firstOfSeveralBrokersIsTheControllerOfAll() {
    KafkaSettings settings =
        new KafkaSettings(
            List.of(23_456, 23_458, 23_459), 23_457, Optional.empty(), Map.of(), List.of());
    assertThat(settings.ids().stream().map(settings::name))
        .containsExactly("kafka-1", "kafka-2", "kafka-3");
    assertThat(settings.bootstrapServers())
        .isEqualTo("localhost:23456,localhost:23458,localhost:23459");
    assertThat(settings.properties(1, DATA)).containsEntry("process.roles", "broker,controller");
    assertThat(settings.properties(3, DATA))
        .containsEntry("process.roles", "broker")
        .containsEntry("node.id", "3")
        .containsEntry("controller.quorum.voters", "1@localhost:23457")
        .containsEntry("listeners", "PLAINTEXT://localhost:23459")
        .containsEntry("offsets.topic.replication.factor", "3");
  }

  @Test
  void givenPropertiesGoBeforeThoseOfTheStack() {
    KafkaSettings settings =
        new KafkaSettings(
            List.of(23_456), 23_457, Optional.empty(), Map.of("log.retention.ms", "1"), List.of());
    assertThat(settings.properties(1, DATA)).containsEntry("log.retention.ms", "1");
  }

  @Test
  void givenListenersAreAddedToThatOfTheStack() {
    KafkaSettings settings =
        new KafkaSettings(
            List.of(23_456),
            23_457,
            Optional.empty(),
            Map.of("listeners", "SASL_PLAINTEXT://localhost:23458"),
            List.of());
    assertThat(settings.properties(1, DATA))
        .containsEntry(
            "listeners",
            "PLAINTEXT://localhost:23456,CONTROLLER://localhost:23457,SASL_PLAINTEXT://localhost:23458");
  }

  @Test
  void clusterHasABroker() {
    assertThatThrownBy(() -> KafkaSettings.of(0, Optional.empty(), Map.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 Kafka brokers: at least 1 is needed");
  }
}
