package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Random bytes as records, and random text as values of a partition column. Every offset lands or
 * becomes a dead letter with its place, and every file is inside of the table.
 */
final class HostileRecordsPropertyTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").fields().requiredString("key").requiredInt("n").endRecord();
  private static final int KNOWN_ID = 1;
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final StoragePath LOG = new StoragePath("/logs/quotes/quotes/0");

  @Property(tries = 60)
  void everyOffsetLandsOrIsADeadLetterWithItsPlace(
      @ForAll("values") @Size(min = 1, max = TestTask.MOST_HIVE_PARTITIONS)
          List<Optional<byte[]>> values,
      @ForAll boolean partitioned)
      throws Exception {
    var topic = new FakeTopic("quotes");
    var storage = new MemoryStorage();
    var queue = new FakeDeadLetterQueue();
    for (Optional<byte[]> value : values) {
      value.ifPresentOrElse(bytes -> topic.produce(0, bytes), () -> topic.tombstone(0));
    }
    PartitionSpec partitioning =
        partitioned ? new FieldPartitioned(List.of("key")) : PartitionSpec.NONE;
    try (TestTask task =
        new TestTask(
            topic,
            storage,
            new OneSchema(SCHEMA, KNOWN_ID),
            partitioning,
            Optional.empty(),
            values.size(),
            100,
            new TestTask.BadRecords(Optional.of(queue), NullValues.DEAD_LETTER, 100))) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    RecordCounts counts =
        LandedRows.batches(storage, LOG).stream()
            .map(CommitEntry.Batch::counts)
            .reduce(RecordCounts.NONE, RecordCounts::plus);
    assertThat(counts.landed() + counts.deadLettered()).isEqualTo(values.size());
    assertThat(LandedRows.keys(storage, ROOT)).hasSize((int) counts.landed());
    assertThat(queue.taken).hasSize((int) counts.deadLettered());
    for (RejectedRecord letter : queue.taken) {
      assertThat(letter.toString()).startsWith("quotes-0@" + letter.place().offset() + ": ");
      assertThat(letter.toString()).hasSizeLessThan(4_000);
    }
    assertThat(StoredTree.files(storage))
        .allMatch(
            path ->
                path.startsWith("/logs/quotes/")
                    || path.contains("/published+")
                    || path.matches("/topics/quotes/(\\.tidemark/.*|(key=[^/]+/)?quotes\\+[^/]*)"))
        .noneMatch(path -> path.contains("/../") || path.contains("/./"));
  }

  @Provide
  Arbitrary<List<Optional<byte[]>>> values() {
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    Arbitrary<byte[]> datums = bytes.map(HostileRecordsPropertyTest::framed);
    Arbitrary<byte[]> ids =
        Arbitraries.integers().map(id -> ByteBuffer.allocate(7).put((byte) 0).putInt(id).array());
    Arbitrary<byte[]> keys =
        Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20),
                Arbitraries.strings().withChars("./\\=%'\"*?:_ \u0000\n😀").ofMaxLength(300),
                Arbitraries.of("..", ".", "../../logs/quotes", "__HIVE_DEFAULT_PARTITION__", ""))
            .map(HostileRecordsPropertyTest::row);
    return Arbitraries.frequencyOf(
            Tuple.of(1, bytes.map(Optional::of)),
            Tuple.of(2, datums.map(Optional::of)),
            Tuple.of(1, ids.map(Optional::of)),
            Tuple.of(4, keys.map(Optional::of)),
            Tuple.of(1, Arbitraries.just(Optional.<byte[]>empty())))
        .list();
  }

  private static byte[] framed(byte[] datum) {
    return ByteBuffer.allocate(5 + datum.length).put((byte) 0).putInt(KNOWN_ID).put(datum).array();
  }

  private static byte[] row(String key) {
    var datum = new ByteArrayOutputStream();
    try {
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(datum, null);
      encoder.writeString(key);
      encoder.writeInt(7);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return framed(datum.toByteArray());
  }
}
