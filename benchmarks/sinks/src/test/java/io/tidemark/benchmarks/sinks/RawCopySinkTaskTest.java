package io.tidemark.benchmarks.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawCopySinkTaskTest {
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"R\",\"fields\":["
          + "{\"name\":\"offset\",\"type\":\"long\"},{\"name\":\"padding\",\"type\":\"bytes\"}]}";
  private static final TopicPartition FIRST = new TopicPartition("quotes", 0);
  private static final TopicPartition SECOND = new TopicPartition("quotes", 1);

  @TempDir private Path directory;
  private final RawCopySinkTask task = new RawCopySinkTask();

  @AfterEach
  void stop() {
    task.stop();
  }

  @Test
  void eachTopicPartitionHasOneFilePerFlush() throws Exception {
    start(Map.of("batch.records", "10"));
    put(FIRST, 0, 6, 100);
    put(SECOND, 0, 14, 100);

    awaitCommitted(Map.of(FIRST, 6L, SECOND, 14L));
    assertThat(offsetsOfFiles())
        .containsExactlyInAnyOrder(offsets(0, 6, 1), offsets(0, 4, 1), offsets(4, 14, 1));
  }

  @Test
  void recordsInTurnAreSpreadByTheirOffset() throws Exception {
    start(Map.of("files.in.turn", "3", "topic-partition.records", "6"));
    put(FIRST, 0, 12, 100);

    awaitCommitted(Map.of(FIRST, 12L));
    assertThat(offsetsOfFiles())
        .containsExactlyInAnyOrder(
            offsets(0, 6, 3),
            offsets(1, 6, 3),
            offsets(2, 6, 3),
            offsets(6, 12, 3),
            offsets(7, 12, 3),
            offsets(8, 12, 3));
  }

  @Test
  void consecutiveRecordsFillOneFileAfterAnotherAndTheFirstIsHalfAsLong() throws Exception {
    start(Map.of("file.offsets", "10", "flush.when.idle", "true"));
    put(FIRST, 0, 20, 100);

    awaitCommitted(Map.of(FIRST, 20L));
    assertThat(offsetsOfFiles())
        .containsExactlyInAnyOrder(offsets(0, 5, 1), offsets(5, 15, 1), offsets(15, 20, 1));
  }

  @Test
  void largeFilesAreStreamedAndRecordsLargerThanABlockAreKeptWhole() throws Exception {
    start(Map.of("flush.when.idle", "true", "avro.block.size.bytes", "4096"));
    put(FIRST, 0, 3_000, 3_000);
    put(FIRST, 3_000, 3_002, 100_000);
    put(FIRST, 3_002, 3_010, 10);

    awaitCommitted(Map.of(FIRST, 3_010L));
    assertThat(offsetsOfFiles()).containsExactly(offsets(0, 3_010, 1));
  }

  private void start(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("store.url", "file:///");
    settings.put("directory", directory.toString());
    settings.put("schema", SCHEMA);
    settings.put("batch.interval.ms", "3600000");
    task.start(settings);
    task.open(List.of(FIRST, SECOND));
  }

  private void put(TopicPartition to, long first, long next, int paddingBytes) throws IOException {
    List<SinkRecord> records = new ArrayList<>();
    for (long offset = first; offset < next; offset++) {
      records.add(
          new SinkRecord(
              to.topic(), to.partition(), null, null, null, value(offset, paddingBytes), offset));
    }
    task.put(records);
  }

  private static byte[] value(long offset, int paddingBytes) throws IOException {
    var out = new java.io.ByteArrayOutputStream();
    out.write(new byte[] {0, 0, 0, 0, 1});
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeLong(offset);
    encoder.writeBytes(ByteBuffer.allocate(paddingBytes));
    return out.toByteArray();
  }

  private void awaitCommitted(Map<TopicPartition, Long> expected) throws InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (int i = 0; i < 1_000 && !committed.equals(expected); i++) {
      task.put(List.of());
      task.preCommit(Map.of())
          .forEach((topicPartition, next) -> committed.put(topicPartition, next.offset()));
      Thread.sleep(10);
    }
    assertThat(committed).isEqualTo(expected);
  }

  /** Returns the offsets of the records of each file. */
  private List<List<Long>> offsetsOfFiles() throws IOException {
    List<List<Long>> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".avro")).toList()) {
        List<Long> offsets = new ArrayList<>();
        var reader = new GenericDatumReader<GenericRecord>(new Schema.Parser().parse(SCHEMA));
        try (var records = new DataFileReader<>(file.toFile(), reader)) {
          records.forEach(record -> offsets.add((Long) record.get("offset")));
        }
        found.add(offsets);
      }
    }
    return found;
  }

  private static List<Long> offsets(long from, long next, int step) {
    return Stream.iterate(from, each -> each < next, each -> each + step).toList();
  }
}
