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
import io.tidemark.store.commit.CommitEntry;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.SkewedInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
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
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of());
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
        "unset tblproperties ('tidemark.log', 'tidemark.schema.version')",
        "unset tblproperties ('tidemark.registered')",
        "set tblproperties ('owner'='somebody')"
      })
  void propertiesOfTheConnectorAreSetAgainByTheNextBatch(String change) throws Exception {
    land(1, ONE);
    execute("alter table %s %s".formatted(name, change));

    land(2, OTHER);

    assertThat(stack.hive().query("select * from %s".formatted(name)))
        .containsExactlyInAnyOrder(List.of(1L, "text 1", ONE), List.of(2L, "text 2", OTHER));
    assertThat(stack.hive().query("show tblproperties " + name))
        .contains(
            List.of("owner", "sales"),
            List.of("tidemark.log", "ours"),
            List.of("tidemark.schema.version", "1"))
        .anyMatch(property -> "tidemark.registered".equals(property.get(0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unset tblproperties ('avro.schema.literal'); change column text words string | its property avro.schema.literal",
        "unset tblproperties ('avro.schema.literal'); add columns (extra int) | its property avro.schema.literal",
        "unset tblproperties ('avro.schema.literal') | its property avro.schema.literal",
        "set tblproperties ('avro.schema.literal'='{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}') | its property avro.schema.literal",
        "set tblproperties ('avro.schema.url'='hdfs:///nowhere.avsc') | avro.schema.url, or a schema of its SerDe, was set",
        "set serdeproperties ('avro.schema.url'='hdfs:///nowhere.avsc') | avro.schema.url, or a schema of its SerDe, was set"
      })
  void schemaThatOthersChangeInHiveIsRefusedUntilTheyUndoIt(String change, String problem)
      throws Exception {
    land(1, ONE);
    Table former = read();
    for (String statement : change.split("; ", -1)) {
      execute("alter table %s %s".formatted(name, statement));
    }

    requireRefusedUntouched(problem);

    write(former);
    register(2, OTHER);
    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
  }

  /** Changes by programs that call the Metastore, such as Spark: Hive itself rejects some. */
  private enum OtherColumns {
    RENAMED("its column 2 is words string, not text string"),
    RETYPED("its column 2 is text varchar(9), not text string"),
    ADDED("its column 3 is extra int, not none"),
    DROPPED("its last columns are missing");

    private final String problem;

    OtherColumns(String problem) {
      this.problem = problem;
    }

    void change(Table table) {
      List<FieldSchema> columns = table.getSd().getCols();
      switch (this) {
        case RENAMED -> columns.get(1).setName("words");
        case RETYPED -> columns.get(1).setType("varchar(9)");
        case ADDED -> columns.add(new FieldSchema("extra", "int", null));
        case DROPPED -> columns.remove(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OtherColumns.class)
  void columnsThatOthersChangeAreRefusedUntilTheyAreGivenToTheConnector(OtherColumns other)
      throws Exception {
    land(1, ONE);
    alter(other::change);

    requireRefusedUntouched(other.problem);

    execute("alter table %s unset tblproperties ('tidemark.registered')".formatted(name));
    register(2, OTHER);
    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
    assertThat(read().getSd().getCols())
        .extracting(FieldSchema::getName)
        .containsExactly("id", "text");
  }

  /** The Metastore accepts text instead of a number, but not the number again. */
  @Test
  @Tag("long")
  void columnWhoseTypeTheMetastoreKeepsIsRefusedUntilTheTableIsDropped() throws Exception {
    land(1, ONE);
    alter(table -> table.getSd().getCols().get(0).setType("string"));
    requireRefusedUntouched("its column 1 is id string, not id bigint");
    execute("alter table %s unset tblproperties ('tidemark.registered')".formatted(name));
    assertThatThrownBy(() -> register(2, OTHER))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("types incompatible with the existing columns");

    execute("drop table %s".formatted(name));
    register(2, OTHER);

    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
  }

  /** Storage that Hive would read or write in another way. */
  private enum OtherStorage {
    SERDE("its SerDe is org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe"),
    INPUT_FORMAT("its input format is org.apache.hadoop.mapred.TextInputFormat"),
    BUCKETS("it is bucketed by [id]"),
    SKEW("it is skewed by [id]"),
    PARTITION_COLUMN("its partition column dt is of type date, not string");

    private final String problem;

    OtherStorage(String problem) {
      this.problem = problem;
    }

    void change(Table table) {
      StorageDescriptor storage = table.getSd();
      switch (this) {
        case SERDE ->
            storage
                .getSerdeInfo()
                .setSerializationLib("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");
        case INPUT_FORMAT -> storage.setInputFormat("org.apache.hadoop.mapred.TextInputFormat");
        case BUCKETS -> {
          storage.setNumBuckets(4);
          storage.setBucketCols(List.of("id"));
        }
        case SKEW ->
            storage.setSkewedInfo(new SkewedInfo(List.of("id"), List.of(List.of("1")), Map.of()));
        case PARTITION_COLUMN -> table.getPartitionKeys().get(0).setType("date");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OtherStorage.class)
  @Tag("long")
  void storageThatOthersChangeIsRefusedUntilTheyUndoIt(OtherStorage other) throws Exception {
    land(1, ONE);
    Table former = read();
    alter(other::change);

    requireRefusedUntouched(other.problem);

    write(former);
    register(2, OTHER);
    assertThat(rows()).containsExactlyInAnyOrder(row(1, ONE), row(2, OTHER));
  }

  @Test
  void settingsOfOthersStayWhenTheTableGetsAnotherColumn() throws Exception {
    land(1, ONE);
    for (String change :
        List.of(
            "update columns",
            "set tblproperties ('note'='theirs', 'comment'='of the team')",
            "set owner user somebody",
            "set serdeproperties ('theirs'='serde')",
            "partition (dt='%s') set serdeproperties ('theirs'='partition')".formatted(ONE))) {
      execute("alter table %s %s".formatted(name, change));
    }
    alter(
        table -> {
          table.getSd().getCols().get(1).setComment("their words");
          table.getPartitionKeys().get(0).setComment("their day");
          table.getSd().putToParameters("theirs", "storage");
          table.setRetention(7);
        });

    Schema wider =
        SchemaBuilder.record("Row")
            .fields()
            .requiredLong("id")
            .requiredString("text")
            .optionalLong("b")
            .endRecord();
    assertThat(new TableSchemas(storage, layout).evolve(wider, schema -> {}).version())
        .isEqualTo(2);
    land(2, OTHER, wider, 2);
    land(3, ONE, wider, 2);

    assertThat(stack.hive().query("select * from %s".formatted(name)))
        .as("the Hive partition of before has the column, too, and it is the last one")
        .containsExactlyInAnyOrder(
            Arrays.asList(1L, "text 1", null, ONE),
            Arrays.asList(2L, "text 2", null, OTHER),
            Arrays.asList(3L, "text 3", null, ONE));
    Table after = read();
    assertThat(after.getSd().getCols())
        .extracting(FieldSchema::getName)
        .containsExactly("id", "text", "b");
    assertThat(after.getSd().getCols().get(1).getComment()).isEqualTo("their words");
    assertThat(after.getPartitionKeys().get(0).getComment()).isEqualTo("their day");
    assertThat(after.getOwner()).isEqualTo("somebody");
    assertThat(after.getRetention()).isEqualTo(7);
    assertThat(after.getParameters())
        .containsEntry("note", "theirs")
        .containsEntry("comment", "of the team");
    assertThat(after.getSd().getParameters()).containsEntry("theirs", "storage");
    assertThat(after.getSd().getSerdeInfo().getParameters()).containsEntry("theirs", "serde");
    Map<String, String> ofHivePartition =
        metastore(
            client ->
                client
                    .get_partition(name.database(), name.table(), List.of(ONE))
                    .getSd()
                    .getSerdeInfo()
                    .getParameters());
    assertThat(ofHivePartition).containsEntry("theirs", "partition");
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

  /** The next batch is refused, with the statement that lets the connector overwrite, or not. */
  private void requireRefusedUntouched(String problem) throws Exception {
    Table changed = read();
    assertThatThrownBy(() -> land(2, OTHER))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageContaining(problem);
    assertThatThrownBy(() -> registrar().register(batch(2, OTHER, 1)))
        .as("the task is restarted")
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(problem);
    assertThat(read()).isEqualTo(changed);
  }

  private void alter(Consumer<Table> change) throws Exception {
    Table table = read();
    change.accept(table);
    write(table);
  }

  private Table read() throws Exception {
    return metastore(
        client ->
            client.get_table_req(new GetTableRequest(name.database(), name.table())).getTable());
  }

  private void write(Table table) throws Exception {
    metastore(
        client -> {
          client.alter_table_with_environment_context(
              name.database(), name.table(), table, HiveObjects.withoutStatistics());
          return table;
        });
  }

  private <T> T metastore(MetastoreConnection.Call<T> call) throws Exception {
    try (MetastoreConnection metastore =
        new MetastoreConnection(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS))) {
      return metastore.call("Changing " + name, call);
    }
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
    land(id, day, SCHEMA, 1);
  }

  private void land(long id, String day, Schema schema, int version) throws Exception {
    StoragePath directory = layout.partitionDirectory(partition(day));
    storage.makeDirectories(directory);
    try (OutputStream out = storage.create(directory.child(id + ".avro"));
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(schema))
                .create(schema, out)) {
      writer.append(
          new GenericRecordBuilder(schema).set("id", id).set("text", "text " + id).build());
    }
    register(id, day, version);
  }

  private void register(long id, String day) throws Exception {
    register(id, day, 1);
  }

  private void register(long id, String day, int version) throws Exception {
    assertThat(registrar.register(batch(id, day, version))).isEmpty();
  }

  private CommitEntry.Batch batch(long id, String day, int version) {
    return PublishedBatch.of(
        new TableRoot(name, layout.root()), partition(day), id + ".avro", version);
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
