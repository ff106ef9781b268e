package io.tidemark.store.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.partition.HivePartition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The guarantees of every {@link TableCatalog}. A subclass tests one implementation. */
public abstract class TableCatalogContract {
  private static final List<String> COLUMNS = List.of("dt", "hour");
  private static final HivePartition SEVEN = HivePartition.parse("dt=2026-11-21/hour=07");
  private static final HivePartition EIGHT = HivePartition.parse("dt=2026-11-21/hour=08");
  private static final HivePartition ESCAPED =
      new HivePartition(COLUMNS, List.of("default.orders", "dt=2026-11-21/hour=07"));

  private TableCatalog catalog;
  private TableDefinition table;

  /** A catalog of the kind under test. */
  protected abstract TableCatalog newCatalog();

  /** The store's URI, below which tables may be. Example: {@code hdfs://namenode:8020} */
  protected abstract String storeLocation();

  @BeforeEach
  void openCatalog(TestInfo test) {
    catalog = newCatalog();
    table =
        definition(
            new TableName(
                "contract", test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT)));
  }

  @AfterEach
  void closeCatalog() throws Exception {
    catalog.close();
  }

  private TableDefinition definition(TableName name) {
    return new TableDefinition(
        name,
        storeLocation() + "/topics/" + name.table(),
        SchemaBuilder.record("Row").fields().requiredLong("id").endRecord(),
        COLUMNS,
        Map.of("tidemark.schema.version", "1"));
  }

  private String location(HivePartition partition) {
    return table.location() + "/" + partition.path();
  }

  @Test
  void tableIsThereOnceItIsRegistered() throws Exception {
    assertThat(catalog.exists(table.name())).isFalse();
    assertThat(catalog.partitions(table.name())).isEmpty();

    catalog.registerTable(table);
    catalog.registerTable(table);

    assertThat(catalog.exists(table.name())).isTrue();
    assertThat(catalog.partitions(table.name())).isEmpty();
  }

  @Test
  void addedHivePartitionsAreThereAndSeen() throws Exception {
    catalog.registerTable(table);

    assertThat(catalog.addPartitions(table, List.of(SEVEN, ESCAPED))).isEmpty();
    assertThat(catalog.addPartitions(table, List.of(SEVEN, EIGHT))).isEmpty();

    assertThat(catalog.partitions(table.name())).containsExactlyInAnyOrder(SEVEN, EIGHT, ESCAPED);
  }

  /** The reckoner adds Hive partitions to tables. Only the tasks know their schemas. */
  @Test
  void hivePartitionsAreAddedByWhoDoesNotKnowTheSchema() throws Exception {
    catalog.registerTable(table);
    TableDefinition unknown =
        new TableDefinition(
            table.name(),
            table.location(),
            SchemaBuilder.record("Unknown").fields().endRecord(),
            COLUMNS,
            Map.of());

    assertThat(catalog.addPartitions(unknown, List.of(SEVEN))).isEmpty();

    assertThat(catalog.partitions(table.name())).containsExactly(SEVEN);
  }

  @Test
  void hivePartitionsOfATableThatIsNotThereAreRefused() {
    assertThatThrownBy(() -> catalog.addPartitions(table, List.of(SEVEN)))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("dropped");
  }

  @Test
  void tableWithOtherColumnsIsRefused() throws Exception {
    catalog.registerTable(table);
    TableDefinition other =
        new TableDefinition(
            table.name(), table.location(), table.schema(), List.of("dt"), table.parameters());

    assertThatThrownBy(() -> catalog.registerTable(other))
        .isInstanceOf(CatalogConflictException.class);
    assertThatThrownBy(() -> catalog.dropPartitions(other, List.of(SEVEN)))
        .isInstanceOf(CatalogConflictException.class);
    assertThatThrownBy(() -> catalog.relocatePartition(other, SEVEN, location(EIGHT)))
        .isInstanceOf(CatalogConflictException.class);
  }

  @Test
  void droppedHivePartitionsAreGoneAndCanBeAddedAgain() throws Exception {
    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(SEVEN, EIGHT, ESCAPED));

    catalog.dropPartitions(table, List.of(SEVEN, ESCAPED));
    assertThat(catalog.partitions(table.name())).containsExactly(EIGHT);
    catalog.dropPartitions(table, List.of(SEVEN, ESCAPED));
    assertThat(catalog.partitions(table.name())).containsExactly(EIGHT);

    assertThat(catalog.addPartitions(table, List.of(SEVEN))).isEmpty();
    assertThat(catalog.partitions(table.name())).containsExactlyInAnyOrder(SEVEN, EIGHT);
  }

  @Test
  void droppingFromATableThatIsNotThereIsHarmless() throws Exception {
    catalog.dropPartitions(table, List.of(SEVEN));

    assertThat(catalog.exists(table.name())).isFalse();
  }

  @Test
  void relocatedHivePartitionIsUnseenWhereItWas() throws Exception {
    String elsewhere = storeLocation() + "/elsewhere/" + table.name().table();
    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(SEVEN, EIGHT));

    catalog.relocatePartition(table, SEVEN, elsewhere);
    catalog.relocatePartition(table, SEVEN, elsewhere);

    assertThat(catalog.partitions(table.name())).containsExactlyInAnyOrder(SEVEN, EIGHT);
    assertThat(catalog.addPartitions(table, List.of(SEVEN, EIGHT)))
        .containsExactly(
            new UnseenPartition(
                table.name(), SEVEN, location(SEVEN), Optional.of(elsewhere), Optional.empty()));

    catalog.relocatePartition(table, SEVEN, location(SEVEN));
    assertThat(catalog.addPartitions(table, List.of(SEVEN, EIGHT))).isEmpty();
  }

  @Test
  void expectationsDoNotChangeWhatIsAdded() throws Exception {
    String elsewhere = storeLocation() + "/elsewhere/" + table.name().table();
    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(SEVEN, ESCAPED), Set.of(ESCAPED));
    catalog.relocatePartition(table, SEVEN, elsewhere);

    assertThat(
            catalog.addPartitions(
                table, List.of(SEVEN, EIGHT, ESCAPED), Set.of(SEVEN, EIGHT, ESCAPED)))
        .containsExactly(
            new UnseenPartition(
                table.name(), SEVEN, location(SEVEN), Optional.of(elsewhere), Optional.empty()));

    assertThat(catalog.partitions(table.name())).containsExactlyInAnyOrder(SEVEN, EIGHT, ESCAPED);
  }

  @Test
  void hivePartitionThatIsNotThereIsNotRelocated() throws Exception {
    catalog.registerTable(table);
    catalog.addPartitions(table, List.of(EIGHT));

    assertThatThrownBy(() -> catalog.relocatePartition(table, SEVEN, location(EIGHT)))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(SEVEN.path());
    assertThat(catalog.partitions(table.name())).containsExactly(EIGHT);
  }
}
