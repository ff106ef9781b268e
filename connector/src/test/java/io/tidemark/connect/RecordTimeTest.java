package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.batch.IncomingRecord;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordTimeTest {

  /** A clock that advances by a second at each reading. */
  private static final class Ticking extends Clock {
    private long seconds;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(++seconds);
    }
  }

  @Test
  void timeIsKafkasUnlessItIsTheClocks() {
    RecordTime byRecord = RecordTime.of(config(Map.of()), new Ticking());
    byRecord.putBegins();

    assertThat(byRecord.of(record(42L))).isEqualTo(42);
    assertThat(byRecord.of(record(null))).isEqualTo(IncomingRecord.NO_TIMESTAMP);
  }

  @Test
  void recordsOfOnePutHaveOneTime() {
    RecordTime byClock =
        RecordTime.of(
            config(
                Map.of(
                    "partitioner.class", "DailyPartitioner", "timestamp.extractor", "Wallclock")),
            new Ticking());
    byClock.putBegins();
    assertThat(byClock.of(record(42L))).isEqualTo(1_000);
    assertThat(byClock.of(record(null))).isEqualTo(1_000);

    byClock.putBegins();
    assertThat(byClock.of(record(42L))).isEqualTo(2_000);
  }

  private static ConnectorConfig config(Map<String, String> differing) {
    Map<String, String> config =
        new HashMap<>(
            Map.of(
                "store.url", "hdfs://namenode:8020",
                "kafka.bootstrap.servers", "kafka:9092",
                "schema.registry.url", "http://registry:8081"));
    config.putAll(differing);
    return new ConnectorConfig(config);
  }

  private static SinkRecord record(@Nullable Long timestamp) {
    return new SinkRecord(
        "quotes", 0, null, null, null, new byte[0], 7, timestamp, TimestampType.CREATE_TIME);
  }
}
