package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.SkewedInfo;
import org.apache.hadoop.hive.metastore.api.Table;
import org.junit.jupiter.api.Test;

/** Kinds of tables that the local Metastore cannot create, because it lacks their engines. */
final class ExistingTableTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredLong("id").endRecord();
  private static final TableDefinition OURS =
      new TableDefinition(
          new TableName("default", "quotes"),
          "hdfs://nn/topics/quotes",
          SCHEMA,
          List.of("dt"),
          Map.of(HiveCatalog.LOG, "ours"));

  private final Table table;

  ExistingTableTest() throws Exception {
    table = HiveObjects.table(OURS, HiveSchema.of(SCHEMA, OURS.partitionColumns()), "somebody");
  }

  @Test
  void tableLikeOursFits() {
    assertThat(new ExistingTable(table).problem(OURS)).isEmpty();
  }

  @Test
  void materializedViewIsRefused() {
    table.setTableType("MATERIALIZED_VIEW");

    assertThat(new ExistingTable(table).problem(OURS).orElseThrow())
        .isEqualTo("it is a view (MATERIALIZED_VIEW), which has no files of its own");
  }

  @Test
  void tableOfAStorageHandlerIsRefused() {
    table.putToParameters(
        "storage_handler", "org.apache.iceberg.mr.hive.HiveIcebergStorageHandler");

    assertThat(new ExistingTable(table).problem(OURS).orElseThrow())
        .contains("by the storage handler org.apache.iceberg.mr.hive.HiveIcebergStorageHandler");
  }

  @Test
  void icebergTableOfAnotherEngineIsRefused() {
    table.putToParameters("table_type", "ICEBERG");

    assertThat(new ExistingTable(table).problem(OURS).orElseThrow())
        .isEqualTo("it is an Iceberg table, which lists its files itself");
  }

  @Test
  void transactionalTableIsRefused() {
    table.setTableType("MANAGED_TABLE");
    table.putToParameters("transactional", "TRUE");

    assertThat(new ExistingTable(table).problem(OURS).orElseThrow())
        .isEqualTo(
            "it is not an external table, but MANAGED_TABLE, and transactional: only Hive can write it");
  }

  @Test
  void storageThatHiveReadsInAnotherWayIsRefused() {
    refused(
        made -> made.getSd().setInputFormat("org.apache.hadoop.mapred.TextInputFormat"),
        "its input format is org.apache.hadoop.mapred.TextInputFormat");
    refused(
        made -> {
          made.getSd().setNumBuckets(4);
          made.getSd().setBucketCols(List.of("id"));
        },
        "it is bucketed by [id]");
    refused(
        made ->
            made.getSd()
                .setSkewedInfo(new SkewedInfo(List.of("id"), List.of(List.of("1")), Map.of())),
        "it is skewed by [id]");
    refused(
        made -> made.getPartitionKeys().set(0, new FieldSchema("dt", "date", "")),
        "its partition column dt is of type date, not string");
  }

  private void refused(Consumer<Table> change, String problem) {
    Table changed = table.deepCopy();
    change.accept(changed);
    assertThat(new ExistingTable(changed).problem(OURS)).hasValue(problem);
  }

  @Test
  void settingsThatMakeNoDifferenceForReadersFit() {
    Table changed = table.deepCopy();
    changed.setOwner("somebody else");
    changed.setRetention(7);
    changed.putToParameters("note", "theirs");
    changed.getSd().getCols().get(0).setComment("their words");
    changed.getSd().setOutputFormat("theirs");
    changed.getSd().setParameters(Map.of("note", "theirs"));
    changed.getSd().getSerdeInfo().setParameters(Map.of("note", "theirs"));

    assertThat(new ExistingTable(changed).problem(OURS)).isEmpty();
  }

  @Test
  void cureSaysThatHiveDeletesTheFilesOfAManagedOrPurgedTable() {
    assertThat(new ExistingTable(table).filesAfterDrop())
        .isEqualTo("the files of an external table stay");

    table.putToParameters("external.table.purge", "TRUE");
    assertThat(new ExistingTable(table).filesAfterDrop()).isEqualTo("Hive then deletes its files");

    table.putToParameters("external.table.purge", "false");
    table.setTableType("MANAGED_TABLE");
    assertThat(new ExistingTable(table).filesAfterDrop()).isEqualTo("Hive then deletes its files");
  }
}
