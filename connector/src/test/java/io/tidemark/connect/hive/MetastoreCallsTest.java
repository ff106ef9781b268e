package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaBuilder;
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

  private final MemoryMetastore metastore;
  private final HiveCatalog catalog;
  private final List<String> tableCalls = new ArrayList<>();

  MetastoreCallsTest() throws TException {
    metastore = new MemoryMetastore();
    catalog =
        new HiveCatalog(MetastoreSettings.of(metastore.uris(), MetastoreAccess.OF_THE_PROCESS));
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
