package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.decide.Look;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.connect.pipeline.OtherProgram;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that landed without a catalog for a topic-partition that is gone. */
class CatalogLookTest {
  private static final Duration REQUEST = Duration.ofMillis(300);

  /** A task uses a tenth of its time for requests to the catalog. */
  private static final Duration PAUSE = REQUEST.multipliedBy(9);

  private final ReckonedWorld world = new ReckonedWorld();
  private final Refusing catalog = new Refusing();
  private final CatalogLook look = world.catalogLook(catalog);

  @TempDir Path directory;

  CatalogLookTest() throws Exception {
    world.recorded(ReckonedWorld.TABLE, "orders");
    world.catalogHas(ReckonedWorld.TABLE, catalog);
    new MarkerFiles(world.storage(), ReckonedWorld.TABLE.layout())
        .landsWithoutCatalog(
            new StagingDirectories(world.storage(), "sales", new TopicPartition("orders", 7))
                .ofClaim(1, UUID.randomUUID()));
    StoragePath seven =
        ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(ReckonedWorld.SEVEN));
    world.storage().makeDirectories(seven);
    world.storage().create(seven.child("orders+7+g1+0+9.avro")).close();
  }

  /** Two decisions during the pause of the catalog's refusal, and one after it. */
  public static void main(String[] arguments) throws Exception {
    CatalogLookTest refused = new CatalogLookTest();
    refused.unregistered();
    refused.unregistered();
    refused.world.at(refused.world.now().plus(PAUSE));
    refused.unregistered();
  }

  private Set<TableName> unregistered() throws Exception {
    return look.unregistered(
            Map.of(new ReckonedTable(ReckonedWorld.TABLE, List.of("orders")), List.of()))
        .keySet();
  }

  @Test
  void catalogIsNotAskedAgainDuringThePauseOfTheRegistrar() throws Exception {
    assertThat(unregistered()).containsExactly(ReckonedWorld.ORDERS);
    assertThat(unregistered()).containsExactly(ReckonedWorld.ORDERS);
    assertThat(catalog.asked).isEqualTo(1);

    catalog.refuses = false;
    world.at(world.now().plus(PAUSE));
    assertThat(unregistered()).isEmpty();
    assertThat(catalog.asked).isEqualTo(2);
    assertThat(catalog.partitions(ReckonedWorld.ORDERS))
        .containsExactly(ReckonedWorld.hour(ReckonedWorld.SEVEN));
  }

  @Test
  void tableThatWasNeverInTheCatalogIsCreatedButNoDroppedOne() throws Exception {
    catalog.refuses = false;
    catalog.drop(ReckonedWorld.ORDERS);
    MarkerFiles markers = new MarkerFiles(world.storage(), ReckonedWorld.TABLE.layout());
    markers.registered(ReckonedWorld.ORDERS);
    assertThat(unregistered()).containsExactly(ReckonedWorld.ORDERS);
    assertThat(catalog.exists(ReckonedWorld.ORDERS)).isFalse();

    markers.forget(ReckonedWorld.ORDERS);
    world.at(world.now().plus(PAUSE));
    assertThat(unregistered()).isEmpty();
    assertThat(catalog.partitions(ReckonedWorld.ORDERS))
        .containsExactly(ReckonedWorld.hour(ReckonedWorld.SEVEN));
  }

  /**
   * An operator drops the Hive partition that Hive did not show. The catalog's database equates it
   * with the one that Hive showed, and drops that.
   */
  @Test
  void hivePartitionThatWasDroppedInPlaceOfAnotherComesBackAndTheOtherStaysUnseen()
      throws Exception {
    HivePartition shown = HivePartition.parse("dt=1/hour=DE");
    HivePartitionId hidden =
        new HivePartitionId(ReckonedWorld.ORDERS, HivePartition.parse("dt=1/hour=DE "));
    MemoryCatalog equating = new Equating();
    world.catalogHas(ReckonedWorld.TABLE, equating);
    TableDefinition table = equating.table(ReckonedWorld.ORDERS).orElseThrow();
    StoragePath files = ReckonedWorld.TABLE.layout().partitionDirectory(shown);
    world.storage().makeDirectories(files);
    world.storage().create(files.child("orders+0+g1+0+9.avro")).close();
    CatalogLook of = world.catalogLook(equating);
    Map<TableName, ReckonedTable> tables =
        Map.of(ReckonedWorld.ORDERS, new ReckonedTable(ReckonedWorld.TABLE, List.of("orders")));

    for (int minute = 0; minute < 2; minute++) {
      Look found = new Look();
      of.look(Set.of(hidden), true, tables, found);
      assertThat(found.unseen).containsExactly(hidden);
      assertThat(equating.paths(ReckonedWorld.ORDERS)).containsExactly("dt=1/hour=DE");
      equating.dropPartitions(table, List.of(shown));
    }
  }

  /** A catalog whose database ignores trailing spaces, as Derby and MySQL do. */
  private static final class Equating extends MemoryCatalog {
    @Override
    public synchronized List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> added) throws CatalogConflictException {
      List<UnseenPartition> unseen = new ArrayList<>();
      for (HivePartition each : added) {
        Optional<HivePartition> equal =
            partitions(table.name()).stream()
                .filter(other -> other.path().stripTrailing().equals(each.path().stripTrailing()))
                .findFirst();
        if (equal.isEmpty()) {
          super.addPartitions(table, List.of(each));
        } else if (!equal.get().equals(each)) {
          unseen.add(
              new UnseenPartition(table.name(), each, table.location(), Optional.empty(), equal));
        }
      }
      return unseen;
    }
  }

  /** In a separate JVM, because the levels of the log are set at the start of a JVM. */
  @Test
  void refusalIsLoggedOnce() throws Exception {
    String said = OtherProgram.run(CatalogLookTest.class, directory.resolve("output"));

    assertThat(said.lines().filter(line -> line.contains("default.orders is a view")))
        .singleElement()
        .asString()
        .contains("WARN", "topic-partitions that are gone");
  }

  /** A catalog that takes some time for each request, and refuses it. */
  private final class Refusing extends MemoryCatalog {
    private int asked;
    private boolean refuses = true;

    @Override
    public synchronized List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> added) throws CatalogConflictException {
      asked++;
      world.at(world.now().plus(REQUEST));
      if (refuses) {
        throw new CatalogConflictException(table.name() + " is a view");
      }
      return super.addPartitions(table, added);
    }
  }
}
