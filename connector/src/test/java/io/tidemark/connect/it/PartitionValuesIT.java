package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and names from records, as paths in HDFS and as columns in Hive. */
@OnSharedStack
final class PartitionValuesIT {

  private static final Schema PLACED =
      SchemaBuilder.record("Placed")
          .fields()
          .requiredLong("seq")
          .optionalString("place")
          .name("stop")
          .type()
          .record("Stop")
          .fields()
          .requiredInt("line")
          .endRecord()
          .noDefault()
          .endRecord();

  private static final List<@Nullable String> PLACES =
      Arrays.asList(
          "plain",
          "../../../etc/passwd",
          "..",
          ".hidden",
          "_hidden",
          "/",
          "a/b/c",
          "a=b",
          "50%",
          "%2F",
          "in the middle",
          " in front",
          "behind ",
          "tab\tand\nlines\r",
          "\u0001\u001f\u007f",
          "*?[]{}^\\\"'#:;&+",
          "grüße 東京 \uD83C\uDF0A",
          "",
          null);

  @Test
  void valuesStayInTheTableAndComeBackEqual(RealStack stack) {
    SourceTopic topic = stack.topic("placed", 1);
    int id = stack.register("placed", PLACED);
    for (int i = 0; i < PLACES.size(); i++) {
      topic.sendRaw(0, Readings.framed(id, placed(i, PLACES.get(i))));
    }
    topic.sendRaw(0, Readings.framed(id, placed(-1, "x".repeat(300))));
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("placed", topic)
                .with(
                    "partitioner.class",
                    "io.confluent.connect.storage.partitioner.FieldPartitioner")
                .with("partition.field.name", "place,stop.line")
                .with("errors.tolerance", "all")
                .with("errors.deadletterqueue.topic.name", "placed-dead-letters")
                .with("errors.deadletterqueue.topic.replication.factor", 1));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    assertThat(table.published().keySet())
        .allMatch(path -> path.matches("/topics/placed/place=[^/]+/stop_line=[0-9]+/[^/]+[.]avro"));
    Map<Long, String> found = new HashMap<>();
    table
        .query("SELECT seq, place, stop_line, stop.line FROM " + table.name())
        .forEach(
            row -> {
              found.put((Long) row.get(0), String.valueOf(row.get(1)));
              assertThat(row.get(2)).isEqualTo(String.valueOf(row.get(3)));
            });
    for (int i = 0; i < PLACES.size(); i++) {
      String place = PLACES.get(i);
      String expected = place == null || place.isEmpty() ? "__HIVE_DEFAULT_PARTITION__" : place;
      assertThat(found).as("place %s", place).containsEntry((long) i, expected);
    }
    assertThat(found).hasSize(PLACES.size());
    assertThat(
            table.query(
                "SELECT seq FROM %s WHERE place = 'a=b' AND stop_line = '%d'"
                    .formatted(table.name(), PLACES.indexOf("a=b") % 2)))
        .containsExactly(List.of((long) PLACES.indexOf("a=b")));
    List<LogEntry> batches = connector.log(topic).batches();
    assertThat(batches.stream().mapToLong(LogEntry::notLanded).sum())
        .as("the value that is longer than a name in HDFS")
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_under", ".dotted.name", "LONG"})
  void topicsOfAnyNameAreVisible(String name, RealStack stack) {
    String topicName = name.equals("LONG") ? "long-" + "x".repeat(244) : name;
    SourceTopic topic = stack.topic(topicName, 1);
    topic.send(Readings.V1, 0, 100);
    String connectorName = "names" + name.replaceAll("[^A-Za-z]", "-");
    Deployment connector = stack.deploy(ConnectorSettings.of(connectorName, topic));
    connector.awaitLanded();

    connector.table(topic).assertHoldsExactly(topic.produced());
    Set<String> directories =
        connector.table(topic).published().keySet().stream()
            .map(path -> path.split("/", -1)[2])
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(directories).hasSize(1).noneMatch(directory -> directory.matches("[._].*"));
  }

  private static GenericRecord placed(long seq, @Nullable String place) {
    GenericRecord stop = new GenericData.Record(PLACED.getField("stop").schema());
    stop.put("line", (int) Math.abs(seq % 2));
    GenericRecord row = new GenericData.Record(PLACED);
    row.put("seq", seq);
    row.put("place", place);
    row.put("stop", stop);
    return row;
  }
}
