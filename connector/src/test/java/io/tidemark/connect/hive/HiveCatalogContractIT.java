package io.tidemark.connect.hive;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableCatalogContract;
import io.tidemark.stack.LocalStack;
import org.junit.jupiter.api.BeforeAll;

/** The contract of catalogs on a real Metastore. */
@OnRealStack
class HiveCatalogContractIT extends TableCatalogContract {
  private static LocalStack stack;

  @BeforeAll
  static void takeStack(RealStack real) {
    stack = real.services();
  }

  @Override
  protected TableCatalog newCatalog() {
    return new HiveCatalog(
        MetastoreSettings.of(stack.metastore().uris(), System.getProperty("user.name")));
  }

  @Override
  protected String storeLocation() {
    return stack.hdfs().uri().toString();
  }
}
