package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Account;
import java.io.IOException;

/** The destination of tasks' accounts. Safe for use by many threads and processes. */
@FunctionalInterface
public interface Accounts {

  /**
   * Puts an account, durably.
   *
   * @throws IOException the store is unavailable, and the account may or may not exist: put it
   *     again. A second copy does no harm
   */
  void put(Account account) throws IOException;

  /** Returns whether entries of a topic are reported in accounts. */
  default boolean countTopic(String topic) {
    return true;
  }
}
