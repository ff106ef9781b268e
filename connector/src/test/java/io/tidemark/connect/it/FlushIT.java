package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.landed.RowDifference;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.Polling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@OnRealStack
final class FlushIT {

  private static final int MILLION = 1_000_000;

  @Test
  void flushIsGatheredOverManyPuts(RealStack stack) throws IOException {
    long batchRecords = 20_000;
    int putRecords = 500;
    SourceTopic topic = stack.topic("many-puts", 4);
    topic.send(Readings.V1, 0, 12_500);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("many-puts", topic)
                .with("batch.records", batchRecords)
                .with("batch.interval.ms", 600_000)
                .with("consumer.override.max.poll.records", putRecords));
    LandedLog log = connector.log(topic);
    Polling.until(
        "two flushes are committed",
        RealStack.DEADLINE,
        () ->
            landed(log) >= 2 * batchRecords
                ? Optional.empty()
                : Optional.of(landed(log) + " records are committed"));

    List<Long> flushes = flushes(log.batches(), batchRecords);
    assertThat(flushes).hasSize(2);
    assertThat(flushes.get(0)).isEqualTo(batchRecords);
    assertThat(flushes.get(1)).isBetween(batchRecords, batchRecords + putRecords);
    assertThat(connector.metric("connector-task-metrics", "batch-size-max"))
        .as("records of the largest put()")
        .singleElement()
        .isEqualTo((double) putRecords);

    // The other records wait for their interval, or for the end of the task.
    connector.stop();
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  /** The worker's heap is {@link RealStack#WORKER_HEAP_MEGABYTES}. */
  @Test
  @Tag("long")
  void putOfAMillionRecordsIsOneFlush(RealStack stack) throws IOException {
    SourceTopic topic = stack.topic("million", 1);
    topic.send(Readings.SMALL, 0, MILLION);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("million", topic)
                .with("batch.records", MILLION)
                .with("batch.interval.ms", 600_000)
                .with("consumer.override.max.poll.records", MILLION)
                .with("consumer.override.fetch.max.bytes", RealStack.FETCH_MAX_BYTES)
                .with("consumer.override.max.partition.fetch.bytes", RealStack.FETCH_MAX_BYTES));
    connector.awaitLanded();

    assertThat(connector.metric("connector-task-metrics", "batch-size-max"))
        .as("records of the largest put()")
        .singleElement()
        .isEqualTo((double) MILLION);
    assertThat(connector.log(topic).batches())
        .singleElement()
        .satisfies(batch -> assertThat(batch.landed()).isEqualTo(MILLION));
    LandedTable table = connector.table(topic);
    RowDifference.assertNone("the files", topic.produced(), table.keysInFiles());
    assertThat(
            table.query(
                "SELECT count(*), count(DISTINCT seq), min(seq), max(seq) FROM " + table.name()))
        .containsExactly(List.of((long) MILLION, (long) MILLION, 0L, MILLION - 1L));
  }

  private static long landed(LandedLog log) {
    return log.batches().stream().mapToLong(LogEntry::landed).sum();
  }

  /**
   * The numbers of records of each flush. A flush ends when its batches have enough records. The
   * batches of two flushes are not written at the same time.
   */
  private static List<Long> flushes(List<LogEntry> batches, long batchRecords) {
    List<Long> flushes = new ArrayList<>();
    long records = 0;
    for (LogEntry batch :
        batches.stream().sorted(Comparator.comparing(LogEntry::writtenAt)).toList()) {
      records += batch.landed();
      if (records >= batchRecords) {
        flushes.add(records);
        records = 0;
      }
    }
    assertThat(records).as("records of a flush that is not complete").isZero();
    return flushes;
  }
}
