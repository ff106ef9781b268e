package io.tidemark.connect.announce;

import io.tidemark.connect.ledger.entry.AccountedEntry;
import io.tidemark.connect.ledger.entry.LedgerEntry;
import io.tidemark.connect.storage.log.NumberedEntry;
import java.io.IOException;
import java.util.List;

/**
 * Where other programs hear of batches and completions. At least once: the ledger's number tells
 * copies.
 */
@FunctionalInterface
public interface Events {

  /**
   * Sends what an entry says; returns once it is durable.
   *
   * @param taken the entries of commit logs that it took
   * @throws IOException it may have been sent or not: it is sent again
   */
  void send(NumberedEntry<LedgerEntry> entry, List<AccountedEntry> taken) throws IOException;
}
