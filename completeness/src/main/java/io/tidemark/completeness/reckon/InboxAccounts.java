package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogFolding;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The accounts of one task in a ledger's inbox. The newest two files stay: a reckoner may read the
 * one that the newest replaces. Others that the task leaves behind are deleted by the reckoner.
 */
public final class InboxAccounts implements Accounts {
  private static final int KEPT = 2;

  private final Inbox inbox;
  private final ReleasedLogs released;
  private final Clock clock;
  private final Predicate<String> counted;
  private final Deque<StoragePath> put = new ArrayDeque<>();

  /** Creates the accounts of a task; {@code counted} are the topics that the ledger has. */
  public InboxAccounts(
      Storage storage, LedgerDirectories folders, Clock clock, Predicate<String> counted) {
    this.inbox = new Inbox(storage, folders, 0, 0);
    this.released = new ReleasedLogs(storage, folders);
    this.clock = clock;
    this.counted = counted;
  }

  @Override
  public synchronized void put(Account account) throws IOException {
    put.addLast(inbox.put(account, clock.instant()));
    while (put.size() > KEPT) {
      inbox.delete(List.of(put.getFirst()));
      put.removeFirst();
    }
  }

  @Override
  public Map<TopicPartition, LogFolding.Released> released() throws IOException {
    return released.read();
  }

  @Override
  public boolean countTopic(String topic) {
    return counted.test(topic);
  }
}
