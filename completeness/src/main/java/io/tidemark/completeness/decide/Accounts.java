package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogFolding;
import java.io.IOException;
import java.util.Map;

/** The ledger, as a task sees it. Safe for use by many threads and processes. */
@FunctionalInterface
public interface Accounts {

  /**
   * Puts an account, durably, in place of the task's earlier ones. After an {@link IOException} it
   * may or may not exist: put it again. A second copy does no harm.
   */
  void put(Account account) throws IOException;

  /** Returns up to where the ledger has read logs. */
  default Map<TopicPartition, LogFolding.Released> released() throws IOException {
    return Map.of();
  }

  /** Returns whether entries of a topic are reported in accounts. */
  default boolean countTopic(String topic) {
    return true;
  }
}
