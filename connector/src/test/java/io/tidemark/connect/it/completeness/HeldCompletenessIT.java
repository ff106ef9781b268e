package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conditions that prevent the completeness of a table, and conditions that do not. */
@OnSharedStack
final class HeldCompletenessIT {

  private static final String HOUR = "dt=2026-11-20/hour=23";

  @Test
  void recordsThatATransformDropsCountAsNotDeliveredAndTheirHourIsComplete(RealStack stack) {
    SourceTopic topic = stack.topic("transformed", 1);
    topic.send(Readings.V1, 0, 100);
    sendTombstones(topic, 7);
    topic.send(Readings.V1, 100, 200);
    // After the last record that is delivered.
    sendTombstones(topic, 5);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("transformed", topic)
                .statedByTheHour()
                .with("transforms", "drop")
                .with("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter")
                .with("transforms.drop.predicate", "tombstone")
                .with("predicates", "tombstone")
                .with(
                    "predicates.tombstone.type",
                    "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone"));
    connector.awaitLanded();

    JsonNode manifest = connector.stated().awaitManifest(topic, HOUR);
    assertThat(manifest.findValue("records").asLong()).isEqualTo(200);
    JsonNode counts = manifest.path("topics").path(topic.name());
    assertThat(counts.path("landed").asLong()).isEqualTo(200);
    assertThat(counts.path("notDelivered").asLong()).isEqualTo(12);
    connector.stated().awaitThrough(topic, Instant.now());
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  private static void sendTombstones(SourceTopic topic, int count) {
    for (int i = 0; i < count; i++) {
      topic.sendRaw(0, null);
    }
  }

  @Test
  @Tag("long")
  void idleTopicPartitionHoldsItsTableOnlyWhereItIsTo(RealStack stack) {
    SourceTopic topic = stack.topic("one-idle", 2);
    sendOfNow(stack, topic, 0);
    ConnectorSettings advancing = ConnectorSettings.of("one-idle", topic).statedByTheHour();
    Deployment connector = stack.deploy(advancing);
    connector.stated().awaitThrough(topic, Instant.now());

    connector.configure(advancing.with("completeness.idle", "hold"));
    sendOfNow(stack, topic, 0);
    connector.awaitLanded();
    // The topic-partition with records may be named, too, if its records are older by now.
    assertThat(connector.stated().awaitHeld(topic, "IDLE"))
        .containsPattern("one-idle-[01]: no record with time .* or later has landed");

    Instant sent = Instant.now();
    sendOfNow(stack, topic, 0);
    sendOfNow(stack, topic, 1);
    connector.stated().awaitThrough(topic, sent);
  }

  /** Sends a record with a time slightly in the future, so that it is evidence for this long. */
  private static void sendOfNow(RealStack stack, SourceTopic topic, int topicPartition) {
    topic.sendRaw(
        new ProducerRecord<>(
            topic.name(),
            topicPartition,
            Instant.now().plusSeconds(50).toEpochMilli(),
            null,
            Readings.framed(
                stack.register(topic.name(), Readings.V1),
                Readings.reading(
                    Readings.V1, new RowKey(topicPartition, topic.end(topicPartition))))));
  }

  /** The cure is that of the task's error: its offset is moved past the record. */
  @Test
  @Tag("long")
  void failedTaskHoldsItsTableUntilItLandsAgain(RealStack stack) {
    SourceTopic topic = stack.topic("task-failed", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("task-failed", topic)
                .with("on.refusal", "stop-task")
                .statedByTheHour());
    connector.awaitLanded();
    long tombstone = topic.sendRaw(0, null);
    topic.send(Readings.V1, 100, 150);
    Instant sent = Instant.now();
    assertThat(connector.awaitFailure()).contains("(a tombstone)");

    assertThat(connector.stated().awaitHeld(topic, "BEHIND"))
        .contains("task-failed-0: ")
        .contains("offsets behind");
    assertThat(connector.stated().through(topic))
        .hasValueSatisfying(through -> assertThat(through).isBefore(sent));

    connector.stop();
    stack
        .connect()
        .alterOffsets(connector.name(), Map.of(new TopicPartition(topic.name(), 0), tombstone + 1));
    connector.resume();
    connector.stated().awaitThrough(topic, sent);
    JsonNode counts = connector.stated().state().path("topics").path(topic.name()).path("counts");
    assertThat(counts.path("landed").asLong()).isEqualTo(150);
    assertThat(counts.path("skipped").asLong()).isEqualTo(1);
    connector.table(topic).assertHoldsExactly(topic.produced());
  }
}
