package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that people created in Hive before the connector, on a real Metastore. */
@OnSharedStack
class HiveTablesIT {
  private static final List<String> COLUMNS = List.of("dt");
  private static final HivePartition DAY = HivePartition.parse("dt=2026-11-21");
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredLong("Id").requiredString("text").endRecord();

  private LocalStack stack;
  private HiveCatalog catalog;
  private TableName name;

  @BeforeEach
  void openCatalog(RealStack real, TestInfo test) throws SQLException {
    stack = real.services();
    catalog =
        new HiveCatalog(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of());
    name =
        new TableName(
            "beforehand",
            test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT)
                + Integer.toHexString(test.getDisplayName().hashCode()));
    stack.hive().execute("create database if not exists beforehand");
  }

  @AfterEach
  void closeCatalog() {
    catalog.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(id bigint) | ",
        "(ID bigint, TEXT string) | 'owner'='people'",
        " | 'avro.schema.literal'='{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}'"
      })
  void externalAvroTableThatFitsIsTakenOverAndRead(String columns, String properties)
      throws Exception {
    execute(
        "create external table %s %s partitioned by (DT string) stored as avro location '%s' %s"
            .formatted(
                name,
                Optional.ofNullable(columns).orElse(""),
                definition().location(),
                Optional.ofNullable(properties)
                    .map(some -> "tblproperties (" + some + ")")
                    .orElse("")));
    write(row(1, "one"), row(2, "two"));

    catalog.registerTable(definition());
    catalog.addPartitions(definition(), List.of(DAY));

    assertThat(stack.hive().query("select id, text, dt from %s".formatted(name)))
        .containsExactlyInAnyOrder(
            List.of(1L, "one", "2026-11-21"), List.of(2L, "two", "2026-11-21"));
    assertThat(stack.hive().query("show tblproperties %s".formatted(name)))
        .contains(List.of("tidemark.log", "ours"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(id bigint, text string, extra int) partitioned by (dt string) stored as avro | its column 3 is extra int, not none",
        "(text string, id bigint) partitioned by (dt string) stored as avro | its column 1 is text string, not id bigint",
        "(id string) partitioned by (dt string) stored as avro | its column 1 is id string, not id bigint",
        "(id bigint) partitioned by (dt date) stored as avro | its partition column dt is of type date",
        "(id bigint) partitioned by (dt string, hour string) stored as avro | its partition columns are [dt, hour], not [dt]",
        "(id bigint) stored as avro | its partition columns are [], not [dt]",
        "(id bigint) partitioned by (dt string) stored as parquet | its SerDe is org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
        "(id bigint) partitioned by (dt string) clustered by (id) into 4 buckets stored as avro | it is bucketed by [id]",
        "(id bigint) partitioned by (dt string) skewed by (id) on (1) stored as avro | it is skewed by [id]"
      })
  void externalTableThatDoesNotFitIsRefusedWithWhatDiffersAndStaysAsItIs(
      String table, String problem) throws Exception {
    execute(
        "create external table %s %s location '%s'"
            .formatted(name, table, definition().location()));
    Object before = stack.hive().query("describe " + name);

    assertThatThrownBy(() -> catalog.registerTable(definition()))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("Set another hive.table.name");
    assertThat(stack.hive().query("describe " + name)).isEqualTo(before);
  }

  @Test
  void viewIsRefused() throws Exception {
    execute("create view %s as select 1 as id".formatted(name));

    assertThatThrownBy(() -> catalog.registerTable(definition()))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("it is a view (VIRTUAL_VIEW), which has no files of its own");
  }

  @Test
  void chosenPropertiesAreSetOnANewTableAndOnOneThatStands() throws Exception {
    catalog.registerTable(definition(Map.of("owner", "sales", "comment", "orders, by day")));
    assertThat(stack.hive().query("show tblproperties " + name))
        .contains(List.of("owner", "sales"), List.of("comment", "orders, by day"));
    execute("alter table %s set tblproperties ('owner'='nobody', 'note'='theirs')".formatted(name));

    catalog.registerTable(definition(Map.of("owner", "sales", "retention.days", "90")));

    assertThat(stack.hive().query("show tblproperties " + name))
        .contains(
            List.of("owner", "sales"),
            List.of("retention.days", "90"),
            List.of("comment", "orders, by day"),
            List.of("note", "theirs"),
            List.of("tidemark.log", "ours"));
  }

  private void execute(String statement) throws SQLException {
    stack.hive().execute(statement);
  }

  private TableDefinition definition() {
    return definition(Map.of());
  }

  private TableDefinition definition(Map<String, String> chosen) {
    Map<String, String> parameters = HiveCatalog.parameters("ours", chosen);
    parameters.put(HiveCatalog.SCHEMA_VERSION, "1");
    return new TableDefinition(
        name, "%s%s".formatted(stack.hdfs().uri(), layout().root()), SCHEMA, COLUMNS, parameters);
  }

  private TableLayout layout() {
    return TableLayout.of(new StoragePath("/topics"), name.table());
  }

  private static GenericRecord row(long id, String text) {
    return new GenericRecordBuilder(SCHEMA).set("Id", id).set("text", text).build();
  }

  private void write(GenericRecord... rows) throws IOException {
    try (Storage storage =
        new HdfsConnection(
                stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
            .open()) {
      StoragePath place = layout().partitionDirectory(DAY);
      storage.makeDirectories(place);
      try (OutputStream out = storage.create(place.child("rows.avro"));
          DataFileWriter<GenericRecord> writer =
              new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))
                  .create(SCHEMA, out)) {
        for (GenericRecord row : rows) {
          writer.append(row);
        }
      }
    }
  }
}
