package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.pipeline.TestTask.BadRecords;
import io.tidemark.connect.pipeline.TestTask.Limits;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A record that cannot land stops its task with an error, which says how to skip the record. An
 * operator does exactly that, and loses no other record.
 */
final class SkippedRecordsTest {
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final Schema SCHEMA = quote("long");

  private final FakeTopic topic = new FakeTopic("quotes");
  private final MemoryStorage storage = new MemoryStorage();
  private final List<String> good = new ArrayList<>();

  /** The reason why a record cannot land. */
  enum Fault {
    DAMAGED,
    UNFRAMED,
    UNKNOWN_SCHEMA,
    TOMBSTONE,
    OTHER_TYPE,
    NOT_A_TABLE
  }

  @ParameterizedTest
  @EnumSource
  void recordIsSkippedAloneAsTheErrorSays(Fault fault) throws Exception {
    good(20);
    bad(fault);
    good(20);

    skipAsToldBy(stopped(100));
    assertThat(keys()).as("all before it has landed").hasSize(20);

    land(100);
    assertThat(keys()).containsExactlyElementsOf(good);
  }

  /** Several records of one kind are skipped one after another; the records between them land. */
  @ParameterizedTest
  @EnumSource
  void recordsAmongGoodOnesAreSkippedOneByOne(Fault fault) throws Exception {
    good(20);
    for (int i = 0; i < 3; i++) {
      bad(fault);
      good(60);
    }
    for (int i = 0; i < 3; i++) {
      skipAsToldBy(stopped(25));
    }

    land(25);
    assertThat(keys()).containsExactlyElementsOf(good);
  }

  /** The operator skips nothing: the task stops at the same record, and nothing lands twice. */
  @ParameterizedTest
  @EnumSource
  void restartsAloneChangeNothing(Fault fault) throws Exception {
    good(20);
    bad(fault);
    good(20);
    String first = stopped(100);

    for (int i = 0; i < 5; i++) {
      assertThat(stopped(100)).isEqualTo(first);
    }
    assertThat(keys()).containsExactlyElementsOf(good.subList(0, 20));
  }

  /**
   * The bad record was found in a full chunk. After it is read again its chunk is not full, and an
   * interval may be hours.
   */
  @ParameterizedTest
  @EnumSource
  void recordThatWasFoundBadDoesNotWaitForTheNextFlush(Fault fault) throws Exception {
    good(20);
    bad(fault);
    good(11);

    stopped(task(1_000, 3_600_000));
    assertThat(keys()).containsExactlyElementsOf(good.subList(0, 20));
  }

  private String stopped(long batchRecords) {
    return stopped(task(batchRecords, 200));
  }

  private static String stopped(TestTask started) {
    try (TestTask task = started) {
      task.open(0);
      LandingException[] stopped = new LandingException[1];
      assertThatThrownBy(() -> task.pollUntilLanded(0))
          .isInstanceOfSatisfying(LandingException.class, refusal -> stopped[0] = refusal);
      return String.valueOf(stopped[0].getMessage());
    }
  }

  private void land(long batchRecords) {
    try (TestTask task = task(batchRecords, 200)) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private void skipAsToldBy(String error) throws Exception {
    ToldSkip.apply(error, topic, storage);
  }

  private List<String> keys() throws IOException {
    return LandedRows.keys(storage, ROOT);
  }

  private TestTask task(long batchRecords, long intervalMs) {
    return new TestTask(
        topic,
        storage,
        new Schemas(),
        FramingReader::new,
        PartitionSpec.NONE,
        Optional.empty(),
        batchRecords,
        100,
        BadRecords.STOP,
        new Limits(64 << 20, 100, 1_000, intervalMs));
  }

  private void good(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "k%03d".formatted(good.size());
      topic.produce(0, Quotes.framed(1, SCHEMA, key, 1L));
      good.add(key);
    }
  }

  private void bad(Fault fault) throws IOException {
    switch (fault) {
      case DAMAGED ->
          topic.produce(0, ByteBuffer.allocate(8).put((byte) 0).putInt(1).put((byte) 100).array());
      case UNFRAMED -> topic.produce(0, new byte[] {'{', '"', 'a', '"', '}'});
      case UNKNOWN_SCHEMA ->
          topic.produce(0, ByteBuffer.allocate(6).put((byte) 0).putInt(4711).array());
      case TOMBSTONE -> topic.tombstone(0);
      case OTHER_TYPE -> topic.produce(0, Quotes.framed(2, quote("string"), "bad", "dear"));
      case NOT_A_TABLE -> topic.produce(0, new byte[] {0, 0, 0, 0, 3, 2, 'a'});
    }
  }

  private static Schema quote(String price) {
    return SchemaBuilder.record("Quote")
        .fields()
        .requiredString("key")
        .name("price")
        .type(price)
        .noDefault()
        .endRecord();
  }

  /** Id 1 is the table's schema, 2 has another type for a field, and 3 is not a record. */
  private static final class Schemas implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      if (id.equals(SchemaId.of(1))) {
        return new RegisteredSchema(id, SCHEMA);
      }
      if (id.equals(SchemaId.of(2))) {
        return new RegisteredSchema(id, quote("string"));
      }
      if (id.equals(SchemaId.of(3))) {
        return new RegisteredSchema(id, Schema.create(Schema.Type.STRING));
      }
      throw SchemaNotFoundException.unknown(id, 40403, location());
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
