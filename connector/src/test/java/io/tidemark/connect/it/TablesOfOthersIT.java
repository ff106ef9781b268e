package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tables that people create, change or drop in Hive, under a connector that lands in them.
 * docs/OPERATIONS.md lists such changes. A query must return each produced row once, with its
 * values.
 */
@OnSharedStack
final class TablesOfOthersIT {

  private static final String BEFORE_MIDNIGHT = "dt='2026-11-20'";

  /** The number of the first reading of 2026-11-21. */
  private static final long MIDNIGHT = 4_500;

  /** Lets a session create and drop transactional tables. */
  private static final List<String> TRANSACTIONS =
      List.of(
          "set hive.support.concurrency=true",
          "set hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager");

  private static final String CREATE_DATABASE =
      "create database if not exists " + LandedTable.DATABASE;

  @Test
  void tableCreatedInAdvanceIsUsedInItsLocationAndKeepsItsProperties(RealStack stack)
      throws Exception {
    SourceTopic topic = stack.topic("others_created", 1);
    topic.send(Readings.V1, MIDNIGHT - 100, MIDNIGHT + 100);
    stack
        .services()
        .hive()
        .execute(
            CREATE_DATABASE,
            """
            create external table %s.others_created
              (source int, seq bigint, taken timestamp, celsius double, note string)
            comment 'readings of the plant'
            partitioned by (dt string)
            stored as avro
            location '/plant/others_created'
            tblproperties ('owner'='plant', 'retention.days'='90')
            """
                .formatted(LandedTable.DATABASE));
    // Hive has created the directory, which belongs to Hive's user.
    stack.services().hdfs().files().setOwner("/plant/others_created", RealStack.CONNECTOR_USER);
    Deployment connector =
        stack.deploy(
            byDay("others-created", topic)
                .with("hive.table.location", "/plant/${table}")
                .with("hive.table.properties", "tier=gold"));
    LandedTable table = connector.table(topic);

    awaitRows(connector, topic);
    assertThat(table.partitionsInHive()).containsExactly("dt=2026-11-20", "dt=2026-11-21");
    assertThat(table.query("SELECT INPUT__FILE__NAME FROM " + table.name()))
        .allMatch(row -> String.valueOf(row.get(0)).contains("/plant/others_created/dt=2026-11-2"));
    assertThat(table.query("SHOW TBLPROPERTIES " + table.name()))
        .contains(
            List.of("comment", "readings of the plant"),
            List.of("owner", "plant"),
            List.of("retention.days", "90"),
            List.of("tier", "gold"),
            List.of("tidemark.log", "others-created"));

    execute(stack, "alter table %s set tblproperties ('retention.days'='30')", table.name());
    topic.send(Readings.V1, MIDNIGHT + 100, MIDNIGHT + 200);
    awaitRows(connector, topic);
    assertThat(table.query("SHOW TBLPROPERTIES " + table.name()))
        .contains(List.of("owner", "plant"), List.of("retention.days", "30"));
  }

  @Test
  void movedHivePartitionHoldsItsTopicAloneUntilItIsBack(RealStack stack) throws Exception {
    SourceTopic moved = stack.topic("others_moved", 1);
    SourceTopic other = stack.topic("others_moved_not", 1);
    Deployment connector = landedBothDays(stack, "others-moved", moved, other);
    String here = hdfs(stack) + connector.table(moved).root() + "/dt=2026-11-20";
    String away = hdfs(stack) + "/plant/moved";

    relocate(stack, connector.table(moved), away);
    lateReadings(moved);
    lateReadings(other);
    awaitRefused(connector, moved, "has the location " + away, "but its new files are in " + here);
    assertOthersLand(connector, other);

    relocate(stack, connector.table(moved), here);
    assertAllLanded(connector);
  }

