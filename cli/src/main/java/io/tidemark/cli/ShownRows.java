package io.tidemark.cli;

import io.tidemark.cli.deployment.Deployment;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.reckon.Announcer;
import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A read-only announcer that returns which entry the connector's reckoner has shown. It shows
 * nothing itself: the connector shows an operator's entry with its next step.
 */
record ShownRows(LedgerTables tables) implements Announcer {

  ShownRows(Deployment deployment) {
    this(
        new LedgerTables(
            deployment.storage(),
            Optional.empty(),
            AvroFormat.INSTANCE.storageFormat(),
            "default",
            deployment.ledgerRoot(),
            deployment.folders().logId()));
  }

  @Override
  public long highestShown() throws IOException {
    return tables.highestShown();
  }

  @Override
  public Map<HivePartitionId, String> show(
      LedgerState before,
      NumberedEntry<LedgerEntry> entry,
      List<AccountedEntry> taken,
      Map<TableName, ReckonedTable> reckoned,
      boolean again) {
    throw new IllegalStateException("only the connector shows entries, such as " + entry.number());
  }

  @Override
  public void fold(Instant now) {
    throw new IllegalStateException("only the connector folds the rows");
  }
}
