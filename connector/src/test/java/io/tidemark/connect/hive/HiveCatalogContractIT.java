package io.tidemark.connect.hive;

import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableCatalogContract;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;

/** The contract of catalogs on a real Metastore. */
@OnSharedStack
class HiveCatalogContractIT extends TableCatalogContract {
  private static LocalStack stack;

  @BeforeAll
  static void takeStack(RealStack real) throws SQLException {
    stack = real.services();
    // If two tests create the database at the same time, the Metastore refuses the second one.
    stack.hive().execute("create database if not exists contract");
  }

  @Override
  protected TableCatalog newCatalog() {
    return new HiveCatalog(
        MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS), Set.of());
  }

  @Override
  protected String storeLocation() {
    return stack.hdfs().uri().toString();
  }
}
