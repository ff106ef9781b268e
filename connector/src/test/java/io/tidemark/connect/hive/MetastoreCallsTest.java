package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaBuilder;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of the Metastore that a registration sends. */
final class MetastoreCallsTest {
  private static final HivePartition SEVEN = HivePartition.parse("hour=07");
  private static final HivePartition EIGHT = HivePartition.parse("hour=08");
  private static final TableDefinition TABLE =
      new TableDefinition(
          new TableName("default", "quotes"),
          "hdfs://nn/topics/quotes",
          SchemaBuilder.record("Row").fields().requiredLong("id").endRecord(),
          List.of("hour"),
          Map.of(HiveCatalog.LOG, "ours", HiveCatalog.SCHEMA_VERSION, "1"));

  private static final TableDefinition NEXT =
      new TableDefinition(
          TABLE.name(),
          TABLE.location(),
          SchemaBuilder.record("Row").fields().requiredLong("id").optionalLong("b").endRecord(),
          TABLE.partitionColumns(),
          Map.of(HiveCatalog.LOG, "ours", HiveCatalog.SCHEMA_VERSION, "2"));

  private final MemoryMetastore metastore;
  private final HiveCatalog catalog;
  private final List<String> tableCalls = new ArrayList<>();

  MetastoreCallsTest() throws TException {
    metastore = new MemoryMetastore();
    catalog =
        new HiveCatalog(
            MetastoreSettings.of(metastore.uris(), MetastoreAccess.OF_THE_PROCESS), Set.of());
  }

  @BeforeEach
  void registerTable() throws Exception {
    catalog.registerTable(TABLE);
    tableCalls.addAll(metastore.takeCalls());
  }

  @AfterEach
  void close() {
    catalog.close();
    metastore.close();
  }

  @Test
  void createdTableIsNotReadAgain() {
    assertThat(tableCalls).containsExactly("get_table_req", "get_database", "create_table");
  }

  /** The second call finds what the first one has done. */
  @Test
  void callWhoseOutcomeIsUnknownIsSentAgain() throws Exception {
    TableDefinition table =
        new TableDefinition(
            new TableName("default", "unknown"),
            "hdfs://nn/topics/unknown",
            TABLE.schema(),
            TABLE.partitionColumns(),
            TABLE.parameters());
    metastore.loseAnswerOf("create_table");
    catalog.registerTable(table);
    assertThat(metastore.takeCalls())
        .containsExactly(
            "get_table_req", "get_database", "create_table", "create_table", "get_table_req");

    metastore.loseAnswerOf("add_partitions_req");
    assertThat(catalog.addPartitions(table, List.of(SEVEN), Set.of(SEVEN))).isEmpty();
    assertThat(catalog.addPartitions(table, List.of(SEVEN), Set.of())).isEmpty();
  }

  @Test
  void tableThatSomebodyChangedIsReadTwiceAndNotAltered() throws Exception {
    metastore.change("quotes", table -> table.getSd().getCols().get(0).setType("int"));

    assertThatThrownBy(() -> catalog.registerTable(NEXT))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessage(
            "default.quotes: another program changed the table in Hive: its column 1 is id int, not id bigint. New files of this table are not registered. Undo the change; or let the connector undo it, by ALTER TABLE default.quotes UNSET TBLPROPERTIES ('tidemark.registered'). If the Metastore rejects both, drop the table (the files of an external table stay).");
    assertThatThrownBy(() -> catalog.addPartitions(TABLE, List.of(SEVEN), Set.of(SEVEN)))
        .isInstanceOf(CatalogConflictException.class);

    assertThat(metastore.takeCalls())
        .containsExactly("get_table_req", "get_table_req", "get_table_req", "get_table_req");
  }

  /** The Metastore reads columns and parameters by several statements. */
  @Test
  void readDuringTheChangeOfAnotherTaskIsRepeated() throws Exception {
    metastore.changeNextRead(table -> table.getSd().getCols().get(0).setType("int"));
    catalog.registerTable(NEXT);
    assertThat(metastore.takeCalls())
        .containsExactly(
            "get_table_req",
            "get_table_req",
            "alter_table_with_environment_context",
            "get_table_req");

    metastore.changeNextRead(table -> table.getSd().getCols().get(0).setType("int"));
    assertThat(catalog.addPartitions(NEXT, List.of(SEVEN), Set.of(SEVEN))).isEmpty();
  }

