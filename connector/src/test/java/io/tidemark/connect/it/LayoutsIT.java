package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@OnRealStack
final class LayoutsIT {

  @Test
  void unpartitionedTableLiesInItsRoot(RealStack stack) {
    SourceTopic topic = stack.topic("unpartitioned", 2);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector =
        stack.deploy(ConnectorSettings.of("unpartitioned", topic).with("avro.codec", "null"));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.published().keySet())
        .allMatch(path -> path.matches("/topics/unpartitioned/unpartitioned\\+[01]\\+g1\\+.*"))
        .allMatch(path -> table.read(path).codec().equals("null"));
  }

  @ParameterizedTest
  @CsvSource({"zstandard, 9", "bzip2, 1", "xz, 3"})
  void hiveReadsWhatTheCodecWrote(String codec, int level, RealStack stack) {
    SourceTopic topic = stack.topic("codec-" + codec, 1);
    topic.send(Readings.V1, 0, 5_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("codec-" + codec, topic)
                .with("avro.codec", codec)
                .with("avro.codec.level", level));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.published().keySet())
        .isNotEmpty()
        .allMatch(path -> table.read(path).codec().equals(codec));
  }

  /** Midnight of Berlin is an hour before that of UTC: all readings are of its next day. */
  @Test
  void timeInsideARecordDecidesItsHivePartition(RealStack stack) {
    SourceTopic topic = stack.topic("nested", 2);
    topic.send(Readings.NESTED, 0, 10_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("nested", topic)
                .with("avro.codec", "deflate")
                .with(
                    "partitioner.class",
                    "io.confluent.connect.storage.partitioner.HourlyPartitioner")
                .with("timestamp.extractor", "RecordField")
                .with("timestamp.field", "stop.at")
                .with("timezone", "Europe/Berlin")
                .with("locale", "de-DE"));
    connector.awaitLanded();
    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.partitionsInHive())
        .containsExactly("year=2026/month=11/day=21/hour=00", "year=2026/month=11/day=21/hour=01");
    assertThat(table.published().keySet())
        .allMatch(path -> table.read(path).codec().equals("deflate"));
    // The reading at 01:00 in Berlin, midnight in UTC, is number 4,500.
    assertThat(
            table.query(
                "SELECT min(seq), max(seq), count(*) FROM %s WHERE hour = '01'"
                    .formatted(table.name())))
        .containsExactly(List.of(4_500L, 9_999L, 11_000L));
    assertThat(
            table.query(
                "SELECT stop.at FROM %s WHERE source = 0 AND seq = 4500".formatted(table.name())))
        .containsExactly(List.of("2026-11-21T00:00:00Z"));
  }
}
