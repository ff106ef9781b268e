package io.tidemark.connect.hive;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.metastore.api.AddPartitionsRequest;
import org.apache.hadoop.hive.metastore.api.DropPartitionsRequest;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.RequestPartsSpec;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TException;

/** The Hive partitions of a table in a Metastore. */
record HivePartitions(MetastoreConnection metastore, Table table, TableName name) {

  /** Adds the missing Hive partitions. Returns those whose files remain invisible to queries. */
  List<UnseenPartition> add(
      Collection<HivePartition> partitions, Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    List<UnseenPartition> unseen = new ArrayList<>();
    for (List<HivePartition> some : HiveObjects.calls(partitions)) {
      try {
        unseen.addAll(addInOneCall(some, expectedMissing));
      } catch (MetaException e) {
        unseen.addAll(addEach(some, expectedMissing));
      }
    }
    return List.copyOf(unseen);
  }

  /** Adds each in a call of its own. Then fails for the first that the database cannot store. */
  private List<UnseenPartition> addEach(
      List<HivePartition> partitions, Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    List<UnseenPartition> unseen = new ArrayList<>();
    Optional<CatalogConflictException> refusal = Optional.empty();
    for (HivePartition partition : partitions) {
      try {
        unseen.addAll(addInOneCall(List.of(partition), expectedMissing));
      } catch (MetaException e) {
        if (DatabaseRefusal.takesForAnother(e)) {
          unseen.addAll(unseen(List.of(partition)));
          continue;
        }
        String what = "add the Hive partition %s to %s".formatted(partition, name);
        refusal = refusal.or(() -> Optional.of(HiveCatalog.refused(what, e)));
      }
    }
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return unseen;
  }

