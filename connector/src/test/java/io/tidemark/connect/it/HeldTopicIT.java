package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * A topic is paused while its tables refuse a record. The connector's other topics continue to
 * land.
 */
@OnSharedStack
final class HeldTopicIT {
  private static final Schema OTHER_TYPE =
      SchemaBuilder.record("Reading")
          .namespace("io.tidemark.it")
          .fields()
          .requiredInt("source")
          .requiredLong("seq")
          .requiredInt("note")
          .endRecord();

  @Test
  void topicWithASchemaThatItsTableCannotTakeIsHeldWhileAnotherLands(RealStack stack)
      throws IOException {
    SourceTopic refused = stack.topic("held-schema", 2);
    SourceTopic other = stack.topic("held-schema-other", 2);
    refused.send(Readings.V1, 0, 200);
    long offset = refused.sendRaw(0, ofOtherType(stack));
    other.send(Readings.V1, 0, 200);
    ConnectorSettings settings =
        ConnectorSettings.of("held-schema", refused, other)
            .with("batch.interval.ms", 1_000)
            .statedByTheHour();
    Deployment connector = stack.deploy(settings);

    String because =
        awaitHeld(connector, "records with schema id", "Field Reading.note: the table has");
    assertThat(because)
        .contains("alter its offset of held-schema-0 to " + (offset + 1))
        .contains("PATCH /connectors/held-schema/offsets");
    assertThat(said(connector, refused, "Health")).containsOnly("REFUSED");
    assertThat(said(connector, refused, "HeldBecause"))
        .allMatch(text -> text.contains("records with schema id"));
    assertThat(said(connector, other, "Health")).isNotEmpty().doesNotContain("REFUSED");
    assertThat(connector.logged())
        .filteredOn(line -> line.contains(" WARN "))
        .anyMatch(line -> line.contains("The topic is REFUSED; other topics continue."));
    other.send(Readings.V1, 200, 400);
    refused.send(1, Readings.V1, 200, 300);
    Instant sent = Instant.now();
    awaitLanded(connector, other);
    assertThat(connector.log(refused).next(0)).as("what came before").isEqualTo(offset);
    connector.stated().awaitThrough(other, sent);
    assertThat(connector.stated().awaitHeld(refused, "BEHIND"))
        .contains("held-schema-0: ", "offsets behind");
    assertThat(connector.stated().through(refused).filter(through -> !through.isBefore(sent)))
        .isEmpty();

    connector.stop();
    connector
        .connect()
        .alterOffsets(connector.name(), Map.of(new TopicPartition("held-schema", 0), offset + 1));
    connector.resume();
    connector.awaitLanded();
    connector.table(refused).assertHoldsExactly(refused.produced());
    connector.table(other).assertHoldsExactly(other.produced());
    connector.stated().awaitThrough(refused, sent);
  }

  @Test
  void topicOfADamagedRecordIsHeldUntilTheRecordIsSkipped(RealStack stack) {
    SourceTopic damaged = stack.topic("held-record", 1);
    SourceTopic other = stack.topic("held-record-other", 1);
    damaged.send(Readings.V1, 0, 100);
    long offset = damaged.sendRaw(0, new byte[] {1, 2, 3});
    damaged.send(Readings.V1, 101, 200);
    other.send(Readings.V1, 0, 100);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("held-record", damaged, other).with("batch.interval.ms", 1_000));

    awaitHeld(connector, "held-record", "alter its offset of held-record-0 to " + (offset + 1));
    other.send(Readings.V1, 100, 200);
    awaitLanded(connector, other);

    connector.stop();
    connector
        .connect()
        .alterOffsets(connector.name(), Map.of(new TopicPartition("held-record", 0), offset + 1));
    connector.resume();
    connector.landsExactly();
  }

  @Test
  void topicWhoseTableIsSomebodyElsesIsHeldUntilThatIsDropped(RealStack stack) throws SQLException {
    SourceTopic refused = stack.topic("held_foreign", 1);
    SourceTopic other = stack.topic("held_foreign_other", 1);
    refused.send(Readings.V1, 0, 100);
    other.send(Readings.V1, 0, 100);
    stack
        .services()
        .hive()
        .execute(
            "create database if not exists " + LandedTable.DATABASE,
            "create external table %s.held_foreign (id bigint) stored as avro location '%s/elsewhere'"
                .formatted(LandedTable.DATABASE, stack.services().hdfs().uri()));
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("held-foreign", refused, other).with("batch.interval.ms", 1_000));

    awaitHeld(connector, "held_foreign", "Hive has a table of this name");
    other.send(Readings.V1, 100, 200);
    awaitLanded(connector, other);

    stack.services().hive().execute("drop table " + LandedTable.DATABASE + ".held_foreign");
    refused.send(Readings.V1, 100, 200);
    connector.landsExactly();
  }

  /** What the MBeans of a topic's topic-partitions say. */
  private static List<String> said(Deployment connector, SourceTopic topic, String attribute)
      throws IOException {
    return connector.said("topic-partition-metrics,topic=" + topic.name(), attribute);
  }

  private static String awaitHeld(Deployment connector, String... parts) {
    String[] held = new String[1];
    Polling.until(
        connector.name() + " says why it holds a topic",
        RealStack.DEADLINE,
        () -> {
          try {
            List<String> states = connector.said("task-metrics", "Health");
            List<String> reasons = connector.said("task-metrics", "HeldBecause");
            Optional<String> one =
                reasons.stream()
                    .filter(text -> List.of(parts).stream().allMatch(text::contains))
                    .findFirst();
            one.ifPresent(text -> held[0] = text);
            return one.isPresent() && states.contains("REFUSED")
                ? Optional.empty()
                : Optional.of("it says " + states + ": " + reasons);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
        });
    return held[0];
  }

  private static void awaitLanded(Deployment connector, SourceTopic topic) {
    Polling.until(
        topic.name() + " lands while the other topic is held",
        RealStack.DEADLINE,
        () -> connector.notLanded(topic));
  }

  private static byte[] ofOtherType(RealStack stack) {
    GenericRecord row = new GenericData.Record(OTHER_TYPE);
    row.put("source", 0);
    row.put("seq", 1L);
    row.put("note", 7);
    return Readings.framed(stack.register("held-schema", OTHER_TYPE), row);
  }
}
