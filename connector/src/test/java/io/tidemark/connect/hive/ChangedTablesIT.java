package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.publish.PublishedBatch;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.TableSchemas;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes that people make to a table in Hive while batches land in it, and their effect on the
 * next batch. docs/OPERATIONS.md lists them.
 */
@OnSharedStack
class ChangedTablesIT {
  private static final String ONE = "2026-11-21";
  private static final String OTHER = "2026-11-22";
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredLong("id").requiredString("text").endRecord();

  private LocalStack stack;
  private Storage storage;
  private HiveCatalog catalog;
  private Registrar registrar;
  private TableName name;
  private TableLayout layout;

  @BeforeEach
  void makeTable(RealStack real, TestInfo test) throws Exception {
    stack = real.services();
    storage =
        new HdfsConnection(
                stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
            .open();
    String method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    String table = method + Integer.toHexString(test.getDisplayName().hashCode());
    name = new TableName("changed", table);
    // If two tests create the database at the same time, the Metastore refuses the second one.
    execute("create database if not exists changed");
    layout = TableLayout.of(new StoragePath("/topics"), table);
    new TableSchemas(storage, layout).evolve(SCHEMA, schema -> {});
    new LayoutFile(storage, layout).put(RecordedLayout.of(FieldPartitioned.parse("dt")));
    catalog =
        new HiveCatalog(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS));
    registrar = registrar();
  }

  private Registrar registrar() {
    return new Registrar(
        storage,
        catalog,
        table -> HiveCatalog.parameters("ours", Map.of("owner", "sales")),
        MonotonicClock.system());
  }

  @AfterEach
  void close() throws Exception {
    catalog.close();
    storage.close();
  }

