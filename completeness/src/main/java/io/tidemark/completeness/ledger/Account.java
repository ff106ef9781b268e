package io.tidemark.completeness.ledger;

import io.tidemark.store.log.JsonFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * A task's report of settled entries of commit logs, and of what it is assigned: a file in the
 * ledger's inbox. An entry is settled once its files are published and its Hive partitions are
 * registered.
 *
 * @param worker the worker's process, for people. Example: {@code 4711@w2}
 * @param assigned all topic-partitions that the task has, by topic, also those that it could not
 *     open
 */
public record Account(
    String log,
    int task,
    String worker,
    SortedMap<String, List<Integer>> assigned,
    List<AccountedEntry> entries) {
  /** The files of accounts. {@code docs/PROTOCOL.md}, "The ledger", has an example. */
  public static final JsonFormat<Account> FORMAT =
      JsonFormat.evolving("the account", Account.class, Set.of());

  public Account {
    assigned = Sorted.copyOf(assigned);
    entries = List.copyOf(entries);
  }
}