  /** Two tasks altered the table at once: the parameters are of one, the columns of the other. */
  @Test
  void mixtureOfTwoRegistrationsIsMendedByTheNewerOne() throws Exception {
    metastore.change(
        "quotes", table -> table.getSd().addToCols(new FieldSchema("b", "bigint", "")));

    catalog.registerTable(NEXT);

    metastore.change(
        "quotes",
        table -> assertThat(table.getParameters()).containsAllEntriesOf(NEXT.parameters()));
  }

  @Test
  void tableThatAnEarlierReleaseRegisteredLastIsAltered() throws Exception {
    metastore.change(
        "quotes",
        table -> {
          table.getParameters().put(HiveCatalog.SCHEMA_VERSION, "0");
          table.getParameters().put("avro.schema.literal", "{}");
          table.getSd().getCols().get(0).setType("int");
        });

    catalog.registerTable(TABLE);

    metastore.change(
        "quotes",
        table -> {
          assertThat(table.getParameters()).containsAllEntriesOf(TABLE.parameters());
          assertThat(table.getSd().getCols().get(0).getType()).isEqualTo("bigint");
        });
  }

  @Test
  void tableOutsideOfHiveNeedsNoCall() throws Exception {
    try (HiveCatalog without =
        new HiveCatalog(
            MetastoreSettings.of(metastore.uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of(TABLE.name()))) {
      without.registerTable(TABLE);
      assertThat(without.addPartitions(TABLE, List.of(SEVEN), Set.of(SEVEN))).isEmpty();
      assertThat(without.unseen(TABLE, List.of(SEVEN))).isEmpty();
      assertThat(without.exists(TABLE.name())).isTrue();
    }
    assertThat(metastore.takeCalls()).isEmpty();
  }

  @Test
  void hivePartitionsThatAreExpectedToBeMissingAreAddedWithoutARead() throws Exception {
    assertThat(catalog.addPartitions(TABLE, List.of(SEVEN, EIGHT), Set.of(SEVEN, EIGHT))).isEmpty();

    assertThat(metastore.takeCalls()).containsExactly("get_table_req", "add_partitions_req");
  }

  @Test
  void hivePartitionsThatAreExpectedToExistAreOnlyRead() throws Exception {
    catalog.addPartitions(TABLE, List.of(SEVEN), Set.of(SEVEN));
    metastore.takeCalls();

    assertThat(catalog.addPartitions(TABLE, List.of(SEVEN), Set.of())).isEmpty();

    assertThat(metastore.takeCalls()).containsExactly("get_table_req", "get_partitions_by_names");
  }

  @Test
  void oneReadServesKnownHivePartitionsAndThoseThatAnotherTaskHasAdded() throws Exception {
    catalog.addPartitions(TABLE, List.of(SEVEN, EIGHT), Set.of(SEVEN, EIGHT));
    metastore.move(EIGHT, "hdfs://nn/archive/08");
    metastore.takeCalls();

    assertThat(catalog.addPartitions(TABLE, List.of(SEVEN, EIGHT), Set.of(EIGHT)))
        .containsExactly(
            new UnseenPartition(
                TABLE.name(),
                EIGHT,
                "hdfs://nn/topics/quotes/hour=08",
                Optional.of("hdfs://nn/archive/08"),
                Optional.empty()));

    assertThat(metastore.takeCalls())
        .containsExactly("get_table_req", "add_partitions_req", "get_partitions_by_names");
  }

  @Test
  void hivePartitionThatIsDroppedAfterTheAttemptToAddItIsAdded() throws Exception {
    catalog.addPartitions(TABLE, List.of(SEVEN), Set.of(SEVEN));
    metastore.dropBeforeRead(SEVEN);
    metastore.takeCalls();

    assertThat(catalog.addPartitions(TABLE, List.of(SEVEN), Set.of(SEVEN))).isEmpty();

    assertThat(metastore.takeCalls())
        .containsExactly(
            "get_table_req", "add_partitions_req", "get_partitions_by_names", "add_partitions_req");
  }

  @Test
  void hivePartitionThatIsMissingAgainstTheExpectationIsAddedAfterTheRead() throws Exception {
    assertThat(catalog.addPartitions(TABLE, List.of(SEVEN), Set.of())).isEmpty();

    assertThat(metastore.takeCalls())
        .containsExactly("get_table_req", "get_partitions_by_names", "add_partitions_req");
  }
}
