package io.tidemark.connect.hive;

import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableCatalogContract;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of catalogs on a real Metastore. */
class HiveCatalogContractIT extends TableCatalogContract {
  private static LocalStack stack;

  @BeforeAll
  static void startMetastore() throws IOException {
    Path directory = Files.createTempDirectory(Path.of("target"), "metastore-");
    stack = LocalStack.builder().directory(directory).with(Service.METASTORE).start();
  }

  @AfterAll
  static void stopMetastore() {
    stack.close();
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
