package io.tidemark.store.partition;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;

/**
 * The finest unit of time that a path names. Units begin at multiples of their length in local
 * time. So two local times with equal fields down to this unit are in the same unit.
 *
 * <p>Example: {@code yyyy-MM-dd/HH} names hours, {@code xxxx-'W'ww} names weeks.
 */
enum PathUnit {
  WEEK_YEAR(0, "xZ"),
  WEEK(0, "xwZ"),
  YEAR(0, "GYyZ"),
  MONTH(0, "GYyMZ"),
  DAY(86_400_000, "GYyMxwdDeEZ"),
  HOUR(3_600_000, DAY.letters + "aHkhK"),
  MINUTE(60_000, HOUR.letters + "m"),
  SECOND(1_000, MINUTE.letters + "s"),
  TENTH(100, SECOND.letters + "S"),
  HUNDREDTH(10, TENTH.letters),
  MILLISECOND(1, TENTH.letters);

  private static final long MILLIS_PER_DAY = 86_400_000;

  /** The unit's length in local time, in milliseconds; 0 if the length varies. */
  private final long lengthMs;

  /** The pattern letters whose values are constant throughout one unit. */
  private final String letters;

  PathUnit(long lengthMs, String letters) {
    this.lengthMs = lengthMs;
    this.letters = letters;
  }

  boolean decides(char letter) {
    return letters.indexOf(letter) >= 0;
  }

  /** The start of the unit of a local time, both in milliseconds as if they were in UTC. */
  long start(long localMs) {
    if (lengthMs > 0) {
      return Math.floorDiv(localMs, lengthMs) * lengthMs;
    }
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(localMs, MILLIS_PER_DAY));
    return millis(
        switch (this) {
          case WEEK_YEAR -> monday(date.with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1));
          case WEEK -> monday(date);
          case YEAR -> date.withDayOfYear(1);
          default -> date.withDayOfMonth(1);
        });
  }

  long end(long startMs) {
    if (lengthMs > 0) {
      return startMs + lengthMs;
    }
    LocalDate start = LocalDate.ofEpochDay(Math.floorDiv(startMs, MILLIS_PER_DAY));
    return millis(
        switch (this) {
          case WEEK_YEAR -> start.plus(1, IsoFields.WEEK_BASED_YEARS);
          case WEEK -> start.plus(1, ChronoUnit.WEEKS);
          case YEAR -> start.plus(1, ChronoUnit.YEARS);
          default -> start.plus(1, ChronoUnit.MONTHS);
        });
  }

  private static LocalDate monday(LocalDate date) {
    return date.with(DayOfWeek.MONDAY);
  }

  private static long millis(LocalDate date) {
    return date.toEpochDay() * MILLIS_PER_DAY;
  }
}
