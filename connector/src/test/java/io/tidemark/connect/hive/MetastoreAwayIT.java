package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The catalog while the Metastore is unavailable for a time. */
@OnRealStack
class MetastoreAwayIT {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredLong("id").endRecord();

  private LocalStack stack;
  private Storage storage;
  private HiveCatalog catalog;
  private TableName name;

  @BeforeEach
  void openCatalog(RealStack real, TestInfo test) throws IOException {
    stack = real.services();
    storage =
        new HdfsConnection(
                stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
            .open();
    catalog =
        new HiveCatalog(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of());
    name =
        new TableName(
            "landing", test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT));
  }

  @AfterEach
  void closeCatalog() throws IOException {
    catalog.close();
    storage.close();
  }

  @Test
  void nameThatTheDatabaseCannotHoldIsRefusedUntilItsColumnIsWidened() throws Exception {
    String column = "c".repeat(129);
    TableDefinition table = definition(List.of(column));

    assertThatThrownBy(() -> catalog.registerTable(table))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("the Metastore's database cannot store such a name or value")
        .hasMessageContaining("to length 128")
        .hasMessageContaining("Widen that column");

    stack.metastore().process().stop();
    try {
      stack
          .metastore()
          .changeDatabase(
              "ALTER TABLE APP.PARTITION_KEYS ALTER COLUMN PKEY_NAME SET DATA TYPE VARCHAR(256)");
    } finally {
      stack.metastore().process().start();
    }

    HivePartition partition = new HivePartition(List.of(column), List.of("x"));
    write(partition, 7L);
    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(partition));
    assertThat(stack.hive().query("select id from " + name)).containsExactly(List.of(7L));
  }

  @Test
  void metastoreThatIsAwayIsUnavailableUntilItReturns() throws Exception {
    TableDefinition table = definition(List.of("dt"));
    catalog.registerTable(table);

    stack.metastore().process().kill();
    try {
      assertThatThrownBy(() -> catalog.registerTable(table))
          .isInstanceOf(CatalogUnavailableException.class)
          .hasMessageContaining(stack.metastore().uris());
    } finally {
      stack.metastore().process().start();
    }

    catalog.registerTable(table);
  }

  private TableLayout layout() {
    return TableLayout.of(new StoragePath("/topics"), name.table());
  }

  private TableDefinition definition(List<String> columns) {
    return new TableDefinition(
        name,
        storage.location() + layout().root(),
        SCHEMA,
        columns,
        Map.of("tidemark.log", "ours", "tidemark.schema.version", "1"));
  }

  private void write(HivePartition partition, long id) throws IOException {
    StoragePath place = layout().partitionDirectory(partition);
    storage.makeDirectories(place);
    try (OutputStream out = storage.create(place.child("file.avro"));
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))
                .create(SCHEMA, out)) {
      writer.append(new GenericRecordBuilder(SCHEMA).set("id", id).build());
    }
  }
}
