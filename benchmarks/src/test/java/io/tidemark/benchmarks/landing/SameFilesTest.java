package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.landing.Workload.Kind;
import org.junit.jupiter.api.Test;

class SameFilesTest {
  private static final Workload QUOTES = Workload.quotes(Kind.PLAIN, 6_000_000);

  @Test
  void hivePartitionsInTurnAreFilesInTurnWithTheRecordsOfABatch() {
    Workload workload = QUOTES.ofTopicPartitions(1).ofHivePartitions(1_000);

    assertThat(SameFiles.settings(workload, 390, 8))
        .containsEntry("files.in.turn", "1000")
        .containsEntry("topic-partition.records", "750000")
        .containsEntry("batch.records", Long.toString(Long.MAX_VALUE))
        .doesNotContainKey("file.offsets");
  }

  @Test
  void hoursAreStretchesOfOffsetsOfATopicPartition() {
    Workload workload = QUOTES.ofTopicPartitions(1_000);

    assertThat(SameFiles.settings(workload, 390, 1_070))
        .containsEntry("file.offsets", "923")
        .doesNotContainKeys("files.in.turn", "topic-partition.records", "batch.records");
  }

  @Test
  void noTopicPartitionHasARestAfterItsLastBatch() {
    Workload workload = QUOTES.ofTopicPartitions(10);
    // 15,385 times 390 records: five of the topic-partitions have 600,210, and the others 600,000.
    assertThat(SameFiles.settings(workload, 390, 61))
        .containsEntry("topic-partition.records", "100035");
  }
}
