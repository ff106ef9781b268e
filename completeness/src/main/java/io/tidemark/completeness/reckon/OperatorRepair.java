package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Acknowledgement;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;

/**
 * Changes a ledger on behalf of an operator: acknowledges holds, and releases or retires topics.
 * The repair claims the ledger as a reckoner does. A running connector claims the ledger back after
 * its next step. Not thread-safe.
 *
 * @param log the log of the connector's ledger, with the connector's name
 * @param tables from which the highest number of a shown entry is read
 */
public record OperatorRepair(LedgerLog log, LedgerTables tables, Clock clock) {
  private static final int CLAIMS = 5;

  public List<Hold> open() throws IOException, CorruptLogException {
    return log.read().state().holds().stream().filter(Hold::open).toList();
  }

  /**
   * Checks what {@link #apply} would append; changes nothing.
   *
   * @throws IllegalArgumentException as {@link Acknowledgement#check}
   */
  public void check(Acknowledgement wanted) throws IOException, CorruptLogException {
    wanted.check(log.read());
  }

  /**
   * Appends one entry with all acknowledgements, releases and retirements, or nothing. A snapshot
   * that is being taken cannot count as later than a retirement: the claim before the entry fences
   * its reckoner.
   *
   * @return the holds that were acknowledged
   * @throws IllegalArgumentException as {@link Acknowledgement#check}
   * @throws IOException the store is unavailable, or reckoners claimed the ledger each time: retry
   */
  public List<Hold> apply(Acknowledgement wanted) throws IOException, CorruptLogException {
    String fenced = "";
    for (int claims = 0; claims < CLAIMS; claims++) {
      // Check before claiming: a mistake then changes nothing in the ledger.
      check(wanted);
      OwnedLedger.Outcome outcome = log.claim(tables.highestShown());
      if (outcome instanceof OwnedLedger.Outcome.Owned owned) {
        LedgerEntry.Acknowledge entry =
            wanted.entry(
                owned.ledger().ledger(),
                UUID.randomUUID(),
                // Compared with the store's times of accounts.
                owned.ledger().storeTime().orElse(clock.instant()));
        outcome = owned.ledger().append(entry);
        if (outcome instanceof OwnedLedger.Outcome.Owned) {
          return entry.holds();
        }
      }
      if (outcome instanceof OwnedLedger.Outcome.Fenced other) {
        fenced = other.reason();
      }
    }
    throw new IOException(
        "a reckoner claimed the ledger after each of %d attempts, so nothing was acknowledged: %s. Try again."
            .formatted(CLAIMS, fenced));
  }
}
