package io.tidemark.connect.ledger.store;

import io.tidemark.connect.commit.LogOwner;
import io.tidemark.connect.ledger.Ledger;
import io.tidemark.connect.ledger.entry.LedgerEntry;
import io.tidemark.connect.ledger.entry.LedgerEntryFormat;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.log.AppendOutcome;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.storage.log.NumberedLog;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of one log: numbered entries that are put if absent, as in a commit log. Of two
 * reckoners the one that claims later goes on, and the other one can append nothing more. Safe for
 * use by many threads and processes.
 */
public final class LedgerLog {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerLog.class);

  private final Storage storage;
  private final LedgerFolders folders;
  private final LogOwner owner;
  private final String worker;
  private final Clock clock;
  private final NumberedLog<LedgerEntry> log;
  private final StoreClock storeClock;

  /**
   * The ledger, which need not be there yet.
   *
   * @param connector whose log and ledger it is
   * @param worker the worker's process, for people. Example: {@code 4711@w2}
   * @param clock the wall clock, for the times in entries
   * @param skewMost how far the reckoner's clock and the store's may be apart
   */
  public LedgerLog(
      Storage storage,
      LedgerFolders folders,
      String connector,
      String worker,
      Clock clock,
      Duration skewMost) {
    this.storage = storage;
    this.folders = folders;
    this.owner = new LogOwner(folders.logId(), connector);
    this.worker = worker;
    this.clock = clock;
    this.log = new NumberedLog<>(storage, folders.log(), LedgerEntryFormat.INSTANCE);
    this.storeClock = new StoreClock(log, skewMost);
  }

  /** The ledger as it stands, without a claim; without snapshots that are not to be believed. */
  public Ledger read() throws IOException, CorruptLogException {
    return ledger(log.all());
  }

  private Ledger ledger(List<NumberedEntry<LedgerEntry>> entries) throws IOException {
    Ledger ledger = Ledger.EMPTY;
    for (NumberedEntry<LedgerEntry> entry : entries) {
      ledger = ledger.after(entry);
    }
    return storeClock.believed(ledger, entries);
  }

  /** What became of a claim. */
  public sealed interface Claim {

    /** The ledger is ours, until somebody else claims it. */
    record Won(OwnedLedger ledger) implements Claim {}

    /**
     * Nothing was claimed.
     *
     * @param reason for logs. Example: {@code entry 42 of the ledger is another reckoner's}
     */
    record Lost(String reason) implements Claim {}
  }

  /**
   * Takes the ledger. Makes it where missing; one that is older than what it has shown, because it
   * was removed or restored, goes on above all that was shown.
   *
   * @param highestShown the largest number of an entry that was shown, as it was <b>before</b> this
   *     call: all that is shown is appended before, so an up-to-date ledger has it
   * @throws IOException the store is away, and the claim may stand: claim again
   * @throws CorruptLogException an operator must act; the ledger is another connector's, or cannot
   *     be read
   */
  public Claim claim(long highestShown) throws IOException, CorruptLogException {
    storage.makeDirectories(folders.log());
    storage.makeDirectories(folders.inbox());
    // Else the first operator that puts a request would own the directory.
    storage.makeDirectories(folders.requests());
    boolean identified = owner.establish(storage, folders.ledger()).isPresent();
    List<NumberedEntry<LedgerEntry>> entries = log.all();
    Ledger ledger = ledger(entries);
    if (ledger.number() < highestShown) {
      LOG.warn(
          "{}{}: the ledger ends at entry {}, and entry {} was shown: it was removed, or restored from an older copy. It goes on from what it has, above that number; what is missing is read from the commit logs.",
          storage.location(),
          folders.log(),
          ledger.number(),
          highestShown);
      goOnAbove(highestShown, ledger);
      entries = log.all();
      ledger = ledger(entries);
    }
    LedgerEntry claim =
        new LedgerEntry.Claim(
            UUID.randomUUID(),
            ledger.state().withoutPositions(),
            clock.instant(),
            owner.connector(),
            worker);
    AppendOutcome<LedgerEntry> outcome = log.append(ledger.number() + 1, claim);
    LOG.debug("{}: claimed, identified {}: {}", folders.ledger(), identified, outcome);
    if (outcome instanceof AppendOutcome.Appended<LedgerEntry> appended
        && appended.fencedBy().isEmpty()) {
      log.removeLeftovers(appended.entry().number());
      return new Claim.Won(
          new OwnedLedger(
              log,
              storeClock,
              ledger.after(appended.entry()),
              unshown(entries, appended.entry()),
              log.checkpoint(),
              storeClock.compare(appended.entry())));
    }
    return new Claim.Lost(OwnedLedger.reason(folders.log(), ledger.number() + 1, outcome));
  }

  /** Numbers are never used again: what was shown under one of them is named by it. */
  private void goOnAbove(long highestShown, Ledger ledger) throws IOException {
    log.fold(
        highestShown + 1,
        ledger.shownThrough(highestShown + 1).checkpoint(UUID.randomUUID(), clock.instant()));
  }

  /** The entries that an earlier reckoner may not have shown, each with the ledger before it. */
  private static List<OwnedLedger.Unshown> unshown(
      List<NumberedEntry<LedgerEntry>> entries, NumberedEntry<LedgerEntry> claim) {
    Ledger before = Ledger.EMPTY;
    List<OwnedLedger.Unshown> all = new ArrayList<>();
    for (NumberedEntry<LedgerEntry> entry : entries) {
      all.add(new OwnedLedger.Unshown(before, entry));
      before = before.after(entry);
    }
    all.add(new OwnedLedger.Unshown(before, claim));
    long shown = before.state().shownThrough();
    return all.stream()
        .filter(each -> each.entry().number() > shown && !each.isCheckpoint())
        .toList();
  }
}