  /**
   * Adds what is expected to be missing, then reads the others and adds those that do not exist.
   * Reading an existing Hive partition costs the Metastore less than an attempt to add it. Reading
   * a missing one costs more: Metastore 4.0 builds an invalid statement if a read finds nothing,
   * logs its failure, and reads again without direct SQL.
   */
  private List<UnseenPartition> addInOneCall(
      List<HivePartition> partitions, Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, TException {
    Set<List<String>> added =
        addMissing(partitions.stream().filter(expectedMissing::contains).toList());
    List<HivePartition> others =
        partitions.stream().filter(each -> !added.contains(each.values())).toList();
    if (others.isEmpty()) {
      return List.of();
    }
    Map<List<String>, String> locations = locations(others);
    Map<Boolean, List<HivePartition>> existing =
        others.stream()
            .collect(Collectors.partitioningBy(each -> locations.containsKey(each.values())));
    List<UnseenPartition> unseen =
        new ArrayList<>(elsewhere(existing.getOrDefault(true, List.of()), locations));
    List<HivePartition> missing = existing.getOrDefault(false, List.of());
    Set<List<String>> then = addMissing(missing);
    List<HivePartition> notAdded =
        missing.stream().filter(each -> !then.contains(each.values())).toList();
    if (!notAdded.isEmpty()) {
      unseen.addAll(elsewhere(notAdded, locations(notAdded)));
    }
    return unseen;
  }

  /** Returns the values of the added Hive partitions: those that did not exist. */
  private Set<List<String>> addMissing(List<HivePartition> missing)
      throws CatalogUnavailableException, TException {
    Set<List<String>> added = new HashSet<>();
    if (missing.isEmpty()) {
      return added;
    }
    AddPartitionsRequest request =
        new AddPartitionsRequest(
            table.getDbName(),
            table.getTableName(),
            missing.stream().map(p -> HiveObjects.partition(table, p)).toList(),
            true);
    request.setNeedResult(true);
    List<Partition> result =
        metastore.call(
            "Adding Hive partitions to " + name,
            client -> client.add_partitions_req(request).getPartitions());
    for (Partition partition : result == null ? List.<Partition>of() : result) {
      added.add(partition.getValues());
    }
    return added;
  }

  /** Returns the Hive partitions whose files are invisible to queries, and adds none. */
  List<UnseenPartition> unseen(Collection<HivePartition> partitions)
      throws CatalogUnavailableException, TException {
    List<UnseenPartition> unseen = new ArrayList<>();
    for (List<HivePartition> some : HiveObjects.calls(partitions)) {
      unseen.addAll(elsewhere(some, locations(some)));
    }
    return List.copyOf(unseen);
  }

  /** Returns the locations of the existing Hive partitions, by their values. */
  private Map<List<String>, String> locations(List<HivePartition> partitions)
      throws CatalogUnavailableException, TException {
    Map<List<String>, String> locations = new HashMap<>();
    for (Partition partition : read(partitions)) {
      locations.put(partition.getValues(), partition.getSd().getLocation());
    }
    return locations;
  }

  /** Returns those that are missing, or whose location is not their directory in the table. */
  private List<UnseenPartition> elsewhere(
      List<HivePartition> partitions, Map<List<String>, String> locations) {
    List<UnseenPartition> unseen = new ArrayList<>();
    for (HivePartition partition : partitions) {
      Optional<String> existing = Optional.ofNullable(locations.get(partition.values()));
      if (!existing
          .map(HiveObjects::withoutSlash)
          .equals(Optional.of(HiveObjects.location(table, partition)))) {
        unseen.add(
            new UnseenPartition(
                name,
                partition,
                HiveObjects.location(table, partition),
                existing,
                existing.isPresent() ? Optional.empty() : equated(partition, locations.keySet())));
      }
    }
    return unseen;
  }

  /** Returns the Hive partition that the database has returned in place of another one. */
  private static Optional<HivePartition> equated(
      HivePartition partition, Set<List<String>> returned) {
    return returned.stream()
        .map(values -> new HivePartition(partition.columns(), values))
        .filter(other -> other.compared().equals(partition.compared()))
        .findFirst();
  }

  private List<Partition> read(List<HivePartition> partitions)
      throws CatalogUnavailableException, TException {
    List<String> names = partitions.stream().map(HivePartition::path).toList();
    return metastore.call(
        "Reading Hive partitions of " + table.getDbName() + "." + table.getTableName(),
        client -> client.get_partitions_by_names(table.getDbName(), table.getTableName(), names));
  }

  /** Removes the existing Hive partitions, and no files. */
  void drop(Collection<HivePartition> partitions) throws CatalogUnavailableException, TException {
    for (List<HivePartition> some : HiveObjects.calls(partitions)) {
      DropPartitionsRequest request =
          new DropPartitionsRequest(
              table.getDbName(),
              table.getTableName(),
              RequestPartsSpec.names(some.stream().map(HivePartition::path).toList()));
      request.setDeleteData(false);
      request.setIfExists(true);
      request.setNeedResult(false);
      metastore.call(
          "Dropping Hive partitions of " + table.getDbName() + "." + table.getTableName(),
          client -> client.drop_partitions_req(request));
    }
  }

  void relocate(HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    Optional<Partition> existing =
        read(List.of(partition)).stream()
            .filter(each -> each.getValues().equals(partition.values()))
            .findFirst();
    if (existing.isEmpty()) {
      throw new CatalogConflictException(
          "%s.%s: the Hive partition %s cannot be relocated to %s, because it does not exist in Hive. Another program dropped it. Add it again: ALTER TABLE ADD PARTITION."
              .formatted(table.getDbName(), table.getTableName(), partition, location));
    }
    if (HiveObjects.withoutSlash(existing.get().getSd().getLocation())
        .equals(HiveObjects.withoutSlash(location))) {
      return;
    }
    Partition moved = existing.get().deepCopy();
    moved.getSd().setLocation(location);
    metastore.run(
        "Relocating the Hive partition %s of %s.%s"
            .formatted(partition, table.getDbName(), table.getTableName()),
        client ->
            client.alter_partition_with_environment_context(
                table.getDbName(), table.getTableName(), moved, HiveObjects.withoutStatistics()));
  }
}
