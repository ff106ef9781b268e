package io.tidemark.connect.ledger.store;

import io.tidemark.connect.ledger.Ledger;
import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.entry.LedgerEntry;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.AppendOutcome;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.storage.log.NumberedLog;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A ledger that this reckoner has claimed, after an entry. Immutable: each step returns the next
 * one, and the one before is used no more.
 *
 * <p>When a call fails, or somebody else has appended, this is dropped and the ledger is claimed
 * again: reading it then shows whether the last entry stands. So no outcome has to be settled.
 */
public final class OwnedLedger {

  /** So many entries stand after a checkpoint before they are folded. */
  static final int ENTRIES_MOST = 200;

  private final NumberedLog<LedgerEntry> log;
  private final StoreClock storeClock;
  private final Ledger ledger;
  private final List<Unshown> unshown;
  private final long folded;
  private final StoreClock.Compared clocks;

  /**
   * A claimed ledger.
   *
   * @param unshown the entries that were perhaps not shown, in order
   * @param folded the number of the checkpoint, or 0
   * @param clocks this reckoner's and the store's at the last entry
   */
  OwnedLedger(
      NumberedLog<LedgerEntry> log,
      StoreClock storeClock,
      Ledger ledger,
      List<Unshown> unshown,
      long folded,
      StoreClock.Compared clocks) {
    this.log = log;
    this.storeClock = storeClock;
    this.ledger = ledger;
    this.unshown = List.copyOf(unshown);
    this.folded = folded;
    this.clocks = clocks;
  }

  /**
   * An entry that is to be shown.
   *
   * @param before the ledger before it, by which it is known what the entry took
   */
  public record Unshown(Ledger before, NumberedEntry<LedgerEntry> entry) {

    boolean isCheckpoint() {
      return entry
          .entry()
          .match(
              claim -> false,
              snapshot -> false,
              reckoning -> false,
              acknowledge -> false,
              checkpoint -> true);
    }
  }

  public Ledger ledger() {
    return ledger;
  }

  /**
   * Whether this reckoner's clock agreed with the store's at the last entry. If not, no snapshot is
   * to be taken.
   */
  public boolean clockAgrees() {
    return clocks.agree();
  }

  /** The store's time when the last entry was put; empty where it is folded by another reckoner. */
  public Optional<Instant> storeTime() {
    return clocks.stored();
  }

  /** The entries that are to be shown, in order. */
  public List<Unshown> unshown() {
    return unshown;
  }

  /**
   * Whether somebody has appended since: a reckoner that waits would not notice, because it appends
   * nothing.
   */
  public boolean overtaken() throws IOException {
    return log.file(ledger.number() + 1).isPresent();
  }

  /** What became of an entry. */
  public sealed interface Append {

    /** It stands. */
    record Appended(OwnedLedger ledger) implements Append {}

    /** It does not count, and the ledger is no more ours: claim it again. */
    record Fenced(String reason) implements Append {}
  }

  /**
   * Appends an entry.
   *
   * @throws IOException the entry may or may not stand: claim the ledger again
   */
  public Append append(LedgerEntry entry) throws IOException, CorruptLogException {
    long number = ledger.number() + 1;
    AppendOutcome<LedgerEntry> outcome = log.append(number, entry);
    if (outcome instanceof AppendOutcome.Appended<LedgerEntry> appended
        && appended.fencedBy().isEmpty()) {
      List<Unshown> more = new ArrayList<>(unshown);
      more.add(new Unshown(ledger, appended.entry()));
      StoreClock.Compared compared = storeClock.compare(appended.entry());
      Ledger after = ledger.after(appended.entry());
      return new Append.Appended(
          new OwnedLedger(
              log,
              storeClock,
              compared.agree() ? after : after.withoutSnapshot(number),
              more,
              folded,
              compared));
    }
    return new Append.Fenced(reason(log.directory(), number, outcome));
  }

  static String reason(StoragePath log, long number, AppendOutcome<LedgerEntry> outcome) {
    String place = log + ": entry " + number;
    if (outcome instanceof AppendOutcome.Appended<LedgerEntry> appended) {
      return place
          + " stands, and another reckoner has claimed the ledger: "
          + appended.fencedBy().map(OwnedLedger::writer).orElse("");
    }
    if (outcome instanceof AppendOutcome.Collided<LedgerEntry> collided) {
      return place + " is another reckoner's: " + writer(collided.winner());
    }
    return place + " was taken back";
  }

  private static String writer(NumberedEntry<LedgerEntry> entry) {
    return entry
        .entry()
        .match(
            claim -> "claimed by " + claim.connector() + " on " + claim.worker(),
            snapshot -> "a snapshot",
            reckoning -> "a reckoning",
            acknowledge -> "an acknowledgement by " + acknowledge.operator(),
            checkpoint -> "a checkpoint");
  }

  /**
   * This ledger when its entries up to a number were shown; the next entry says so.
   *
   * @param refused the manifests that the store has refused, with its words and the cure
   */
  public OwnedLedger shown(long number, Map<HivePartitionId, String> refused) {
    return new OwnedLedger(
        log,
        storeClock,
        ledger.shownThrough(number).refusing(refused),
        unshown.stream().filter(each -> each.entry().number() > number).toList(),
        folded,
        clocks);
  }

  /**
   * Folds, where there are many entries and all of them were shown. A reckoner that was fenced
   * meanwhile may fold, too: its checkpoint says what the entries say.
   */
  public OwnedLedger fold(Instant now) throws IOException {
    if (ledger.number() - folded < ENTRIES_MOST || !unshown.isEmpty()) {
      return this;
    }
    log.fold(ledger.number(), ledger.checkpoint(UUID.randomUUID(), now));
    return new OwnedLedger(log, storeClock, ledger, unshown, ledger.number(), clocks);
  }
}
