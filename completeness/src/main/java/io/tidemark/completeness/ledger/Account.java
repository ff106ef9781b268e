package io.tidemark.completeness.ledger;

import java.util.List;

/**
 * A task's report of settled entries of commit logs: a file in the ledger's inbox. An entry is
 * settled once its files are published and its Hive partitions are registered.
 *
 * @param log the name of the log directory, {@code log.id}. Example: {@code sales}
 * @param task the number of the task in its connector, for people
 * @param worker the worker's process, for people. Example: {@code 4711@w2}
 */
public record Account(String log, int task, String worker, List<AccountedEntry> entries) {

  public Account {
    entries = List.copyOf(entries);
  }
}
