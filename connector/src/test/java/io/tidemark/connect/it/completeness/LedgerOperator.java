package io.tidemark.connect.it.completeness;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.completeness.reckon.OperatorRepairs;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
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
    LedgerDirectories folders = new LedgerDirectories(new StoragePath("/ledger"), connector.name());
    try (Storage storage =
        new HdfsConnection(
                stack.services().hdfs().uri(),
                Optional.empty(),
                Map.of(),
                HadoopUser.OF_THE_PROCESS)
            .open()) {
      LedgerTables shown =
          new LedgerTables(storage, Optional.empty(), LandedTable.DATABASE, folders);
      LedgerLog log =
          new LedgerLog(
              storage,
              folders,
              connector.name(),
              "operator",
              Clock.systemUTC(),
              Duration.ofMinutes(1));
      return OperatorRepairs.acknowledge(
          new OperatorRepair(log, shown, Clock.systemUTC()),
          hold -> hold.kind() == kind,
          "operator",
          reason);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CorruptLogException e) {
      throw new AssertionError(e);
    }
  }
}
