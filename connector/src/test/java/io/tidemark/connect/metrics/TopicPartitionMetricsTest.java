package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.health.Diagnosis;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.health.Refusal;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.health.Wait;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

final class TopicPartitionMetricsTest {
  private static final TopicPartition ORDERS_7 = new TopicPartition("orders", 7);
  private static final ObjectName NAME =
      TopicPartitionMetrics.TYPE.objectName("lands", 3, "orders", 7);

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private long nowMs = 1_000;
  private final TopicPartitionProgress progress = new TopicPartitionProgress(() -> nowMs);

  @Test
  void beanIsThereWhileTheTaskHasTheTopicPartition() {
    try (TopicPartitionMetrics metrics = new TopicPartitionMetrics("lands", 3)) {
      metrics.take(ORDERS_7, progress);
      assertThat(server.isRegistered(NAME)).isTrue();
      metrics.leave(ORDERS_7);
      assertThat(server.isRegistered(NAME)).isFalse();
      metrics.take(ORDERS_7, progress);
    }
    assertThat(server.isRegistered(NAME)).isFalse();
  }

  @Test
  void ownersOfOneAfterTheOtherDoNotTakeEachOthersBean() {
    try (TopicPartitionMetrics former = new TopicPartitionMetrics("lands", 3);
        TopicPartitionMetrics later = new TopicPartitionMetrics("lands", 3)) {
      former.take(ORDERS_7, progress);
      later.take(ORDERS_7, progress);
      former.leave(ORDERS_7);
      assertThat(server.isRegistered(NAME)).isTrue();
    }
    assertThat(server.isRegistered(NAME)).isFalse();
  }

  @Test
  void whatBecameOfOffsetsIsCounted() throws Exception {
    try (TopicPartitionMetrics metrics = new TopicPartitionMetrics("lands", 3)) {
      metrics.take(ORDERS_7, progress);
      assertThat(number("CommittedOffset")).isEqualTo(-1);
      progress.claimed(100);
      progress.end(160);
      nowMs += 5_000;
      assertThat(number("LagRecords")).isEqualTo(60);
      assertThat(number("LagMs")).isEqualTo(5_000);
      assertThat(number("LastCommitAgeMs")).isEqualTo(5_000);

      progress.discarded(40);
      progress.committed(150, new RecordCounts(41, 1, 2, 5, 1), 3, 4_096);
      assertThat(number("RecordsLanded")).isEqualTo(41);
      assertThat(number("RecordsDeadLettered")).isEqualTo(1);
      assertThat(number("RecordsSkipped")).isEqualTo(2);
      assertThat(number("OffsetsNotDelivered")).isEqualTo(5);
      assertThat(number("OffsetsLost")).isEqualTo(1);
      assertThat(number("FilesLanded")).isEqualTo(3);
      assertThat(number("LandedBytes")).isEqualTo(4_096);
      assertThat(number("BatchesCommitted")).isEqualTo(1);
      assertThat(number("BatchesDiscarded")).isEqualTo(1);
      assertThat(number("OffsetsDiscarded")).isEqualTo(40);
      assertThat(number("CommittedOffset")).isEqualTo(150);
      assertThat(number("EndOffset")).isEqualTo(160);
      assertThat(number("LagRecords")).isEqualTo(10);
      assertThat(number("LastCommitAgeMs")).isZero();
    }
  }

  @Test
  void stateAndItsReasonAreTold() throws Exception {
    try (TopicPartitionMetrics metrics = new TopicPartitionMetrics("lands", 3)) {
      metrics.take(ORDERS_7, progress);
      assertThat(server.getAttribute(NAME, "Health")).isEqualTo(HealthState.WORKING.name());
      progress.waits(
          List.of(
              new Wait(
                  "orders-7",
                  "hdfs://nn:8020",
                  new Diagnosis(Service.STORE, "full", "Raise it.", Optional.of(Refusal.QUOTA)),
                  Instant.EPOCH,
                  Instant.EPOCH,
                  Duration.ZERO)));
      assertThat(server.getAttribute(NAME, "Health")).isEqualTo("REFUSED");
      assertThat(number("HealthCode")).isEqualTo(2);
      assertThat(server.getAttribute(NAME, "HeldBecause"))
          .isEqualTo(
              "the store (store.url hdfs://nn:8020) since 1970-01-01T00:00:00Z: full. Raise it.");
    }
  }

  private long number(String attribute) throws JMException {
    return (long) server.getAttribute(NAME, attribute);
  }
}
