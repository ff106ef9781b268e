package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.hive.HiveCatalog;
import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.LocalStack;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hive's rows of a ledger, before and after its files are merged. */
@OnSharedStack
class LedgerTablesIT {
  private static final StoragePath LEDGER = new StoragePath("/ledger-tables");
  private static final LedgerDirectories FOLDERS = new LedgerDirectories(LEDGER, "sales");
  private static final Instant MORNING = Instant.parse("2026-11-21T08:05:09.104Z");
  private static final HivePartition HOUR_6 = HivePartition.parse("dt=2026-11-21/hour=06");

  private static LocalStack stack;
  private static Storage storage;

  @BeforeAll
  static void takeStack(RealStack real) throws IOException {
    stack = real.services();
    storage =
        new HdfsConnection(
                stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
            .open();
  }

  @AfterAll
  static void closeStorage() throws IOException {
    storage.close();
  }

  @Test
  void queriesAndSensorsSeeTheSameBeforeAndAfterFolding() throws Exception {
    try (HiveCatalog catalog =
        new HiveCatalog(
            MetastoreSettings.of(stack.metastore().uris(), MetastoreAccess.OF_THE_PROCESS),
            Set.of())) {
      LedgerTables tables = new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS);
      assertThat(sensorFinds(Ledgers.HOUR_7)).isFalse();
      for (long number = 41; number <= 42; number++) {
        tables.show(
            Ledgers.reckoning(
                number,
                MORNING,
                List.of(Ledgers.total(HOUR_6, 5, 5)),
                List.of(Ledgers.completion(Ledgers.HOUR_7))),
            List.of(Ledgers.batch(number, -1)));
      }
      assertShown();

      new LedgerCompaction(
              new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS),
              Duration.ofDays(90))
          .compact(Instant.parse("2026-12-02T00:00:00Z"));
      assertThat(storage.find(LEDGER.child("hive/compacted/batches/log_id=sales"))).isPresent();
      assertThat(storage.find(LEDGER.child("hive/compacted/partitions/log_id=sales"))).isPresent();
      assertShown();
    }
  }

  private static void assertShown() throws Exception {
    assertThat(
            query(
                "select complete_through >= '2026-11-21T08:00:00Z' from ledgers.tidemark_watermarks"
                    + " where kind='table' and name='default.orders'"
                    + " order by ledger_entry desc limit 1"))
        .containsExactly(List.of(true));
    assertThat(
            query(
                "select held_because from ledgers.tidemark_watermarks where log_id='sales' and"
                    + " kind='group' and name='sales' order by ledger_entry desc limit 1"))
        .containsExactly(List.of("NO_MEMBER default.payments@payments"));
    assertThat(query("show partitions ledgers.tidemark_complete"))
        .containsExactly(
            List.of("table_name=default.orders/hive_partition=dt%3D2026-11-21%2Fhour%3D07"));
    assertThat(
            query(
                "SELECT cast(from_utc_timestamp(replace(replace(complete_through, 'T', ' '), 'Z', ''),"
                    + " 'UTC') AS timestamp) FROM ledgers.tidemark_watermarks WHERE log_id = 'sales' AND"
                    + " kind = 'table' AND name = 'default.orders' ORDER BY ledger_entry DESC LIMIT 1"))
        .singleElement()
        .asString()
        .startsWith("[2026-11-21 08:00:00");
    assertThat(sensorFinds(Ledgers.HOUR_7)).isTrue();
    assertThat(sensorFinds(HOUR_6)).isFalse();
    assertThat(query("select count(*) from ledgers.tidemark_complete"))
        .containsExactly(List.of(0L));
    assertThat(
            query(
                "select hive_partition, sum(late) from ledgers.tidemark_partitions"
                    + " where asked_at is null group by hive_partition"))
        .containsExactly(List.of(HOUR_6.path(), 10L));
    assertThat(
            query(
                "select topic, entry, landed, hive_partition, records from ledgers.tidemark_batches"
                    + " where log_id='sales' and day='2026-11-21' and min_time is null"
                    + " order by entry"))
        .containsExactly(
            List.of("orders", 41L, 47L, Ledgers.HOUR_7.path(), 47L),
            List.of("orders", 42L, 47L, Ledgers.HOUR_7.path(), 47L));
  }

  /** The call of Airflow's NamedHivePartitionSensor. */
  private static boolean sensorFinds(HivePartition hivePartition) throws Exception {
    String name =
        "table_name=default.orders/hive_partition="
            + hivePartition.path().replace("=", "%3D").replace("/", "%2F");
    URI metastore = URI.create(stack.metastore().uris());
    try (TSocket socket = new TSocket(metastore.getHost(), metastore.getPort())) {
      socket.open();
      Partition found =
          new ThriftHiveMetastore.Client(new TBinaryProtocol(socket))
              .get_partition_by_name("ledgers", "tidemark_complete", name);
      return found.getValues().equals(List.of("default.orders", hivePartition.path()));
    } catch (NoSuchObjectException e) {
      return false;
    }
  }

  private static List<List<@Nullable Object>> query(String sql) throws Exception {
    return stack.hive().query(sql);
  }
}
