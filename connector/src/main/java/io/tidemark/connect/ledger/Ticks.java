package io.tidemark.connect.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** The times through which something can be complete, and when Kafka is asked about them. */
public final class Ticks {
  private Ticks() {}

  /**
   * The newest time for which Kafka is to be asked now. Earlier ones need no question of their own:
   * a later snapshot shows them, too.
   *
   * @param ends of Hive partitions, beside the multiples of the interval
   * @param last the newest time that was asked for
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
   * The newest time that was asked for, where it is not in the future: a clock that was ahead, and
   * was set back, would else ask nothing for as long.
   */
  public static Optional<Instant> believable(Optional<Instant> last, Instant now) {
    return last.filter(time -> !time.isAfter(now));
  }
}
