package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A catalog that measures its calls. */
public record MeasuredCatalog(TableCatalog measured, ServiceCalls calls) implements TableCatalog {

  @Override
  public boolean exists(TableName table)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("read a table")) {
      try {
        boolean answer = measured.exists(table);
        call.answer();
        return answer;
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public Set<HivePartition> partitions(TableName table)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("list Hive partitions")) {
      try {
        Set<HivePartition> answer = measured.partitions(table);
        call.answer();
        return answer;
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("register a table")) {
      try {
        measured.registerTable(table);
        call.answer();
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException {
    return addPartitions(table, partitions, Set.of());
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition table,
      Collection<HivePartition> partitions,
      Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("add Hive partitions")) {
      try {
        List<UnseenPartition> answer = measured.addPartitions(table, partitions, expectedMissing);
        call.answer();
        return answer;
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("drop Hive partitions")) {
      try {
        measured.dropPartitions(table, partitions);
        call.answer();
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void relocatePartition(TableDefinition table, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException {
    try (Call call = calls.begin("relocate a Hive partition")) {
      try {
        measured.relocatePartition(table, partition, location);
        call.answer();
      } catch (CatalogConflictException e) {
        call.answer();
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    measured.close();
  }
}
