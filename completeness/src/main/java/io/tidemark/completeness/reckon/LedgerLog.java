package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a ledger: numbered entries that are put if absent, as in a commit log. If two
 * reckoners claim a ledger, the later claim wins, and the other reckoner can append no further
 * entry. The log need not exist yet. Safe for use by many threads and processes.
 *
 * @param connector the connector that owns the log directory and its ledger
 * @param worker the worker's process, for people. Example: {@code 4711@w2}
 * @param skewMost the maximum difference between the reckoner's clock and the store's
 */
public record LedgerLog(
    Storage storage,
    LedgerDirectories folders,
    String connector,
    String worker,
    Clock clock,
    Duration skewMost) {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerLog.class);

  private NumberedLog<LedgerEntry> log() {
    return new NumberedLog<>(storage, folders.log(), LedgerEntry.FORMAT);
  }

  private StoreClock storeClock() {
    return new StoreClock(log(), skewMost);
  }

  /** Reads the ledger without claiming it. Snapshots whose writer's clock was wrong are omitted. */
  public Ledger read() throws IOException, CorruptLogException {
    return ledger(log().all());
  }

  private Ledger ledger(List<NumberedEntry<LedgerEntry>> entries) throws IOException {
    Ledger ledger = Ledger.EMPTY;
    for (NumberedEntry<LedgerEntry> entry : entries) {
      ledger = ledger.after(entry);
    }
    return storeClock().withoutWrongTimes(ledger, entries);
  }

  /**
   * Claims the ledger, and creates it if it does not exist. A ledger that was removed or restored
   * may be older than the entries that were shown. It continues above all shown numbers.
   *
   * @param highestShown the largest number of an entry that was shown, read <b>before</b> this
   *     call. Entries are appended before they are shown, so an up-to-date ledger has this number
   * @throws IOException the store is unavailable, and the claim may or may not exist: claim again
   * @throws CorruptLogException an operator must act: the ledger is another connector's, or cannot
   *     be read
   */
  public OwnedLedger.Outcome claim(long highestShown) throws IOException, CorruptLogException {
    storage.makeDirectories(folders.log());
    storage.makeDirectories(folders.inbox());
    // Create the directory now. Otherwise the first operator who puts a request would own it.
    storage.makeDirectories(folders.requests());
    UUID identity = new LogOwner(folders.logId(), connector).establish(storage, folders.ledger());
    NumberedLog<LedgerEntry> log = log();
    List<NumberedEntry<LedgerEntry>> entries = log.all();
    Ledger ledger = ledger(entries);
    if (ledger.number() < highestShown) {
      LOG.warn(
          "{}{}: the ledger ends at entry {}, but entry {} was shown. The ledger was removed, or restored from an older copy. It continues above that number; missing entries are read from the commit logs.",
          storage.location(),
          folders.log(),
          ledger.number(),
          highestShown);
      // Numbers are never reused, because names of shown files contain them.
      log.fold(
          highestShown + 1,
          ledger.shownThrough(highestShown + 1).checkpoint(UUID.randomUUID(), clock.instant()));
      entries = log.all();
      ledger = ledger(entries);
    }
    LedgerEntry claim =
        new LedgerEntry.Claim(
            UUID.randomUUID(),
            ledger.state().withoutPositions(),
            clock.instant(),
            connector,
            worker);
    OwnedLedger.Outcome outcome =
        new OwnedLedger(
                log, storeClock(), ledger, unshown(entries), log.checkpoint(), StoreClock.UNKNOWN)
            .append(claim);
    boolean claimed = outcome instanceof OwnedLedger.Outcome.Owned;
    LOG.debug("{}: claimed, UUID {}: {}", folders.ledger(), identity, claimed);
    if (claimed) {
      log.removeLeftovers(ledger.number() + 1);
    }
    return outcome;
  }

  /** Returns the entries that an earlier reckoner has possibly not shown. */
  private static List<OwnedLedger.Unshown> unshown(List<NumberedEntry<LedgerEntry>> entries) {
    Ledger before = Ledger.EMPTY;
    List<OwnedLedger.Unshown> all = new ArrayList<>();
    for (NumberedEntry<LedgerEntry> entry : entries) {
      all.add(new OwnedLedger.Unshown(before, entry));
      before = before.after(entry);
    }
    long shown = before.state().shownThrough();
    return all.stream()
        .filter(each -> each.entry().number() > shown && !each.entry().entry().isCheckpoint())
        .toList();
  }
}
