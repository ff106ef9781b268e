package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.pipeline.setting.LandingException;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.routing.Routing;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.OperatorConsent;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.registry.wire.FramingReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * The topic {@code quotes}, whose rows have a key and a price, and the store that its one
 * topic-partition lands in. Used by one thread.
 */
public final class Quotes {
  public static final Schema SCHEMA =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .endRecord();
  public static final int SCHEMA_ID = 1;
  static final StoragePath ROOT = new StoragePath("/topics/quotes");
  public static final StoragePath LOG = new StoragePath("/logs/quotes/quotes/0");

  /** How long a task may take to land a few records, or to stop instead. */
  private static final long LANDING_MS = 3_000;

  public final FakeTopic topic = new FakeTopic("quotes");
  public final MemoryStorage storage = new MemoryStorage();

  /** The keys of all records that were produced, in order. */
  public final List<String> produced = new ArrayList<>();

  /** Produces records with a key of their own each. */
  public void produce(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      produce("k" + produced.size());
    }
  }

  public void produce(String key) throws IOException {
    produce(SCHEMA_ID, SCHEMA, key, 1L);
  }

  /** Produces a record of a schema whose fields have the names of {@link #SCHEMA}'s. */
  public void produce(int schemaId, Schema schema, String key, Object price) throws IOException {
    topic.produce(0, framed(schemaId, schema, key, price));
    produced.add(key);
  }

  /** Such a record, with Confluent's bytes in front. */
  static byte[] framed(int schemaId, Schema schema, String key, Object price) throws IOException {
    GenericData.Record row = new GenericData.Record(schema);
    row.put("key", key);
    row.put("price", price);
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    framed.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(framed, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(row, encoder);
    encoder.flush();
    return framed.toByteArray();
  }

  /** A task that lands so many records a batch into an unpartitioned table. */
  TestTask task(long batchRecords) {
    return task(batchRecords, 100);
  }

  TestTask task(long batchRecords, int retainedEntries) {
    return new TestTask(
        topic,
        storage,
        new OneSchema(SCHEMA, SCHEMA_ID),
        PartitionSpec.NONE,
        Optional.empty(),
        batchRecords,
        retainedEntries);
  }

  /** A task with an operator's consent. */
  TestTask task(long batchRecords, OperatorConsent consent) {
    return task(batchRecords, consent, TestTask.BadRecords.STOP);
  }

  /** A task that leaves records without a value out. */
  TestTask taskThatIgnoresTombstones() {
    return task(
        100, OperatorConsent.NONE, new TestTask.BadRecords(Optional.empty(), NullValues.IGNORE, 1));
  }

  private TestTask task(
      long batchRecords, OperatorConsent consent, TestTask.BadRecords badRecords) {
    return new TestTask(
        topic,
        storage,
        new OneSchema(SCHEMA, SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, PartitionSpec.NONE)),
        Optional.empty(),
        batchRecords,
        100,
        badRecords,
        TestTask.Limits.WIDE,
        Clock.systemUTC(),
        consent);
  }

  /** A task that commits when its limits say so, by a clock. */
  TestTask task(long batchRecords, TestTask.Limits limits, Clock wall) {
    return new TestTask(
        topic,
        storage,
        new OneSchema(SCHEMA, SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, PartitionSpec.NONE)),
        Optional.empty(),
        batchRecords,
        100,
        TestTask.BadRecords.STOP,
        limits,
        wall,
        OperatorConsent.NONE);
  }

  /** The consent that an error asks for. */
  static OperatorConsent consentTo(LandingException refusal) {
    Matcher step =
        Pattern.compile("operator\\.consent=([0-9a-f-]{36})")
            .matcher(String.valueOf(refusal.getMessage()));
    if (!step.find()) {
      throw new AssertionError("no step is printed", refusal);
    }
    return new OperatorConsent(Set.of(UUID.fromString(step.group(1))));
  }

  /** A task that lands all that there is as one batch. */
  TestTask task(PartitionSpec partitioning, Optional<Registrar> registrar) {
    return new TestTask(
        topic, storage, new OneSchema(SCHEMA, SCHEMA_ID), partitioning, registrar, 1_000, 100);
  }

  /** Opens the task, lands all that the topic has, and closes the task. */
  public void land(TestTask task) {
    try (task) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  /**
   * As {@link #land}, but the task may stop, or land nothing for some seconds.
   *
   * @return why it stopped; empty if it did not
   */
  Optional<LandingException> landOrStop(TestTask task) {
    try (task) {
      task.open(0);
      task.reaches(LANDING_MS, () -> task.landed(0));
      return Optional.empty();
    } catch (LandingException e) {
      return Optional.of(e);
    }
  }

  /** The key of every row in the table. */
  public List<String> keys() throws IOException {
    return LandedRows.keys(storage, ROOT);
  }

  public CommitLog log() {
    return new CommitLog(storage, LOG);
  }

  /** The next offset by the log. */
  public long next() throws IOException, CorruptLogException {
    return log().last().orElseThrow().entry().state().next();
  }
}
