package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** 200,000 files of 1,000 topic-partitions, in a JVM of their own. */
class ManyFilesTest {
  private static final int PARTITIONS = 1_000;
  private static final int FILES = 200;
  private static final int OFFSETS = 1_000;
  private static final long SECONDS_MOST = 300;

  @Test
  void namesOfTwoHundredThousandFilesNeed512Megabytes() throws Exception {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                ManyFilesTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String output;
    try (InputStream out = java.getInputStream()) {
      output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(java.waitFor(SECONDS_MOST, TimeUnit.SECONDS)).isTrue();
    assertThat(java.exitValue()).as(output).isZero();
    assertThat(output).startsWith("ACCEPTED 200000 files, 1000 partitions");
    assertThat(Long.parseLong(output.replaceAll("(?s).* (\\d+) ms\\R.*", "$1")))
        .as(output)
        .isLessThan(TimeUnit.SECONDS.toMillis(SECONDS_MOST));
  }

  /** Prints what was found, and the time. */
  public static void main(String[] arguments) throws Exception {
    Map<TopicPartition, Long> beginning = new HashMap<>();
    Map<TopicPartition, Long> end = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      beginning.put(new TopicPartition("orders", partition), 0L);
      end.put(new TopicPartition("orders", partition), (long) FILES * OFFSETS);
    }
    OldSink sink =
        new OldSink(
            Map.of(
                "connector.class",
                "io.confluent.connect.hdfs.HdfsSinkConnector",
                "topics",
                "orders"));
    long started = System.nanoTime();
    AdoptionReport report =
        new Adoption(
                new Generated(),
                sink,
                new KafkaOffsets(end, beginning, end),
                Consents.NONE,
                Optional.empty())
            .examine();
    List<String> lines = AdoptionText.lines(report);
    long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    AdoptionReport.Topic topic = report.topics().get(0);
    System.out.printf(
        "%s %d files, %d partitions, %d lines, %d ms%n",
        report.verdict(),
        topic.partitions().stream().mapToLong(AdoptionReport.Partition::files).sum(),
        topic.partitions().stream()
            .filter(each -> each.decision().next().orElse(0) == (long) FILES * OFFSETS)
            .count(),
        lines.size(),
        ms);
    if (report.verdict() != Verdict.ACCEPTED) {
      lines.forEach(System.out::println);
    }
  }

  /** Directories {@code partition=N} with files, and logs that name all of them. */
  private static final class Generated implements Storage {
    private static final StoragePath TOPIC = new StoragePath("/topics/orders");
    private static final StoragePath LOGS = new StoragePath("/logs/orders");

    @Override
    public List<StoredFile> list(StoragePath directory) {
      List<StoredFile> found = new ArrayList<>();
      if (directory.equals(TOPIC) || directory.equals(LOGS)) {
        String prefix = directory.equals(TOPIC) ? "partition=" : "";
        for (int partition = 0; partition < PARTITIONS; partition++) {
          found.add(StoredFile.directory(directory.child(prefix + partition), 0));
        }
      } else if (directory.isBelow(TOPIC)) {
        int partition = Integer.parseInt(directory.name().substring("partition=".length()));
        for (int file = 0; file < FILES; file++) {
          found.add(StoredFile.file(directory.child(name(partition, file)), 1_000_000, 0));
        }
      }
      return found;
    }

    private static String name(int partition, int file) {
      return "orders+"
          + partition
          + "+"
          + padded((long) file * OFFSETS)
          + "+"
          + padded((file + 1L) * OFFSETS - 1)
          + ".avro";
    }

    private static String padded(long offset) {
      return Long.toString(10_000_000_000L + offset).substring(1);
    }

    @Override
    public Optional<StoredFile> find(StoragePath path) {
      return path.name().equals("log")
          ? Optional.of(StoredFile.file(path, 35, 0))
          : Optional.empty();
    }

    @Override
    public InputStream open(StoragePath file) throws IOException {
      if (!file.name().equals("log")) {
        throw new NoSuchFileException(file.value());
      }
      int partition = Integer.parseInt(file.parent().name());
      String topics = "hdfs://namenode:8020/topics/";
      String temporary = topics + "/+tmp/orders/partition=" + partition + "/1_tmp.avro";
      String directory = topics + "orders/partition=" + partition + "/";
      LogBytes log = new LogBytes();
      for (int each = 0; each < FILES; each++) {
        log.begin().entry(temporary, directory + name(partition, each)).end();
      }
      return new ByteArrayInputStream(log.bytes());
    }

    @Override
    public String location() {
      return "generated:";
    }

    @Override
    public OutputStream create(StoragePath file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void rename(StoragePath source, StoragePath target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(StoragePath file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean deleteTree(StoragePath directory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void makeDirectories(StoragePath directory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