  /** What {@code hadoop archive} and {@code SET LOCATION} do, and then the removal of the files. */
  @Test
  void lateRecordsOfAnArchivedHivePartitionHoldTheirTopicAloneUntilItsFilesAreBack(RealStack stack)
      throws Exception {
    SourceTopic archived = stack.topic("others_archived", 1);
    SourceTopic other = stack.topic("others_archived_not", 1);
    Deployment connector = landedBothDays(stack, "others-archived", archived, other);
    LandedTable table = connector.table(archived);
    String here = hdfs(stack) + table.root() + "/dt=2026-11-20";
    WebHdfs files = stack.services().hdfs().files();
    Map<String, byte[]> contents = new TreeMap<>();
    for (String path : table.published().keySet()) {
      if (path.contains("/dt=2026-11-20/")) {
        contents.put(path, files.read(path));
      }
    }
    String archive = hdfs(stack).replace("hdfs://", "har://hdfs-") + "/plant/readings.har";

    archive(files, "/plant/readings.har", contents);
    relocate(stack, table, archive);
    for (String path : contents.keySet()) {
      files.delete(path);
    }
    assertThat(HiveRows.difference(table, archived.produced())).isEmpty();

    lateReadings(archived);
    lateReadings(other);
    awaitRefused(
        connector, archived, "has the location " + archive, "but its new files are in " + here);
    assertOthersLand(connector, other);

    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      files.write(file.getKey(), file.getValue());
    }
    relocate(stack, table, here);
    assertAllLanded(connector);
  }

  /**
   * Writes an archive in the format of {@code hadoop archive}, version 2: an index of the files,
   * and their bytes one after the other. The tool itself would need a cluster that runs MapReduce.
   */
  private static void archive(WebHdfs hdfs, String archive, Map<String, byte[]> contents)
      throws IOException {
    StringBuilder names = new StringBuilder();
    StringBuilder entries = new StringBuilder();
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      String path = file.getKey();
      String name =
          URLEncoder.encode(path.substring(path.lastIndexOf('/') + 1), StandardCharsets.UTF_8);
      names.append(name).append(' ');
      entries.append(
          "%%2F%s file part-0 %d %d \n".formatted(name, part.size(), file.getValue().length));
      part.writeBytes(file.getValue());
    }
    String index = "%2F dir none 0 0 " + names + "\n" + entries;
    hdfs.write(archive + "/part-0", part.toByteArray());
    hdfs.write(archive + "/_index", index.getBytes(StandardCharsets.UTF_8));
    hdfs.write(
        archive + "/_masterindex",
        "2 \n0 %d 0 %d \n"
            .formatted(Integer.MAX_VALUE, index.length())
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void droppedHivePartitionAndDroppedTableComeBackWithAllRows(RealStack stack) throws Exception {
    SourceTopic topic = stack.topic("others_dropped", 1);
    // The reckoner adds a dropped Hive partition before it is complete: here only a batch may do
    // it.
    Deployment connector =
        landedBothDays(
            stack, byDay("others-dropped", topic).with("completeness.enabled", "false"), topic);
    LandedTable table = connector.table(topic);

    execute(stack, "alter table %s drop partition (" + BEFORE_MIDNIGHT + ")", table.name());
    assertThat(HiveRows.difference(table, readings(topic, MIDNIGHT, MIDNIGHT + 100))).isEmpty();
    lateReadings(topic);
    assertAllLanded(connector);

    execute(stack, "drop table %s", table.name());
    assertThat(table.inCatalog()).isEmpty();
    topic.send(Readings.V1, MIDNIGHT + 200, MIDNIGHT + 300);
    assertAllLanded(connector);
    assertThat(table.partitionsInHive()).containsExactly("dt=2026-11-20", "dt=2026-11-21");
  }

  /**
   * The Metastore's database, here Derby, ignores trailing spaces. So Hive has one Hive partition
   * for two values, and drops it by the name of either.
   */
  @Test
  void rowsOfAValueThatHiveEquatesWithAnotherAreShownByTheStepsOfTheMessage(RealStack stack)
      throws Exception {
    Places places = Places.landed(stack, "others-alike", "DE", "DE ");
    LandedTable table = places.table();
    places.awaitRowsOf("DE");

    WebHdfs files = stack.services().hdfs().files();
    String hidden = table.root() + "/place=DE ";
    for (WebHdfs.Entry file : files.list(hidden)) {
      files.rename(file.path(), file.path().replace("/place=DE /", "/place=DE/"));
    }
    places.awaitRowsOf("DE", "DE ");

    execute(stack, "alter table %s drop partition (place='DE ')", table.name());
    assertThat(table.partitionsInHive()).as("it drops the other one").isEmpty();
    places.connector().stop();
    places.connector().resume();
    places.awaitRowsOf("DE", "DE ");
  }

  @Test
  void viewManagedAndTransactionalTableHoldTheirTopicsAloneUntilTheyAreDropped(RealStack stack)
      throws Exception {
    SourceTopic view = stack.topic("others_view", 1);
    SourceTopic managed = stack.topic("others_managed", 1);
    SourceTopic transactional = stack.topic("others_transactional", 1);
    SourceTopic other = stack.topic("others_none", 1);
    List<SourceTopic> topics = List.of(view, managed, transactional, other);
    topics.forEach(topic -> topic.send(Readings.V1, MIDNIGHT - 100, MIDNIGHT + 100));
    // Hive 4 makes an external table of a new one that is neither external nor transactional.
    stack
        .services()
        .hive()
        .execute(
            CREATE_DATABASE,
            "create view landed.others_view as select 1 as id",
            "create external table landed.others_managed (id bigint) stored as avro location '/plant/managed'",
            "alter table landed.others_managed set tblproperties ('EXTERNAL'='FALSE')");
    inTransactions(
        stack,
        "create table landed.others_transactional (id bigint) stored as orc tblproperties ('transactional'='true')");

    Deployment connector = stack.deploy(byDay("others-kinds", topics.toArray(SourceTopic[]::new)));

    awaitRefused(connector, view, "it is a view (VIRTUAL_VIEW), which has no files of its own");
    awaitRefused(
        connector,
        managed,
        "it is not an external table, but MANAGED_TABLE, whose files Hive owns",
        "or drop that table (Hive then deletes its files)");
    awaitRefused(
        connector,
        transactional,
        "it is not an external table, but MANAGED_TABLE, and transactional: only Hive can write it",
        "or drop that table (Hive then deletes its files)");
    awaitRefusedTask(connector);
    other.send(Readings.V1, MIDNIGHT + 100, MIDNIGHT + 200);
    assertOthersLand(connector, other);
    assertThat(List.of(view, managed, transactional))
        .allSatisfy(
            topic ->
                assertThat(connector.table(topic).inCatalog().orElseThrow().columns())
                    .containsExactly("id"));

    stack
        .services()
        .hive()
        .execute("drop view landed.others_view", "drop table landed.others_managed");
    inTransactions(stack, "drop table landed.others_transactional");
    assertAllLanded(connector);
  }

  private static ConnectorSettings byDay(String name, SourceTopic... topics) {
    return ConnectorSettings.of(name, topics)
        .with("partitioner.class", "TimeBasedPartitioner")
        .with("path.format", "'dt'=yyyy-MM-dd")
        .with("partition.duration.ms", 86_400_000);
  }

  /** A connector that has landed 200 readings of each topic, 100 on each side of midnight. */
  private static Deployment landedBothDays(RealStack stack, String name, SourceTopic... topics) {
    return landedBothDays(stack, byDay(name, topics), topics);
  }

  private static Deployment landedBothDays(
      RealStack stack, ConnectorSettings settings, SourceTopic... topics) {
    Stream.of(topics).forEach(topic -> topic.send(Readings.V1, MIDNIGHT - 100, MIDNIGHT + 100));
    Deployment connector = stack.deploy(settings);
    assertAllLanded(connector);
    return connector;
  }

  /** Produces readings of the day before midnight, and then of the day after it. */
  private static void lateReadings(SourceTopic topic) {
    topic.send(Readings.V1, MIDNIGHT - 200, MIDNIGHT - 100);
    topic.send(Readings.V1, MIDNIGHT + 100, MIDNIGHT + 200);
  }

  private static List<RowKey> readings(SourceTopic topic, long from, long to) {
    return topic.produced().stream().filter(key -> key.seq() >= from && key.seq() < to).toList();
  }

  private static String hdfs(RealStack stack) {
    return stack.services().hdfs().uri().toString();
  }

  private static void relocate(RealStack stack, LandedTable table, String location)
      throws SQLException {
    execute(
        stack,
        "alter table %s partition (" + BEFORE_MIDNIGHT + ") set location '" + location + "'",
        table.name());
  }

  private static void inTransactions(RealStack stack, String statement) throws SQLException {
    stack
        .services()
        .hive()
        .execute(Stream.concat(TRANSACTIONS.stream(), Stream.of(statement)).toArray(String[]::new));
  }

  private static void execute(RealStack stack, String statement, String table) throws SQLException {
    stack.services().hive().execute(statement.formatted(table));
  }

  /** Waits until the MBean of the topic's only topic-partition is REFUSED, with these texts. */
  /** A task that a rebalance stops and starts has no metrics meanwhile. */
  private static void awaitRefusedTask(Deployment connector) {
    Polling.until(
        "the task is REFUSED",
        RealStack.DEADLINE,
        () -> {
          try {
            List<String> states = connector.said("task-metrics", "Health");
            return states.equals(List.of("REFUSED"))
                ? Optional.empty()
                : Optional.of("it is " + states);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
        });
  }

  private static void awaitRefused(Deployment connector, SourceTopic topic, String... parts) {
    Polling.until(
        topic.name() + " is REFUSED, with the reason",
        RealStack.DEADLINE,
        () -> {
          try {
            List<String> states = said(connector, topic, "Health");
            List<String> reasons = said(connector, topic, "HeldBecause");
            return states.equals(List.of("REFUSED"))
                    && reasons.stream().anyMatch(text -> Stream.of(parts).allMatch(text::contains))
                ? Optional.empty()
                : Optional.of("it is " + states + ": " + reasons);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
        });
    // Connect shows no failure.
    connector.requireNoFailure();
  }

  private static List<String> said(Deployment connector, SourceTopic topic, String attribute)
      throws IOException {
    return connector.said("topic-partition-metrics,topic=" + topic.name(), attribute);
  }

  /** Checks that a topic lands while another one of its connector is REFUSED. */
  private static void assertOthersLand(Deployment connector, SourceTopic other) throws IOException {
    awaitRows(connector, other);
    assertThat(said(connector, other, "Health")).doesNotContain("REFUSED");
    awaitRefusedTask(connector);
  }

  private static void assertAllLanded(Deployment connector) {
    connector.landsExactly();
    connector.settings().topics().forEach(topic -> awaitRows(connector, topic));
  }

  /** Waits until Hive returns the produced rows of a topic, and no others. */
  private static void awaitRows(Deployment connector, SourceTopic topic) {
    Polling.until(
        "all of " + topic.name() + " is in Hive",
        RealStack.DEADLINE,
        () -> {
          connector.requireNoFailure();
          try {
            return connector
                .shortfall(topic)
                .or(() -> HiveRows.difference(connector.table(topic), topic.produced()));
          } catch (IllegalStateException e) { // The table does not exist yet.
            return Optional.of(String.valueOf(e.getCause()));
          }
        });
  }
}
