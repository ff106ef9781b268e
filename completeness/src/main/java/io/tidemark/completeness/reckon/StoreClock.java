package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clocks of reckoners with the store's. If a reckoner's clock was ahead, its snapshot
 * would report hours as complete that have not begun. So such a snapshot is ignored. Immutable.
 */
record StoreClock(NumberedLog<LedgerEntry> log, Duration skewMost) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);

  /** When the store had an entry, empty if it is folded; and whether the writer's clock agreed. */
  record Compared(Optional<Instant> stored, boolean agree) {}

  static final Compared UNKNOWN = new Compared(Optional.empty(), false);

  Compared compare(NumberedEntry<LedgerEntry> entry) throws IOException {
    Optional<Instant> stored =
        log.file(entry.number()).map(StoredFile::modifiedMs).map(Instant::ofEpochMilli);
    if (stored.isEmpty()) {
      return UNKNOWN;
    }
    Instant written = entry.entry().writtenAt();
    Optional<Instant> ahead =
        entry
            .entry()
            .asSnapshot()
            .map(Snapshot::askedAt)
            .filter(asked -> asked.isAfter(stored.get().plus(skewMost)));
    boolean agrees =
        Duration.between(written, stored.get()).abs().compareTo(skewMost) <= 0 && ahead.isEmpty();
    if (!agrees) {
      LOG.warn(
          "{}: entry {} was written at {} by the reckoner's clock and at {} by the store's clock; at most {} ms of difference are allowed. One of the clocks is wrong. Snapshots with a wrong time are ignored, and no snapshot is taken until the clocks agree. Correct the clocks of the workers and of the store, or raise completeness.clock.skew.ms.",
          log.directory(),
          entry.number(),
          ahead.orElse(written),
          stored.get(),
          skewMost.toMillis());
    }
    return new Compared(stored, agrees);
  }

  Ledger withoutWrongTimes(Ledger ledger, List<NumberedEntry<LedgerEntry>> entries)
      throws IOException {
    Ledger left = ledger;
    for (NumberedEntry<LedgerEntry> entry : entries) {
      if (entry.entry().asSnapshot().isPresent()
          && ledger.snapshots().containsKey(entry.number())
          && !compare(entry).agree()) {
        left = left.withoutSnapshot(entry.number());
      }
    }
    return left;
  }
}
