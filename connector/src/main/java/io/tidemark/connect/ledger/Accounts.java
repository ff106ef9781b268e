package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.Account;
import java.io.IOException;

/** Where tasks put their accounts. Safe for use by many threads and processes. */
@FunctionalInterface
public interface Accounts {

  /**
   * Puts an account, durably.
   *
   * @throws IOException the store is away, and the account may come or not: put it again. That it
   *     comes twice does no harm
   */
  void put(Account account) throws IOException;

  /** Whether a topic is accounted for at all. */
  default boolean countTopic(String topic) {
    return true;
  }
}
