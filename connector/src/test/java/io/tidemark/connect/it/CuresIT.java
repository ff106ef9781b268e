package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.BadRecordsIT.BadRecord;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cures in errors of a connector that stops or refuses. An operator does what the error says by
 * REST, in HDFS or in Hive; then the connector continues. docs/tests/errors.tsv lists the errors.
 */
@OnRealStack
@Tag("long")
final class CuresIT {

  /** Example: {@code alter its offset of orders-0 to 21 (PATCH /connectors/sales/offsets)}. */
  private static final Pattern SKIP =
      Pattern.compile(
          "alter its offset of (\\S+)-(\\d+) to (\\d+) \\(PATCH /connectors/(\\S+)/off");

  private static final Schema OTHER_TYPE =
      SchemaBuilder.record("Reading")
          .namespace("io.tidemark.it")
          .fields()
          .requiredInt("source")
          .requiredLong("seq")
          .requiredInt("note")
          .endRecord();

  @ParameterizedTest
  @EnumSource
  void recordThatCannotLandIsSkippedAloneByRest(BadRecord bad, RealStack stack) {
    String name = "skip-" + bad.name().toLowerCase(Locale.ROOT).replace('_', '-');
    SourceTopic topic = stack.topic(name, 2);
    topic.send(Readings.V1, 0, 200);
    long offset = topic.sendRaw(1, bad.value(stack.register(name, Readings.V1)));
    topic.send(1, Readings.V1, 201, 400);
    // With a longer interval, all records before the bad one would be in its flush.
    Deployment connector =
        stack.deployFailing(
            ConnectorSettings.of(name, topic)
                .with("on.refusal", "stop-task")
                .with("batch.interval.ms", 5_000));

    skipAsToldBy(connector.awaitFailure(), connector, offset);

    connector.configureStopped(ConnectorSettings.of(name, topic));
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  @Test
  void recordsOfASchemaThatTheTableCannotTakeAreSkippedByRest(RealStack stack) {
    SourceTopic topic = stack.topic("other-type", 1);
    topic.send(Readings.V1, 0, 200);
    long offset = topic.sendRaw(0, ofOtherType(stack));
    topic.sendRaw(0, ofOtherType(stack));
    topic.send(Readings.V1, 202, 400);
    Deployment connector =
        stack.deployFailing(
            ConnectorSettings.of("other-type", topic)
                .with("on.refusal", "stop-task")
                .with("batch.interval.ms", 5_000));

    String error = connector.awaitFailure();
    assertThat(error).contains("Field Reading.note: the table has");
    skipAsToldBy(error, connector, offset);
    connector.connect().resume(connector.name());
    skipAsToldBy(connector.awaitFailure(), connector, offset + 1);

    connector.configureStopped(ConnectorSettings.of("other-type", topic));
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  private static byte[] ofOtherType(RealStack stack) {
    GenericRecord row = new GenericData.Record(OTHER_TYPE);
    row.put("source", 0);
    row.put("seq", 1L);
    row.put("note", 7);
    return Readings.framed(stack.register("other-type", OTHER_TYPE), row);
  }

  /** Connect may show a lower offset of the group: the log decides. */
  private static void skipAsToldBy(String error, Deployment connector, long offset) {
    Matcher told = SKIP.matcher(error);
    assertThat(told.find()).as(error).isTrue();
    assertThat(told.group(3)).isEqualTo(Long.toString(offset + 1));
    assertThat(told.group(4)).isEqualTo(connector.name());
    TopicPartition topicPartition =
        new TopicPartition(told.group(1), Integer.parseInt(told.group(2)));
    connector.stop();
    assertThat(connector.connect().offsets(connector.name()).getOrDefault(topicPartition, 0L))
        .isLessThanOrEqualTo(offset);
    connector.connect().alterOffsets(connector.name(), Map.of(topicPartition, offset + 1));
  }

  @Test
  void tableOfSomebodyElseIsDroppedAndTheConnectorRestarted(RealStack stack) throws SQLException {
    SourceTopic topic = stack.topic("foreign-table", 1);
    topic.send(Readings.V1, 0, 100);
    stack
        .services()
        .hive()
        .execute(
            "create database if not exists " + LandedTable.DATABASE,
            "create external table %s.foreign_table (id bigint) stored as avro location '%s/elsewhere'"
                .formatted(LandedTable.DATABASE, stack.services().hdfs().uri()));
    Deployment connector =
        stack.deployFailing(
            ConnectorSettings.of("foreign-table", topic).with("on.refusal", "stop-task"));
    assertThat(connector.awaitFailure())
        .contains(
            "Hive has a table of this name",
            "or drop that table (the files of an external table stay) and restart the connector");

    stack.services().hive().execute("drop table " + LandedTable.DATABASE + ".foreign_table");
    stack.connect().restart(connector.name());

    awaitNoFailure(connector);
    connector.landsExactly();
  }

  /** The other cure that the same error names. */
  @Test
  void tableOfSomebodyElseStaysAndAnotherDatabaseIsSet(RealStack stack) throws SQLException {
    String name = "foreign-database";
    SourceTopic topic = stack.topic(name, 1);
    topic.send(Readings.V1, 0, 100);
    stack
        .services()
        .hive()
        .execute(
            "create database if not exists " + LandedTable.DATABASE,
            "create external table %s.foreign_database (id bigint) stored as avro location '%s/elsewhere-2'"
                .formatted(LandedTable.DATABASE, stack.services().hdfs().uri()));
    ConnectorSettings settings = ConnectorSettings.of(name, topic).with("on.refusal", "stop-task");
    Deployment connector = stack.deployFailing(settings);
    assertThat(connector.awaitFailure())
        .contains("Hive has a table of this name", "Set another hive.table.name or hive.database");

    connector.configureStopped(settings.with("hive.database", "landed_elsewhere"));

    awaitNoFailure(connector);
    awaitRowsInHive(stack, "landed_elsewhere.foreign_database", 100);
    assertThat(connector.log(topic).unaccounted(topic::end)).isEmpty();
    assertThat(stack.services().hive().query("describe landed.foreign_database"))
        .as("the table of somebody else")
        .hasSize(1);
  }

  /** The error also offers another connector. */
  @Test
  void landedRecordsLandAnewByAnotherConnector(RealStack stack) throws SQLException {
    SourceTopic topic = stack.topic("landed-anew", 1);
    topic.send(Readings.V1, 0, 100);
    ConnectorSettings settings = ConnectorSettings.of("landed-anew", topic);
    Deployment first = stack.deploy(settings);
    first.landsExactly();
    first.stop();
    assertThatThrownBy(() -> stack.connect().resetOffsets("landed-anew"))
        .isInstanceOf(ConnectRequestException.class)
        .hasMessageContaining(
            "use a connector with another log.id, topics.dir and hive.table.name");

    stack.deploy(
        settings
            .named("landed-anew-2")
            .with("topics.dir", "topics/anew")
            .with("hive.table.name", "landed_twice"));

    awaitRowsInHive(stack, LandedTable.DATABASE + ".landed_twice", 100);
    first.table(topic).assertHoldsExactly(topic.produced());
  }

  private static void awaitRowsInHive(RealStack stack, String table, long rows) {
    Polling.until(
        "all is in the table " + table,
        RealStack.DEADLINE,
        () -> {
          try {
            List<?> counted = stack.services().hive().query("select count(*) from " + table);
            return counted.equals(List.of(List.of(rows)))
                ? Optional.empty()
                : Optional.of("it has " + counted);
          } catch (SQLException e) {
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
  }

  /** The steps are those of docs/OPERATIONS.md. */
  @Test
  void connectorIsRenamedAndItsLogMoved(RealStack stack) throws IOException {
    SourceTopic topic = stack.topic("renamed", 2);
    topic.send(Readings.V1, 0, 100);
    ConnectorSettings settings = ConnectorSettings.of("renamed", topic);
    Deployment former = stack.deploy(settings);
    former.landsExactly();
    former.stop();
    former.deleteAndAwait();
    topic.send(Readings.V1, 100, 200);

    ConnectorSettings renamed = settings.named("new-name").with("log.id", "renamed");
    Deployment connector = stack.deployFailing(renamed);
    assertThat(connector.awaitFailure())
        .contains(
            "the log directory belongs to connector \"renamed\"", "give this connector that name");
    connector.stop();
    WebHdfs hdfs = stack.services().hdfs().files();
    for (String identity :
        List.of("/logs/renamed/identity.json", "/ledger/logs/renamed/identity.json")) {
      String text = new String(hdfs.read(identity), StandardCharsets.UTF_8);
      String edited = text.replaceFirst("(\"connector\" *: *)\"renamed\"", "$1\"new-name\"");
      assertThat(edited).isNotEqualTo(text);
      hdfs.write(identity, edited.getBytes(StandardCharsets.UTF_8));
    }
    connector.resume();
    awaitRows(connector, topic);

    connector.stop();
    topic.send(Readings.V1, 200, 300);
    hdfs.makeDirectories("/moved");
    hdfs.setOwner("/moved", RealStack.CONNECTOR_USER);
    hdfs.rename("/logs/renamed", "/moved/renamed");
    connector.configureStopped(renamed.with("logs.dir", "moved"));
    awaitRows(connector, topic);
  }

  private static void awaitRows(Deployment connector, SourceTopic topic) {
    Polling.until(
        connector.name() + " has landed all",
        RealStack.DEADLINE,
        () -> {
          connector.requireNoFailure();
          int rows = connector.table(topic).keysInFiles().size();
          return rows >= topic.produced().size()
              ? connector.table(topic).unregistered()
              : Optional.of(rows + " rows are in the table");
        });
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  private static void awaitNoFailure(Deployment connector) {
    Polling.until(
        connector.name() + " runs again",
        RealStack.DEADLINE,
        () ->
            connector
                .status()
                .filter(status -> status.isRunning())
                .map(status -> Optional.<String>empty())
                .orElseGet(() -> Optional.of("the status is " + connector.status())));
  }
}
