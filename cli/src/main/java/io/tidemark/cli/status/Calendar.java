package io.tidemark.cli.status;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.OpenTotal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The hours of a table, each with its state. Days and hours are in UTC.
 *
 * @param totals the totals of the table's Hive partitions that have a time
 */
record Calendar(Optional<Instant> through, List<HivePartitionTotal> totals) {

  /** The days shown. A checkpoint omits totals seven days after their hour. */
  static final int DAYS = 3;

  private static final Duration HOUR = Duration.ofHours(1);

  Calendar {
    totals = List.copyOf(totals);
  }

  enum Cell {
    COMPLETE,
    LATE,
    EMPTY,
    WAITING,
    /** The hour has not ended. */
    OPEN,
    /** The hour is before the first Hive partition in the ledger. */
    UNSEEN
  }

  static Calendar of(Ledger ledger, Subject table) {
    List<HivePartitionTotal> totals = new ArrayList<>();
    for (OpenTotal open : ledger.totals().values()) {
      HivePartitionTotal total = open.total();
      if (total.table().toString().equals(table.name()) && total.from().isPresent()) {
        totals.add(total);
      }
    }
    return new Calendar(table.through(), totals);
  }

  /** Returns the first hour that is shown. */
  static Instant start(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(DAYS - 1L));
  }

  /** Returns the state of the hour that begins at an instant. */
  Cell cell(Instant hour, Instant now) {
    Instant end = hour.plus(HOUR);
    if (through.filter(time -> !time.isBefore(end)).isEmpty()) {
      return end.isAfter(now) ? Cell.OPEN : Cell.WAITING;
    }
    List<HivePartitionTotal> here =
        totals.stream()
            .filter(total -> total.from().orElseThrow().isBefore(end))
            .filter(total -> total.until().orElseThrow().isAfter(hour))
            .toList();
    if (here.stream().anyMatch(total -> total.late() > 0)) {
      return Cell.LATE;
    }
    if (here.stream().anyMatch(total -> total.records() > 0)) {
      return Cell.COMPLETE;
    }
    // Without a Hive partition of a time, an empty hour cannot be distinguished from a full one.
    boolean seen = totals.stream().anyMatch(total -> !total.from().orElseThrow().isAfter(hour));
    return seen ? Cell.EMPTY : totals.isEmpty() ? Cell.COMPLETE : Cell.UNSEEN;
  }

  /** Returns the number of late records in the hour's Hive partitions. */
  long late(Instant hour) {
    return totals.stream()
        .filter(total -> total.from().orElseThrow().isBefore(hour.plus(HOUR)))
        .filter(total -> total.until().orElseThrow().isAfter(hour))
        .mapToLong(HivePartitionTotal::late)
        .sum();
  }
}
