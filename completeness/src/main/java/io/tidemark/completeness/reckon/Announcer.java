package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows entries of the ledger to other programs, as manifests, rows of Hive tables and events. An
 * entry may be shown repeatedly. Not thread-safe.
 */
public interface Announcer {

  /** Returns the largest number of an entry that was shown; 0 if no entry was shown. */
  long highestShown() throws IOException;

  /**
   * Shows an entry. Entries are passed in the order of their numbers.
   *
   * @param before the state of the ledger before the entry
   * @param taken the entries of commit logs that the entry took
   * @param tables the configured tables by name
   * @param again whether an earlier reckoner may have begun to show the entry
   * @return manifests that the store refuses, by Hive partition, with the store's message and the
   *     cure. The rest of the entry was shown
   * @throws IOException the store is unavailable: retry
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the catalog has an object of another owner
   */
  Map<HivePartitionId, String> show(
      LedgerState before,
      NumberedEntry<LedgerEntry> entry,
      List<AccountedEntry> taken,
      Map<TableName, ReckonedTable> tables,
      boolean again)
      throws IOException, CatalogUnavailableException, CatalogConflictException;

  /**
   * Returns whether the store still refuses manifests of a Hive partition.
   *
   * @return the reason and the cure; empty if the store accepts them
   * @throws IOException the store is unavailable: retry
   */
  default Optional<String> refuses(ReckonedTable table, HivePartition hivePartition)
      throws IOException {
    return Optional.empty();
  }

  /**
   * Folds the files of older shown entries, and removes the folded files. Call this method
   * regularly.
   */
  void fold(Instant now) throws IOException, CatalogUnavailableException, CatalogConflictException;
}
