package io.tidemark.cli.status;

import io.tidemark.connect.ledger.Ledger;
import io.tidemark.connect.ledger.entry.HivePartitionTotal;
import io.tidemark.connect.ledger.entry.OpenTotal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The hours of a table, each with what is known of it. Days and hours are UTC's.
 *
 * @param totals of the table's Hive partitions that have a time
 */
record Calendar(Optional<Instant> through, List<HivePartitionTotal> totals) {

  /** A checkpoint forgets totals seven days after their hour, so an older hour is not shown. */
  static final int DAYS = 3;

  private static final Duration HOUR = Duration.ofHours(1);

  Calendar {
    totals = List.copyOf(totals);
  }

  /** What is known of an hour. */
  enum Cell {
    COMPLETE,
    LATE,
    EMPTY,
    WAITING,
    /** Not over, or not begun. */
    OPEN,
    /** Before anything that the ledger has seen. */
    UNSEEN
  }

  /** The calendar of a table. */
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

  /** The first hour that is shown. */
  static Instant start(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(DAYS - 1L));
  }

  /** What is known of the hour that begins then. */
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
    // Without a Hive partition of a time an hour cannot be told empty from full.
    boolean seen = totals.stream().anyMatch(total -> !total.from().orElseThrow().isAfter(hour));
    return seen ? Cell.EMPTY : totals.isEmpty() ? Cell.COMPLETE : Cell.UNSEEN;
  }

  /** How many records of the hour's Hive partitions came late. */
  long late(Instant hour) {
    return totals.stream()
        .filter(total -> total.from().orElseThrow().isBefore(hour.plus(HOUR)))
        .filter(total -> total.until().orElseThrow().isAfter(hour))
        .mapToLong(HivePartitionTotal::late)
        .sum();
  }
}
