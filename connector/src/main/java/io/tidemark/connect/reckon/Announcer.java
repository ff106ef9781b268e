package io.tidemark.connect.reckon;

import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.entry.LedgerEntry;
import io.tidemark.connect.ledger.state.LedgerState;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows entries of the ledger where people and schedulers look. All of it may be done again. Used
 * by one thread.
 */
public interface Announcer {

  /** The largest number of an entry that was shown; 0 where none was. */
  long highestShown() throws IOException;

  /**
   * Shows an entry; they come in the order of their numbers.
   *
   * @param before where the ledger stood before it
   * @param taken the entries of commit logs that it took
   * @param tables those of the configuration, by name
   * @param again whether an earlier reckoner may have begun to show it
   * @return the manifests that the store refuses, by Hive partition, with its words and the cure:
   *     all else was shown
   * @throws IOException the store is away: try again
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException what stands in the catalog is not ours to change
   */
  Map<HivePartitionId, String> show(
      LedgerState before,
      NumberedEntry<LedgerEntry> entry,
      List<AccountedEntry> taken,
      Map<TableName, ReckonedTable> tables,
      boolean again)
      throws IOException, CatalogUnavailableException, CatalogConflictException;

  /**
   * Whether the store takes manifests of a Hive partition by now.
   *
   * @return why not, and the cure; empty where it takes them
   * @throws IOException the store is away: try again
   */
  default Optional<String> refuses(ReckonedTable table, HivePartition hivePartition)
      throws IOException {
    return Optional.empty();
  }

  /** Keeps small what was shown; to be called from time to time. */
  void fold(Instant now) throws IOException, CatalogUnavailableException, CatalogConflictException;
}
