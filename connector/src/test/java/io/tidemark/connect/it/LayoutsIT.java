package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@OnSharedStack
final class LayoutsIT {

  private static final Schema LOGICAL =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Logical", "fields": [
                {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "amount",
                 "type": {"type": "bytes", "logicalType": "decimal", "precision": 9}}]}
              """);

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

  /**
   * Midnight in Berlin is an hour before midnight in UTC: all readings belong to Berlin's next day.
   */
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
    // The reading at 01:00 in Berlin, which is midnight in UTC, has the number 4,500.
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

  /**
   * Producers often write a zero time for an unknown one, and old decimals often omit their scale.
   */
  @Test
  void logicalTypesAreReadAsTheyWereWritten(RealStack stack) {
    SourceTopic topic = stack.topic("logical", 1);
    int id = stack.register("logical", LOGICAL);
    for (String day : List.of("0001-01-01", "1582-10-14", "1969-12-31", "9999-12-31")) {
      GenericRecord row = new GenericData.Record(LOGICAL);
      row.put("day", (int) LocalDate.parse(day).toEpochDay());
      row.put(
          "at", LocalDateTime.parse(day + "T07:30:00").toInstant(ZoneOffset.UTC).toEpochMilli());
      row.put("amount", ByteBuffer.wrap(new byte[] {1, 0}));
      topic.sendRaw(0, Readings.framed(id, row));
    }
    Deployment connector = stack.deploy(ConnectorSettings.of("logical", topic));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    assertThat(
            table.query(
                "SELECT CAST(day AS STRING), CAST(at AS STRING), CAST(amount AS STRING) FROM %s ORDER BY day"
                    .formatted(table.name())))
        .containsExactly(
            List.of("0001-01-01", "0001-01-01 07:30:00", "256"),
            List.of("1582-10-14", "1582-10-14 07:30:00", "256"),
            List.of("1969-12-31", "1969-12-31 07:30:00", "256"),
            List.of("9999-12-31", "9999-12-31 07:30:00", "256"));
  }
}
