package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.connect.it.landed.LandedFile;
import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

@OnRealStack
final class WholePathIT {

  private static final int TOPIC_PARTITIONS = 4;
  private static final long PER_TOPIC_PARTITION = 5_000;
  private static final DateTimeFormatter HIVE_PARTITION =
      DateTimeFormatter.ofPattern("'dt='yyyy-MM-dd'/hour='HH").withZone(ZoneOffset.UTC);

  @Test
  void whatIsProducedIsWhatHiveAnswers(RealStack stack) {
    SourceTopic topic = stack.topic("whole-path", TOPIC_PARTITIONS);
    topic.send(Readings.V1, 0, PER_TOPIC_PARTITION);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("whole-path", topic)
                .with("tasks.max", 2)
                .with("batch.records", 4_000)
                .with("partitioner.class", "TimeBasedPartitioner")
                .with("path.format", "'dt'=yyyy-MM-dd/'hour'=HH")
                .with("partition.duration.ms", 3_600_000));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
    // A message with a list of 20,000 rows would hide the first difference.
    assertThat(HiveRows.difference(table, topic.produced())).isEmpty();
    countsByHivePartitionAreEqual(table, topic);
    logAccountsForEveryOffset(connector.log(topic), topic);
    filesAreWhatTheLogSays(connector.log(topic), table);
    // If a topic-partition moved to the other task, the group's offset is the one at the revocation
    // until its next batch.
    topic.send(Readings.V1, PER_TOPIC_PARTITION, PER_TOPIC_PARTITION + 1);
    connector.awaitLanded();
    consumerGroupStandsAtTheEnd(stack, topic);
  }

  private static void countsByHivePartitionAreEqual(LandedTable table, SourceTopic topic) {
    Map<String, Long> produced =
        topic.produced().stream()
            .collect(
                Collectors.groupingBy(
                    key -> HIVE_PARTITION.format(Readings.taken(key.seq())),
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(produced).containsOnlyKeys("dt=2026-11-20/hour=23", "dt=2026-11-21/hour=00");
    assertThat(table.partitionsInHive()).isEqualTo(produced.keySet());
    Map<String, Long> counted = new TreeMap<>();
    table
        .query("SELECT dt, hour, count(*) FROM %s GROUP BY dt, hour".formatted(table.name()))
        .forEach(row -> counted.put("dt=" + row.get(0) + "/hour=" + row.get(1), (Long) row.get(2)));
    assertThat(counted).isEqualTo(produced);
  }

  private static void logAccountsForEveryOffset(LandedLog log, SourceTopic topic) {
    for (int topicPartition = 0; topicPartition < TOPIC_PARTITIONS; topicPartition++) {
      long next = 0;
      for (LogEntry batch : log.batches(topicPartition)) {
        assertThat(batch.first()).as("%s", batch).isEqualTo(next);
        assertThat(batch.landed()).as("%s", batch).isEqualTo(batch.next() - batch.first());
        assertThat(batch.notLanded()).as("%s", batch).isZero();
        assertThat(batch.generation()).as("%s", batch).isEqualTo(1);
        next = batch.next();
      }
      assertThat(next).isEqualTo(topic.end(topicPartition));
    }
  }

  private static void filesAreWhatTheLogSays(LandedLog log, LandedTable table) {
    for (LogEntry batch : log.batches()) {
      List<Long> offsets = new ArrayList<>();
      for (JsonNode named : batch.files()) {
        LandedFile file = table.read(named.path("path").asText());
        assertThat(file.entry()).as(file.path()).isEqualTo(batch.attempt());
        assertThat(file.codec()).as(file.path()).isEqualTo("snappy");
        assertThat(file.rows()).as(file.path()).hasSize(named.path("records").asInt());
        // In this topic the number of a reading is its offset.
        List<Long> inFile = file.keys().stream().map(RowKey::seq).toList();
        assertThat(inFile).as("offsets in %s", file.path()).isSorted();
        assertThat(file.keys())
            .as(file.path())
            .allMatch(key -> key.source() == batch.topicPartition())
            .allMatch(
                key ->
                    file.path()
                        .contains("/" + HIVE_PARTITION.format(Readings.taken(key.seq())) + "/"));
        assertThat(inFile.get(0)).isEqualTo(named.path("firstOffset").asLong());
        assertThat(inFile.get(inFile.size() - 1)).isEqualTo(named.path("lastOffset").asLong());
        offsets.addAll(inFile);
      }
      assertThat(offsets.stream().mapToLong(Long::longValue).sorted())
          .as("offsets of %s", batch)
          .containsExactly(
              LongStream.range(batch.first(), batch.next()).boxed().toArray(Long[]::new));
    }
  }

  private static void consumerGroupStandsAtTheEnd(RealStack stack, SourceTopic topic) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (int topicPartition = 0; topicPartition < TOPIC_PARTITIONS; topicPartition++) {
      ends.put(new TopicPartition(topic.name(), topicPartition), topic.end(topicPartition));
    }
    Polling.until(
        "the consumer group follows",
        RealStack.DEADLINE,
        () -> {
          Map<TopicPartition, OffsetAndMetadata> committed =
              RealStack.joined(
                  stack
                      .admin()
                      .listConsumerGroupOffsets("connect-whole-path")
                      .partitionsToOffsetAndMetadata(),
                  "reading the group's offsets");
          Map<TopicPartition, Long> offsets = new HashMap<>();
          committed.forEach((tp, offset) -> offsets.put(tp, offset.offset()));
          return offsets.equals(ends)
              ? Optional.empty()
              : Optional.of("the group stands at " + offsets + ", not at " + ends);
        });
  }
}
