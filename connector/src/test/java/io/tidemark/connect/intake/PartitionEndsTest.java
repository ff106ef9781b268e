package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PartitionEndsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void taskIsDueFiveSecondsAfterTheLateness() {
    assertThat(due(0, "2026-11-21T08:20:00Z")).isEqualTo("2026-11-21T09:01:05Z");
  }

  @Test
  void tasksAreApart() {
    assertThat(due(3, "2026-11-21T08:20:00Z")).isEqualTo("2026-11-21T09:01:05.600Z");
    assertThat(due(25, "2026-11-21T08:20:00Z")).isEqualTo("2026-11-21T09:01:05Z");
  }

  @Test
  void endIsDueOnce() {
    assertThat(due(0, "2026-11-21T09:01:04.999Z")).isEqualTo("2026-11-21T09:01:05Z");
    assertThat(due(0, "2026-11-21T09:01:05Z")).isEqualTo("2026-11-21T10:01:05Z");
  }

  /** When Berlin's clocks are set back, one Hive partition contains two hours. */
  @Test
  void hourThatComesTwiceEndsOnce() {
    assertThat(due(0, "2026-10-25T00:30:00Z")).isEqualTo("2026-10-25T02:01:05Z");
  }

  @Test
  void pathsThatComeAgainHaveNoEnd() {
    assertThat(PartitionEnds.of(List.of(table("'hour'=HH")), 0, 0)).isEmpty();
  }

  @Test
  void negativeLatenessIsRefused() {
    assertThatThrownBy(() -> PartitionEnds.of(List.of(table("'dt'=yyyy-MM-dd")), -1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 ms");
  }

  private static String due(int task, String now) {
    PartitionEnds ends =
        PartitionEnds.of(List.of(table("'dt'=yyyy-MM-dd/'hour'=HH")), 60_000, task).orElseThrow();
    return Instant.ofEpochMilli(ends.dueAfter(Instant.parse(now).toEpochMilli()).orElseThrow())
        .toString();
  }

  private static TimePartitioned table(String format) {
    return new TimePartitioned(
        PathFormat.parse(format, Locale.ROOT),
        BERLIN,
        Duration.ofHours(1),
        Optional.empty(),
        TimestampField.Unit.MILLIS);
  }
}
