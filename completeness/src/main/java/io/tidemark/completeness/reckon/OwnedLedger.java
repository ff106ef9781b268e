package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The state of a claimed ledger after its last entry. Immutable: each step returns the next object,
 * and the former object must not be used again.
 *
 * <p>If a call fails, or another reckoner has appended, drop this object and claim the ledger
 * again: reading it shows whether the last entry exists. So unknown outcomes need nothing else.
 *
 * @param unshown the entries that are possibly not shown yet, in order
 * @param folded the number of the checkpoint, or 0
 * @param clocks this reckoner's clock and the store's at the last entry
 */
public record OwnedLedger(
    NumberedLog<LedgerEntry> log,
    StoreClock storeClock,
    Ledger ledger,
    List<Unshown> unshown,
    long folded,
    StoreClock.Compared clocks) {

  /** Number of entries after a checkpoint at which they are folded. */
  static final int ENTRIES_MOST = 200;

  public OwnedLedger {
    unshown = List.copyOf(unshown);
  }

  /** An entry to show, and the ledger before: so it shows which accounts the entry read. */
  public record Unshown(Ledger before, NumberedEntry<LedgerEntry> entry) {}

  /** Returns whether the clocks agreed at the last entry. If not, take no snapshot. */
  public boolean clockAgrees() {
    return clocks.agree();
  }

  /** Returns the store's time of the last entry; empty if another reckoner has folded it. */
  public Optional<Instant> storeTime() {
    return clocks.stored();
  }

  /**
   * Returns whether another reckoner has appended an entry after this one's last entry. A reckoner
   * that appends nothing would otherwise not detect this.
   */
  public boolean fenced() throws IOException {
    return log.file(ledger.number() + 1).isPresent();
  }

  /** The result of a claim or another append. */
  public sealed interface Outcome {

    /** The entry is in the ledger, which this reckoner owns until another reckoner claims it. */
    record Owned(OwnedLedger ledger) implements Outcome {}

    /** Another reckoner owns the ledger, so the entry does not count: claim it again. */
    record Fenced(String reason) implements Outcome {}
  }

  /** Appends an entry. After an {@link IOException} claim the ledger again: it may be there. */
  public Outcome append(LedgerEntry entry) throws IOException, CorruptLogException {
    long number = ledger.number() + 1;
    AppendOutcome<LedgerEntry> outcome = log.append(number, entry);
    if (outcome instanceof AppendOutcome.Appended<LedgerEntry> appended
        && appended.fencedBy().isEmpty()) {
      List<Unshown> more = new ArrayList<>(unshown);
      more.add(new Unshown(ledger, appended.entry()));
      StoreClock.Compared compared = storeClock.compare(appended.entry());
      Ledger after = ledger.after(appended.entry());
      return new Outcome.Owned(
          new OwnedLedger(
              log,
              storeClock,
              compared.agree() ? after : after.withoutSnapshot(number),
              more,
              folded,
              compared));
    }
    String why = " was withdrawn";
    if (outcome instanceof AppendOutcome.Appended<LedgerEntry> appended) {
      why =
          " was appended, but another reckoner has claimed the ledger: "
              + appended.fencedBy().map(OwnedLedger::writer).orElse("");
    } else if (outcome instanceof AppendOutcome.Collided<LedgerEntry> collided) {
      why = " is another reckoner's: " + writer(collided.winner());
    }
    return new Outcome.Fenced(log.directory() + ": entry " + number + why);
  }

  private static String writer(NumberedEntry<LedgerEntry> entry) {
    if (entry.entry() instanceof LedgerEntry.Claim claim) {
      return "claimed by " + claim.connector() + " on " + claim.worker();
    }
    if (entry.entry() instanceof LedgerEntry.Acknowledge acknowledge) {
      return "an acknowledgement by " + acknowledge.operator();
    }
    return entry.entry().isCheckpoint()
        ? "a checkpoint"
        : entry.entry().asSnapshot().isPresent() ? "a snapshot" : "a reckoning";
  }

  /**
   * Returns this ledger after its entries up to {@code number} were shown, which the next entry
   * records; for each refused manifest there are the store's message and the cure.
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
   * Folds, if there are many entries and all of them were shown. A reckoner that was fenced
   * meanwhile may also fold: its checkpoint has the same content as the entries.
   */
  public OwnedLedger fold(Instant now) throws IOException {
    if (ledger.number() - folded < ENTRIES_MOST || !unshown.isEmpty()) {
      return this;
    }
    log.fold(ledger.number(), ledger.checkpoint(UUID.randomUUID(), now));
    return new OwnedLedger(log, storeClock, ledger, unshown, ledger.number(), clocks);
  }
}
