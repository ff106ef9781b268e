package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedFile;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Files that end before their batch, as readers, Hive and the log see them. */
@OnSharedStack
final class FilesIT {

  /** Midnight in UTC is after the first 4,500 readings of each topic-partition. */
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

  /** Each topic-partition has 200 s of readings before and after midnight. */
  @Test
  void rotateIntervalIsTheTimeThatTheRecordsOfAFileSpan(RealStack stack) {
    Duration interval = Duration.ofSeconds(20);
    SourceTopic topic = stack.topic("rotate-interval", 2);
    topic.send(Readings.V1, 0, 10_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("rotate-interval", topic)
                .with("rotate.interval.ms", interval.toMillis())
                .with("batch.records", 20_000)
                .with("batch.interval.ms", 60_000)
                .with("partitioner.class", "DailyPartitioner")
                .with("timestamp.extractor", "RecordField")
                .with("timestamp.field", "taken"));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    assertThat(table.published()).hasSizeGreaterThanOrEqualTo(2 * 10);
    assertThat(table.published().keySet())
        .allSatisfy(path -> assertThat(spanOf(table.read(path))).isLessThan(interval));
  }

  /** The batch's own interval is ten minutes. */
  @Test
  void rotateScheduleIntervalFlushesByTheClock(RealStack stack) {
    SourceTopic topic = stack.topic("rotate-schedule", 1);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("rotate-schedule", topic)
                .with("rotate.schedule.interval.ms", 2_000)
                .with("batch.records", 1_000_000)
                .with("batch.interval.ms", 600_000));
    topic.send(Readings.V1, 0, 500);
    connector.awaitLanded();
    topic.send(Readings.V1, 500, 900);
    connector.awaitLanded();

    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(connector.log(topic).batches()).hasSizeGreaterThanOrEqualTo(2);
  }

  /** The first poll is not limited. */
  @Test
  void rateIsTheRecordsOfATaskInASecond(RealStack stack) {
    long records = 40_000;
    long perSecond = 2_000;
    long firstPoll = 10_000;
    SourceTopic topic = stack.topic("rate", 1);
    topic.send(Readings.V1, 0, records);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("rate", topic)
                .with("rate.records.per.second", perSecond)
                .with("consumer.override.max.poll.records", firstPoll)
                .with("batch.records", 1_000));
    connector.awaitLanded();

    connector.table(topic).assertHoldsExactly(topic.produced());
    List<LogEntry> batches = connector.log(topic).batches();
    Duration took =
        Duration.between(batches.get(0).writtenAt(), batches.get(batches.size() - 1).writtenAt());
    assertThat(took).isGreaterThan(Duration.ofSeconds((records - firstPoll) / perSecond - 2));
  }

  private static Duration spanOf(LandedFile file) {
    LongSummaryStatistics numbers = file.keys().stream().mapToLong(RowKey::seq).summaryStatistics();
    return Duration.between(Readings.taken(numbers.getMin()), Readings.taken(numbers.getMax()));
  }

  private static Map<String, List<Long>> recordsByHivePartition(LogEntry batch) {
    return batch.files().stream()
        .collect(
            Collectors.groupingBy(
                file -> file.get("hivePartition").asText(),
                Collectors.mapping(file -> file.get("records").asLong(), Collectors.toList())));
  }
}
