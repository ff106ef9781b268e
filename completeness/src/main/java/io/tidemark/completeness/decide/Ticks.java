package io.tidemark.completeness.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Computes the times through which tables can be complete, and when to take a snapshot for each
 * time.
 */
public final class Ticks {
  private Ticks() {}

  /**
   * Returns the newest time for which a snapshot is due now. Earlier times need no separate
   * snapshot, because a later snapshot includes them.
   *
   * @param ends the ends of Hive partitions, in addition to the multiples of the interval
   * @param last the newest time for which a snapshot was taken
   */
  public static Optional<Instant> due(
      Duration interval,
      Duration lateness,
      Collection<Instant> ends,
      Optional<Instant> last,
      Instant now) {
    Instant latest = now.minus(lateness);
    long length = interval.toMillis();
    Instant due = Instant.ofEpochMilli(Math.floorDiv(latest.toEpochMilli(), length) * length);
    for (Instant end : ends) {
      if (!end.isAfter(latest) && end.isAfter(due)) {
        due = end;
      }
    }
    return last.isPresent() && !due.isAfter(last.get()) ? Optional.empty() : Optional.of(due);
  }

  /**
   * Returns the newest time for which a snapshot was taken, unless it is in the future. A clock
   * that was ahead and was corrected would otherwise delay the next snapshot.
   */
  public static Optional<Instant> believable(Optional<Instant> last, Instant now) {
    return last.filter(time -> !time.isAfter(now));
  }
}
