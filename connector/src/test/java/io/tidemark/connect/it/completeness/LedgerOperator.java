package io.tidemark.connect.it.completeness;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.reckon.Announcer;
import io.tidemark.completeness.reckon.LedgerFolders;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.connect.StorageFactory;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An operator who acknowledges holds as {@code tidemark repair --acknowledge} does. */
final class LedgerOperator {

  private LedgerOperator() {}

  /**
   * Acknowledges all open holds of a kind while the connector runs.
   *
   * @return the acknowledged holds
   */
  static List<Hold> acknowledge(
      RealStack stack, Deployment connector, HoldKind kind, String reason) {
    StoragePath root = new StoragePath("/ledger");
    LedgerFolders folders = new LedgerFolders(root, connector.name());
    try (Storage storage =
        StorageFactory.open(stack.services().hdfs().uri().toString(), Optional.empty(), Map.of())) {
      LedgerTables shown =
          new LedgerTables(
              storage,
              Optional.empty(),
              AvroFormat.INSTANCE.storageFormat(),
              LandedTable.DATABASE,
              root,
              connector.name());
      LedgerLog log =
          new LedgerLog(
              storage,
              folders,
              connector.name(),
              "operator",
              Clock.systemUTC(),
              Duration.ofMinutes(1));
      return new OperatorRepair(log, new Shown(shown), Clock.systemUTC())
          .acknowledge(hold -> hold.kind() == kind, "operator", reason);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * An announcer that knows what the connector has shown, and leaves further entries to the
   * connector.
   */
  private record Shown(LedgerTables tables) implements Announcer {

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
      throw new AssertionError("entry " + entry.number() + " is the connector's to show");
    }

    @Override
    public void fold(Instant now) {
      throw new AssertionError("the rows are the connector's to fold");
    }
  }
}
