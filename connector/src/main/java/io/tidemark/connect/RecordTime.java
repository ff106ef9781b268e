package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.batch.IncomingRecord;
import java.time.Clock;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;

/** The time of records, by {@code timestamp.extractor}. Called by the task's thread only. */
final class RecordTime {
  private final Optional<Clock> wall;
  private long givenAt = IncomingRecord.NO_TIMESTAMP;

  private RecordTime(Optional<Clock> wall) {
    this.wall = wall;
  }

  static RecordTime of(ConnectorConfig config, Clock wall) {
    return new RecordTime(config.byWallclock() ? Optional.of(wall) : Optional.empty());
  }

  /** Reads the clock: all records of a put() have the same wall-clock time. */
  void putBegins() {
    wall.ifPresent(clock -> givenAt = clock.instant().toEpochMilli());
  }

  /** Returns milliseconds since the epoch, or {@link IncomingRecord#NO_TIMESTAMP}. */
  long of(SinkRecord record) {
    if (wall.isPresent()) {
      return givenAt;
    }
    Long timestamp = record.timestamp();
    return timestamp == null ? IncomingRecord.NO_TIMESTAMP : timestamp;
  }
}
