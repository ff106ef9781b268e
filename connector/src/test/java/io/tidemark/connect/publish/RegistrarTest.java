package io.tidemark.connect.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.batch.NotLanded;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.UnknownFields;
import io.tidemark.connect.format.avro.AvroFormat;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.table.TableSchemas;
import io.tidemark.connect.table.partition.HivePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

final class RegistrarTest {
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");

  private final MemoryStorage storage = new MemoryStorage();
  private final Added catalog = new Added();
  private static final long MINUTE_MS = 60_000;

  private long nowMs = MINUTE_MS;
  private final Registrar registrar =
      new Registrar(storage, catalog, AvroFormat.INSTANCE, Map.of(), () -> nowMs);

  RegistrarTest() throws Exception {
    new TableSchemas(storage, new TableLayout(ROOT))
        .evolve(
            SchemaBuilder.record("Quote").fields().requiredString("symbol").endRecord(),
            schema -> {});
  }

  @Test
  void hivePartitionIsAddedOnceForTheBatchesOfAnHour() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    nowMs += 59 * MINUTE_MS;
    registrar.register(batch("dt=2026-11-20"));
    registrar.register(batch("dt=2026-11-21"));

    assertThat(catalog.paths).containsExactly("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void hivePartitionThatSomebodyDroppedIsAddedAgainForLateRecords() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    nowMs += 60 * MINUTE_MS;
    registrar.register(batch("dt=2026-11-20"));

    assertThat(catalog.paths).containsExactly("dt=2026-11-20", "dt=2026-11-20");
  }

  private static CommitEntry.Batch batch(String hivePartition) {
    DataFile file =
        new DataFile(
            new TableName("default", "quotes"),
            ROOT.child(".staging").child("1.avro"),
            ROOT.child(hivePartition).child("quotes+0+g1+0000000000+0000000000.avro"),
            HivePartition.parse(hivePartition),
            1,
            100,
            "null",
            1,
            List.of("1"),
            0,
            0,
            0,
            0);
    RecordCounts one = new RecordCounts(1, 0, 0, 0, 0);
    return new CommitEntry.Batch(
        UUID.randomUUID(),
        new LogState(
            new Generation(1, "cluster-1", "topic-1"),
            0,
            1,
            one,
            0,
            0,
            LogState.UNKNOWN,
            List.of(),
            List.of(),
            UnknownFields.NONE),
        Instant.EPOCH,
        UUID.randomUUID(),
        new OffsetRange(0, 1),
        one,
        NotLanded.NOTHING,
        List.of(new TableRoot(file.table(), ROOT)),
        List.of(file));
  }

  /** Notes what it is asked to add. */
  private static final class Added implements TableCatalog {
    final List<String> paths = new ArrayList<>();

    @Override
    public boolean exists(TableName table) {
      return true;
    }

    @Override
    public Set<HivePartition> partitions(TableName table) {
      return Set.of();
    }

    @Override
    public void registerTable(TableDefinition table) {}

    @Override
    public void addPartitions(TableDefinition table, Collection<HivePartition> partitions) {
      partitions.forEach(partition -> paths.add(partition.path()));
    }

    @Override
    public void close() {}
  }
}
