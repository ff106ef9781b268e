package io.tidemark.completeness.ledger;

import io.tidemark.store.log.JsonFormat;
import java.util.List;
import java.util.Set;

/**
 * A task's report of settled entries of commit logs: a file in the ledger's inbox. An entry is
 * settled once its files are published and its Hive partitions are registered.
 *
 * @param worker the worker's process, for people. Example: {@code 4711@w2}
 */
public record Account(String log, int task, String worker, List<AccountedEntry> entries) {
  /** The files of accounts. {@code docs/PROTOCOL.md}, "The ledger", has an example. */
  public static final JsonFormat<Account> FORMAT =
      JsonFormat.evolving("the account", Account.class, Set.of());

  public Account {
    entries = List.copyOf(entries);
  }
}
