package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Files that end before their batch: what readers, Hive and the log see of them. */
@OnSharedStack
final class FilesIT {

  /** Midnight in UTC is behind the first 4,500 readings of each topic-partition. */
  @Test
  void flushSizeIsTheRecordsOfAFileByTopicPartitionAndHivePartition(RealStack stack) {
    int flushSize = 1_000;
    SourceTopic topic = stack.topic("flush-size", 2);
    topic.send(Readings.V1, 0, 10_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("flush-size", topic)
                .with("flush.size", flushSize)
                .with("batch.records", 20_000)
                .with("batch.interval.ms", 60_000)
                .with("partitioner.class", "DailyPartitioner")
                .with("timestamp.extractor", "RecordField")
                .with("timestamp.field", "taken"));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.partitionsInHive()).hasSize(2);
    assertThat(table.published().keySet())
        .allMatch(path -> table.read(path).rows().size() <= flushSize);
    for (LogEntry batch : connector.log(topic).batches()) {
      Map<String, List<Long>> files = recordsByHivePartition(batch);
      assertThat(files)
          .allSatisfy(
              (hivePartition, records) ->
                  assertThat(records.subList(0, records.size() - 1))
                      .as(hivePartition)
                      .containsOnly((long) flushSize));
    }
  }

  @Test
  void fileEndsSoonAfterItsBytes(RealStack stack) {
    long target = 500_000;
    SourceTopic topic = stack.topic("file-bytes", 1);
    topic.send(Readings.V1, 0, 60_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("file-bytes", topic)
                .with("file.size.bytes", target)
                .with("avro.codec", "null")
                .with("batch.records", 60_000)
                .with("batch.interval.ms", 60_000));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    for (LogEntry batch : connector.log(topic).batches()) {
      List<JsonNode> files = batch.files();
      assertThat(files.subList(0, files.size() - 1))
          .allSatisfy(
              file -> assertThat(file.get("bytes").asLong()).isBetween(target, target + (1 << 20)));
    }
    assertThat(table.published()).hasSizeGreaterThan(2);
  }

  private static Map<String, List<Long>> recordsByHivePartition(LogEntry batch) {
    return batch.files().stream()
        .collect(
            Collectors.groupingBy(
                file -> file.get("hivePartition").asText(),
                Collectors.mapping(file -> file.get("records").asLong(), Collectors.toList())));
  }
}
