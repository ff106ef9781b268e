package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.LocalStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.commit.CommitEntry;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backfill of many sources: a year of mixed hours, in few batches and little memory. */
final class YearOfHistoryTest {
  private static final LargeFlush.Load YEAR = LargeFlush.YEAR_OF_HOURS;

  /** 40 MB of records. Each chunk touches 4,096 of the 8,760 hours. */
  @Test
  void yearOfHoursLandsInFewBatchesInAHeapOf128Mib(@TempDir Path directory) throws Exception {
    Path store = directory.resolve("store");
    assertThat(land(store, directory.resolve("task.log"))).isZero();

    try (Storage storage = new LocalStorage(store)) {
      List<CommitEntry.Batch> batches =
          LandedRows.batches(storage, new StoragePath("/logs/large/large/0"));
      assertThat(batches.stream().mapToLong(batch -> batch.counts().landed()).sum())
          .isEqualTo(YEAR.records());
      assertThat(batches.stream().filter(batch -> !batch.files().isEmpty()))
          .hasSizeLessThanOrEqualTo(4)
          .allMatch(batch -> batch.files().size() <= YEAR.hivePartitions());
      StoragePath root = LargeFlush.TOPICS.child(LargeFlush.TOPIC);
      List<StoredFile> hours =
          storage.list(root).stream()
              .filter(file -> file.path().name().startsWith("hour=2025-"))
              .toList();
      assertThat(hours).hasSize(YEAR.hivePartitions());
      BitSet landed = new BitSet();
      for (StoredFile hour : hours) {
        for (StoredFile file : storage.list(hour.path())) {
          read(storage, file.path(), landed);
        }
      }
      assertThat(landed.cardinality()).isEqualTo(YEAR.records());
      assertThat(LandedRows.staged(storage, root)).isEmpty();
    }
  }

  private static void read(Storage storage, StoragePath file, BitSet landed) throws Exception {
    try (InputStream in = storage.open(file);
        DataFileStream<GenericRecord> rows = new DataFileStream<>(in, new GenericDatumReader<>())) {
      for (GenericRecord row : rows) {
        int seq = Math.toIntExact((Long) row.get("seq"));
        if (landed.get(seq)) {
          throw new AssertionError("record " + seq + " has landed twice");
        }
        landed.set(seq);
      }
    }
  }

  /** Lands in a separate JVM and shows its output. */
  private static int land(Path store, Path log) throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process task =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath,
                LargeFlush.class.getName(),
                store.toUri().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(task.waitFor(10, TimeUnit.MINUTES)).as("it ends by itself").isTrue();
    } finally {
      task.destroyForcibly();
    }
    Files.readAllLines(log).forEach(System.out::println);
    return task.exitValue();
  }
}
