package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Look;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks up whether readers see Hive partitions, and adds missing ones. Not thread-safe. */
public final class CatalogLook {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogLook.class);
  private static final String OPEN =
      "A task registers the files of a topic-partition when it opens its log: check that all tasks run";

  private final Storage storage;
  private final TableCatalog catalog;
  private final Registrar registrar;

  /** The unseen Hive partitions that were already logged. */
  private final Set<HivePartitionId> toldUnseen = new HashSet<>();

  private final Set<TableName> toldRefused = new HashSet<>();

  /** {@code registrar} registers tables in the same catalog. */
  public CatalogLook(Storage storage, TableCatalog catalog, Registrar registrar) {
    this.storage = storage;
    this.catalog = catalog;
    this.registrar = registrar;
  }

  /**
   * Adds the catalog's answers about Hive partitions to {@code look}; {@code again} if readers did
   * not see them before. Those of tables that are not in {@code tables} are not seen.
   */
  void look(
      Set<HivePartitionId> ids, boolean again, Map<TableName, ReckonedTable> tables, Look look)
      throws IOException {
    SortedMap<String, List<HivePartitionId>> byTable =
        ids.stream()
            .collect(
                Collectors.groupingBy(
                    id -> id.table().toString(), TreeMap::new, Collectors.toList()));
    Set<HivePartitionId> unseen = new HashSet<>();
    for (List<HivePartitionId> ofTable : byTable.values()) {
      TableName name = ofTable.get(0).table();
      ReckonedTable table = tables.get(name);
      try {
        if (table == null) {
          unseen.addAll(ofTable);
        } else {
          unseen.addAll(unseen(table.table(), ofTable, again));
          toldRefused.remove(name);
        }
      } catch (CatalogUnavailableException e) {
        LOG.warn(
            "{}: the catalog does not answer, so nothing becomes complete now: {}. The call is retried.",
            name,
            PrintableText.messageOf(e));
        look.setCatalogUnavailable();
        return;
      } catch (CatalogConflictException e) {
        if (toldRefused.add(name)) {
          LOG.warn(
              "{}: readers do not see {} Hive partitions, so the table waits: {} Correct this. The connector checks again every minute.",
              name,
              ofTable.size(),
              PrintableText.messageOf(e));
        }
        unseen.addAll(ofTable);
        look.refused.add(name);
      }
    }
    Set<HivePartitionId> seen = new HashSet<>(ids);
    seen.removeAll(unseen);
    toldUnseen.removeAll(seen);
    look.seen.addAll(seen);
    look.unseen.addAll(unseen);
  }

  /**
   * Returns the tables with files that landed without a catalog and have not been registered, and
   * why. A task registers the files of its topic-partitions. This method registers the files of
   * topic-partitions that are gone.
   */
  Map<TableName, String> unregistered(Map<ReckonedTable, List<StagingDirectories>> tables)
      throws IOException {
    Map<TableName, String> unregistered = new HashMap<>();
    for (Map.Entry<ReckonedTable, List<StagingDirectories>> each : tables.entrySet()) {
      Table table = each.getKey().table();
      MarkerFiles markers = new MarkerFiles(storage, table.layout());
      Set<String> claims = markers.landedWithoutCatalog();
      if (claims.isEmpty()) {
        continue;
      }
      Optional<String> problem =
          each.getValue().stream().anyMatch(of -> claims.stream().anyMatch(of::isOfClaim))
              ? Optional.of(OPEN)
              : registrar.registerLeft(table.root());
      if (problem.isEmpty()) {
        markers.registered(claims);
      } else {
        unregistered.put(table.name(), problem.get());
      }
    }
    return unregistered;
  }

  private Set<HivePartitionId> unseen(Table table, List<HivePartitionId> ids, boolean again)
      throws CatalogUnavailableException, CatalogConflictException, IOException {
    List<String> columns = table.partitioning().columns();
    Set<HivePartitionId> unseen = new HashSet<>();
    List<HivePartition> divided = new ArrayList<>();
    for (HivePartitionId id : ids) {
      if (!id.hivePartition().columns().equals(columns)) {
        unseen.add(id); // This Hive partition belongs to another layout than the table's.
      } else if (!columns.isEmpty()) {
        divided.add(id.hivePartition());
      } else if (!catalog.exists(table.name())) {
        unseen.add(id);
      }
    }
    if (divided.isEmpty()) {
      return unseen;
    }
    if (again) {
      divided.addAll(0, new HiveDirectories(storage, table.layout()).equatedBefore(divided));
    }
    TableDefinition definition = registrar.definition(table.root(), columns);
    for (UnseenPartition each : catalog.addPartitions(definition, divided)) {
      HivePartitionId id = new HivePartitionId(table.name(), each.partition());
      unseen.add(id);
      if (toldUnseen.add(id)) {
        LOG.warn(
            "{} Its table waits until this is corrected, or acknowledged with tidemark repair.",
            each);
      }
    }
    return unseen;
  }
}
