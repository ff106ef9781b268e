package io.tidemark.store.publish;

import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableRoot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Entries of batches with one file, for tests of the steps after publishing. */
public final class PublishedBatch {
  private PublishedBatch() {}

  /** A batch of one record, in a file of a Hive partition. */
  public static CommitEntry.Batch of(
      TableRoot table, HivePartition partition, String fileName, int schemaVersion) {
    StoragePath directory =
        partition.columns().isEmpty() ? table.root() : table.root().child(partition.path());
    DataFile file =
        new DataFile(
            table.table(),
            table.root().child(".staging").child("1.avro"),
            directory.child(fileName),
            partition,
            1,
            100,
            "null",
            schemaVersion,
            List.of("1"),
            0,
            0,
            0,
            0);
    RecordCounts one = new RecordCounts(1, 0, 0, 0, 0);
    return new CommitEntry.Batch(
        UUID.randomUUID(),
        Optional.of(UUID.randomUUID()),
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
            Map.of()),
        Instant.EPOCH,
        UUID.randomUUID(),
        new OffsetRange(0, 1),
        one,
        NotLanded.NOTHING,
        List.of(table),
        List.of(file),
        BatchIdCounts.NONE);
  }
}
