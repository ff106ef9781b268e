package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.commit.CommitEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A flush that is much larger than the heap of its task. */
@Tag("faults")
@Tag("long")
final class LargeFlushIT {
  private static final Schema SEQ =
      SchemaBuilder.record("Large").fields().requiredLong("seq").endRecord();

  @Test
  void millionRecordsOf2KbOver500HivePartitionsLandInAHeapOf1Gib() throws Exception {
    Path directory = Files.createTempDirectory(Path.of("target"), "large-flush-");
    try (LocalStack stack = LocalStack.builder().directory(directory).with(Service.HDFS).start()) {
      assertThat(land(stack, directory.resolve("task.log"))).isZero();

      try (Storage storage =
          new HdfsConnection(
                  stack.hdfs().uri(), Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
              .open()) {
        List<CommitEntry.Batch> batches =
            LandedRows.batches(storage, new StoragePath("/logs/large/large/0"));
        assertThat(batches.stream().mapToLong(batch -> batch.counts().landed()).sum())
            .isEqualTo(LargeFlush.LARGE.records());
        StoragePath root = LargeFlush.TOPICS.child(LargeFlush.TOPIC);
        assertThat(storage.list(root).stream().filter(LargeFlushIT::isHivePartition))
            .hasSize(LargeFlush.LARGE.hivePartitions());
        BitSet landed = new BitSet();
        int files = read(storage, root, landed);
        assertThat(landed.cardinality()).isEqualTo(LargeFlush.LARGE.records());
        assertThat(batches.stream().mapToInt(batch -> batch.files().size()).sum()).isEqualTo(files);
        assertThat(LandedRows.staged(storage, root)).isEmpty();
      }
    }
  }

  /** Lands in a separate JVM and shows its output. */
  private static int land(LocalStack stack, Path log) throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process task =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath,
                LargeFlush.class.getName(),
                stack.hdfs().uri().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(task.waitFor(20, TimeUnit.MINUTES)).as("it ends by itself").isTrue();
    } finally {
      task.destroyForcibly();
    }
    Files.readAllLines(log).forEach(System.out::println);
    return task.exitValue();
  }

  private static boolean isHivePartition(StoredFile file) {
    return file.path().name().startsWith("shard=");
  }

  /** Reads all files below a directory, records their rows in {@code landed}, and counts them. */
  private static int read(Storage storage, StoragePath directory, BitSet landed)
      throws IOException {
    int files = 0;
    for (StoredFile file : storage.list(directory)) {
      if (file.directory()) {
        files += isHivePartition(file) ? read(storage, file.path(), landed) : 0;
        continue;
      }
      files++;
      try (InputStream in = storage.open(file.path());
          DataFileStream<GenericRecord> rows =
              new DataFileStream<>(in, new GenericDatumReader<>(null, SEQ))) {
        GenericRecord row = null;
        while (rows.hasNext()) {
          row = rows.next(row);
          int seq = Math.toIntExact((Long) row.get("seq"));
          if (landed.get(seq)) {
            throw new AssertionError("record " + seq + " has landed twice");
          }
          landed.set(seq);
        }
      }
    }
    return files;
  }
}
