package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.adopt.AdoptServices;
import io.tidemark.cli.adopt.FakeTopicIds;
import io.tidemark.cli.adopt.KafkaOffsets;
import io.tidemark.cli.adopt.OldGroup;
import io.tidemark.cli.adopt.OldSinkDirectories;
import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.ReadOnlyCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * {@code tidemark adopt --execute} of 1,000 topic-partitions with 200,000 files on a local disk, in
 * a JVM of 512 MiB: each file is read.
 */
@Tag("long")
class AdoptManyFilesIT {
  private static final int PARTITIONS = 1_000;
  private static final int FILES = 200;
  private static final int OFFSETS = 10;
  private static final Duration MOST = Duration.ofMinutes(10);

  @TempDir Path directory;

  @Test
  void thousandTopicPartitionsAreAdoptedWithinTenMinutesAnd512Megabytes() throws Exception {
    write(directory);
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                AdoptManyFilesIT.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    long started = System.nanoTime();
    String output;
    try (InputStream out = java.getInputStream()) {
      output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    assertThat(java.waitFor(MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    System.out.println("adopted 200,000 files of 1,000 topic-partitions in " + took);

    String end = output.substring(Math.max(0, output.length() - 2_000));
    assertThat(java.exitValue()).as(end).isZero();
    assertThat(output)
        .contains("    200 files, 2,000 records,")
        .contains("orders-999: continues at offset 2000");
    assertThat(output.lines().filter(each -> each.contains(": continues at offset 2000")))
        .hasSize(PARTITIONS);
    assertThat(took).isLessThan(MOST);
  }

  /** Writes what the old sink leaves. */
  private static void write(Path root) throws IOException {
    byte[] content = file();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Path files =
          Files.createDirectories(root.resolve("store/topics/orders/partition=" + partition));
      Path first = Files.write(files.resolve(name(partition, 0)), content);
      for (int file = 1; file < FILES; file++) {
        Files.createLink(files.resolve(name(partition, file)), first);
      }
      Path log = Files.createDirectories(root.resolve("store/logs/orders/" + partition));
      String topics = "hdfs://namenode:8020/topics/";
      String below = "orders/partition=" + partition + "/";
      Files.write(
          log.resolve("log"),
          OldSinkDirectories.log(
              topics + "/+tmp/" + below + "1_tmp.avro",
              topics + below + name(partition, FILES - 1)));
    }
  }

  private static byte[] file() throws IOException {
    Schema schema =
        SchemaBuilder.record("Order")
            .fields()
            .requiredLong("id")
            .requiredString("text")
            .endRecord();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, bytes);
      for (long id = 0; id < OFFSETS; id++) {
        writer.append(
            new GenericRecordBuilder(schema).set("id", id).set("text", "order " + id).build());
      }
    }
    return bytes.toByteArray();
  }

  private static String name(int partition, int file) {
    return "orders+%d+%010d+%010d.avro"
        .formatted(partition, file * OFFSETS, (file + 1) * OFFSETS - 1);
  }

  /** Runs the command in the directory. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    Map<String, String> old =
        Map.of(
            "name", "old-orders",
            "connector.class", "io.confluent.connect.hdfs.HdfsSinkConnector",
            "topics", "orders",
            "hdfs.url", "hdfs://namenode:8020",
            "flush.size", "10");
    Map<String, String> settings = new HashMap<>();
    settings.put("name", "orders");
    settings.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    settings.put("topics", "orders");
    settings.put("logs.dir", "new-logs");
    settings.put("partitioner.class", "DefaultPartitioner");
    settings.put("kafka.bootstrap.servers", "kafka:9092");
    settings.put("schema.registry.url", "http://registry:8081");
    settings.put(
        "store.url", root.resolve("store").toUri().toString().replaceFirst("^file:/+", "file:///"));
    ObjectMapper json = new ObjectMapper();
    Files.writeString(root.resolve("old.json"), json.writeValueAsString(old));
    Files.writeString(root.resolve("new.json"), json.writeValueAsString(settings));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    AdoptCommand command =
        new AdoptCommand(
            new Console(out, out, Clock.systemUTC(), Duration.ofMillis(50)), new Kafka());
    System.exit(
        new CommandLine(command)
            .setErr(out)
            .execute(
                root.resolve("old.json").toString(),
                root.resolve("new.json").toString(),
                "--execute"));
  }

  private static final class Kafka implements AdoptServices, OldGroup {
    @Override
    public TopicMetadata topics(ConnectorServices connector) {
      return new FakeTopicIds();
    }

    @Override
    public ReadOnlyCatalog catalog(ConnectorServices connector) {
      throw new UnsupportedOperationException("there is no catalog");
    }

    @Override
    public OldGroup group(ConnectorServices connector) {
      return this;
    }

    @Override
    public List<String> members(String group) {
      return List.of();
    }

    @Override
    public KafkaOffsets offsets(String group, UnaryOperator<Set<String>> wanted) {
      Map<TopicPartition, Long> beginning = new HashMap<>();
      Map<TopicPartition, Long> end = new HashMap<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        beginning.put(new TopicPartition("orders", partition), 0L);
        end.put(new TopicPartition("orders", partition), (long) FILES * OFFSETS);
      }
      return new KafkaOffsets(end, beginning, end);
    }

    @Override
    public void close() {}
  }
}