  @Test
  void droppedHivePartitionIsAddedAgainForItsNewFilesAlone() throws Exception {
    land(1, ONE);
    land(2, OTHER);
    execute(
        "alter table %s drop partition (dt='%s'), partition (dt='%s')".formatted(name, ONE, OTHER));
    assertThat(rows()).isEmpty();

    land(3, ONE);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(3, ONE));
  }

  @Test
  void movedHivePartitionIsRefusedUntilItIsBackOrDropped() throws Exception {
    land(1, ONE);
    land(2, OTHER);
    move(ONE, "/archive/" + name.table());
    assertThatThrownBy(() -> land(3, ONE))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(
            "has the location %s/archive/%s, but its new files are in %s"
                .formatted(stack.hdfs().uri(), name.table(), place(ONE)));
    land(4, OTHER);

    move(ONE, layout.root() + "/dt=" + ONE);
    register(3, ONE);
    assertThat(rows())
        .containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER), row(3, ONE), row(4, OTHER));

    move(OTHER, "/archive/" + name.table());
    assertThatThrownBy(() -> land(5, OTHER)).isInstanceOf(CatalogConflictException.class);
    execute("alter table %s drop partition (dt='%s')".formatted(name, OTHER));
    register(5, OTHER);
    assertThat(rows())
        .containsExactlyInAnyOrder(
            row(1, ONE), row(2, OTHER), row(3, ONE), row(4, OTHER), row(5, OTHER));
  }

  @Test
  void hiveItselfArchivesNoHivePartitionOfAnExternalTable() throws Exception {
    land(1, ONE);

    assertThatThrownBy(
            () ->
                stack
                    .hive()
                    .execute(
                        "set hive.archive.enabled=true",
                        "alter table %s archive partition (dt='%s')".formatted(name, ONE)))
        .isInstanceOf(SQLException.class);

    land(2, ONE);
    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, ONE));
  }

  @Test
  void renamedTableIsMadeAgainUnderItsNameAndBothReadEachRowOnce() throws Exception {
    land(1, ONE);
    land(2, OTHER);
    execute("alter table %s rename to %s_renamed".formatted(name, name));

    land(3, ONE);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER), row(3, ONE));
    assertThat(rows(name + "_renamed"))
        .containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER), row(3, ONE));
  }

  @Test
  void renamedTableIsLandedInOnceTheConfigurationHasItsNewName() throws Exception {
    land(1, ONE);
    TableName former = name;
    String newName = name.table() + "_renamed";
    execute("alter table %s rename to %s.%s".formatted(name, name.database(), newName));

    name = new TableName(name.database(), newName);
    registrar = registrar();
    land(2, OTHER);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
    assertThat(catalog.exists(former)).isFalse();
  }

  @Test
  void hiveItselfChangesNoColumnOfATableWithASchema() throws Exception {
    land(1, ONE);

    for (String change :
        List.of(
            "add columns (extra int)",
            "change column text words string",
            "replace columns (other int)")) {
      assertThatThrownBy(() -> execute("alter table %s %s".formatted(name, change)))
          .as(change)
          .isInstanceOf(SQLException.class)
          .hasMessageMatching("(?s).*(Not allowed to alter schema|is not supported for table).*");
    }
  }

  @Test
  void tableThatWasMadeManagedIsRefusedUntilItIsExternalAgain() throws Exception {
    land(1, ONE);
    execute("alter table %s set tblproperties ('EXTERNAL'='FALSE')".formatted(name));
    assertThatThrownBy(() -> land(2, ONE))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(
            "it is not an external table, but MANAGED_TABLE, whose files Hive owns")
        .hasMessageContaining("do not drop it. Make it external: ALTER TABLE " + name);

    execute(
        "alter table %s set tblproperties ('EXTERNAL'='TRUE', 'external.table.purge'='FALSE')"
            .formatted(name));
    register(2, ONE);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, ONE));
  }

  @Test
  void tableThatLiesElsewhereIsRefusedUntilItIsBack() throws Exception {
    land(1, ONE);
    String location = "alter table %s set location '%s%s'";
    execute(location.formatted(name, stack.hdfs().uri(), "/elsewhere/" + name.table()));
    assertThatThrownBy(() -> land(2, OTHER))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("its location is %s/elsewhere/".formatted(stack.hdfs().uri()));

    execute(location.formatted(name, stack.hdfs().uri(), layout.root()));
    register(2, OTHER);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unset tblproperties ('avro.schema.literal'); change column text words string",
        "unset tblproperties ('avro.schema.literal'); add columns (extra int)",
        "update columns",
        "set tblproperties ('avro.schema.literal'='{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}')",
        "set tblproperties ('avro.schema.url'='hdfs:///nowhere.avsc')",
        "unset tblproperties ('avro.schema.literal')",
        "unset tblproperties ('tidemark.log', 'tidemark.schema.version')",
        "set tblproperties ('owner'='somebody')"
      })
  void changedColumnsAndPropertiesArePutRightByTheNextBatch(String change) throws Exception {
    land(1, ONE);
    for (String statement : change.split("; ", -1)) {
      execute("alter table %s %s".formatted(name, statement));
    }

    land(2, OTHER);

    assertThat(stack.hive().query("select * from %s".formatted(name)))
        .containsExactlyInAnyOrder(List.of(1L, "text 1", ONE), List.of(2L, "text 2", OTHER));
    assertThat(stack.hive().query("show tblproperties " + name))
        .contains(
            List.of("owner", "sales"),
            List.of("tidemark.log", "ours"),
            List.of("tidemark.schema.version", "1"));
  }

  @Test
  void tablesOfADroppedDatabaseAreMadeAgainWithAllThatLanded() throws Exception {
    name = new TableName("changed_cascade", name.table());
    land(1, ONE);
    land(2, OTHER);
    execute("drop database changed_cascade cascade");

    land(3, OTHER);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER), row(3, OTHER));
  }

  private void execute(String statement) throws SQLException {
    stack.hive().execute(statement);
  }

  private void move(String day, String to) throws SQLException {
    execute(
        "alter table %s partition (dt='%s') set location '%s%s'"
            .formatted(name, day, stack.hdfs().uri(), to));
  }

  private String place(String day) {
    return "%s%s/dt=%s".formatted(stack.hdfs().uri(), layout.root(), day);
  }

  private static HivePartition partition(String day) {
    return HivePartition.parse("dt=" + day);
  }

  private void land(long id, String day) throws Exception {
    StoragePath directory = layout.partitionDirectory(partition(day));
    storage.makeDirectories(directory);
    try (OutputStream out = storage.create(directory.child(id + ".avro"));
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))
                .create(SCHEMA, out)) {
      writer.append(
          new GenericRecordBuilder(SCHEMA).set("id", id).set("text", "text " + id).build());
    }
    register(id, day);
  }

  private void register(long id, String day) throws Exception {
    assertThat(
            registrar.register(
                PublishedBatch.of(
                    new TableRoot(name, layout.root()), partition(day), id + ".avro", 1)))
        .isEmpty();
  }

  private static List<@Nullable Object> row(long id, String day) {
    return List.of(id, day);
  }

  private List<List<@Nullable Object>> rows() throws SQLException {
    return rows(name.toString());
  }

  private List<List<@Nullable Object>> rows(String table) throws SQLException {
    return stack.hive().query("select id, dt from %s".formatted(table));
  }
}
