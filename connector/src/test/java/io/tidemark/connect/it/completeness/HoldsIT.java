package io.tidemark.connect.it.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lost offsets prevent the completeness of their table until an operator acknowledges them. */
@OnRealStack
final class HoldsIT {

  private static final String REASON = "nobody needs them";

  /** The number of the first reading of the next hour. */
  private static final long NEXT_HOUR = 4_500;

  @Test
  void recordsThatAreRetainedAwayWhileTheConnectorIsStopped(RealStack stack) {
    SourceTopic topic = stack.topic("retained", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector = stack.deploy(ConnectorSettings.of("retained", topic).statedByTheHour());
    connector.stated().awaitThrough(topic, Instant.now());
    connector.stop();
    topic.send(Readings.V1, NEXT_HOUR, NEXT_HOUR + 100);
    topic.forgetBefore(0, 160);
    Instant lost = Instant.now();
    connector.resume();

    assertHold(connector.stated().awaitHold("lost"), 100, 160);
    connector.stated().awaitHeld(topic, "LOST retained-0: Kafka no longer retained the offsets");
    assertThat(connector.stated().through(topic))
        .hasValueSatisfying(through -> assertThat(through).isBefore(lost));

    assertThat(LedgerOperator.acknowledge(stack, connector, HoldKind.LOST, REASON))
        .singleElement()
        .extracting(Hold::from, Hold::to)
        .containsExactly(100L, 160L);
    connector.stated().awaitThrough(topic, lost);
    JsonNode manifest = connector.stated().awaitManifest(topic, "dt=2026-11-21/hour=00");
    assertThat(manifest.findValue("records").asLong()).isEqualTo(40);
    assertThat(manifest.path("topics").path(topic.name()).path("lost").asLong()).isEqualTo(60);
    assertAcknowledged(manifest);
    connector.table(topic).assertHoldsExactly(rows(0, 100, NEXT_HOUR + 60, NEXT_HOUR + 100));
  }

  /** Its task does not run, so a snapshot contains offsets of the first topic that never land. */
  @Test
  @Tag("long")
  void topicThatIsMadeAgainBeforeASnapshotOfItIsCovered(RealStack stack) {
    SourceTopic topic = stack.topic("remade", 1);
    topic.send(Readings.V1, 0, 100);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("remade", topic)
                .with("on.refusal", "stop-task")
                .statedByTheHour());
    connector.stated().awaitThrough(topic, Instant.now());
    topic.sendRaw(0, null);
    topic.send(Readings.V1, NEXT_HOUR, NEXT_HOUR + 30);
    assertThat(connector.awaitFailure()).contains("(a tombstone)");
    connector.stated().awaitPendingSnapshot(topic, 131);

    topic.makeAgain();
    topic.send(Readings.V1, NEXT_HOUR + 30, NEXT_HOUR + 80);
    Instant remade = Instant.now();
    stack.connect().restartTask(connector.name(), 0);
    assertHold(connector.stated().awaitHold("deleted"), 100, Long.MAX_VALUE);
    connector.stated().awaitHeld(topic, "DELETED remade-0: the topic was deleted");
    connector.awaitLanded();
    assertThat(connector.stated().through(topic))
        .hasValueSatisfying(through -> assertThat(through).isBefore(remade));

    LedgerOperator.acknowledge(stack, connector, HoldKind.DELETED, REASON);
    connector.stated().awaitThrough(topic, remade);
    JsonNode manifest = connector.stated().awaitManifest(topic, "dt=2026-11-21/hour=00");
    assertThat(manifest.findValue("records").asLong()).isEqualTo(50);
    assertAcknowledged(manifest);
    connector.table(topic).assertHoldsExactly(rows(0, 100, NEXT_HOUR + 30, NEXT_HOUR + 80));
  }

  private static void assertHold(JsonNode hold, long from, long to) {
    assertThat(hold.path("from").asLong()).as("%s", hold).isEqualTo(from);
    assertThat(hold.path("to").asLong()).as("%s", hold).isEqualTo(to);
  }

  private static void assertAcknowledged(JsonNode manifest) {
    assertThat(manifest.path("acknowledged").findValuesAsText("acknowledged"))
        .containsExactly(REASON);
  }

  private static List<RowKey> rows(long from, long to, long moreFrom, long moreTo) {
    return LongStream.concat(LongStream.range(from, to), LongStream.range(moreFrom, moreTo))
        .mapToObj(number -> new RowKey(0, number))
        .toList();
  }
}
