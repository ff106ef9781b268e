package io.tidemark.completeness.ledger;

import io.tidemark.store.log.JsonFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * A task's report of what it is assigned, and up to where its commit logs are settled: a file in
 * the ledger's inbox. It replaces the task's earlier accounts.
 *
 * @param worker the worker's process, for people. Example: {@code 4711@w2}
 * @param assigned all topic-partitions that the task has, by topic, also those that are not open
 * @param waits the task's waits that may need an operator, for people. Earlier builds wrote none
 */
public record Account(
    String log,
    int task,
    String worker,
    SortedMap<String, List<Integer>> assigned,
    List<LogPointer> logs,
    List<String> waits) {
  /** The files of accounts. {@code docs/LEDGER.md} has an example. */
  public static final JsonFormat<Account> FORMAT =
      JsonFormat.evolving("the account", Account.class, Set.of()).withOptionalList("waits");

  public Account {
    assigned = Sorted.copyOf(assigned);
    logs = List.copyOf(logs);
    waits = List.copyOf(waits);
  }
}
