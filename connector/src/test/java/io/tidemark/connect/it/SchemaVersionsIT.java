package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@OnSharedStack
final class SchemaVersionsIT {

  @Test
  void oldAndNewWritersLandInOneTable(RealStack stack) {
    SourceTopic topic = stack.topic("versions", 2);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector = stack.deploy(ConnectorSettings.of("versions", topic));
    connector.awaitLanded();
    for (int source = 0; source < topic.topicPartitions(); source++) {
      topic.sendAlternating(source, List.of(Readings.V1, Readings.V2), 1_000, 3_000);
    }
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(row(table, 0, 999)).isEqualTo(Arrays.asList(null, 7));
    assertThat(row(table, 1, 2_000)).isEqualTo(Arrays.asList(null, 7));
    assertThat(row(table, 1, 2_001)).isEqualTo(Arrays.asList("C1", 1));
    assertThat(
            table.query(
                "SELECT count(*), count(unit), sum(IF(unit IS NULL, 1, 0)),"
                    + " sum(IF(unit IS NULL, quality, 0)) FROM "
                    + table.name()))
        .containsExactly(List.of(6_000L, 2_000L, 4_000L, 28_000L));
    assertThat(connector.log(topic).batches())
        .as("a file holds the records of both writers")
        .anyMatch(
            batch -> batch.files().stream().anyMatch(file -> file.path("schemaIds").size() == 2));
  }

  /** A Hive partition without new files keeps the schema with which it was registered. */
  @Test
  void newColumnsReadInHivePartitionsOfTheOldSchema(RealStack stack) {
    SourceTopic topic = stack.topic("version-hours", 1);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("version-hours", topic)
                .with("partitioner.class", "HourlyPartitioner"));
    connector.awaitLanded();
    topic.send(Readings.V2, 5_000, 6_000);
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.partitionsInHive()).hasSize(2);
    assertThat(row(table, 0, 999)).isEqualTo(Arrays.asList(null, 7));
    assertThat(row(table, 0, 5_001)).isEqualTo(Arrays.asList("C1", 1));
  }

  private static List<@Nullable Object> row(LandedTable table, int source, long seq) {
    return table
        .query(
            "SELECT unit, quality FROM %s WHERE source = %d AND seq = %d"
                .formatted(table.name(), source, seq))
        .get(0);
  }
}
