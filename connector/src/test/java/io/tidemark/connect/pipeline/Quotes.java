package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
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
 * The topic {@code quotes}, with a key and a price in each row, and the store in which its one
 * topic-partition lands. Used by one thread.
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

  /** The time that a task may take to land a few records, or to stop. */
  private static final long LANDING_MS = 3_000;

  public final FakeTopic topic = new FakeTopic("quotes");
  public final MemoryStorage storage = new MemoryStorage();

  /** The keys of all records that were produced, in order. */
  public final List<String> produced = new ArrayList<>();

  /** Produces records, each with a key of its own. */
  public void produce(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      produce("k" + produced.size());
    }
  }

  public void produce(String key) throws IOException {
    produce(SCHEMA_ID, SCHEMA, key, 1L);
  }

  /** Produces a record of a schema that has the field names of {@link #SCHEMA}. */
  public void produce(int schemaId, Schema schema, String key, Object price) throws IOException {
    topic.produce(0, framed(schemaId, schema, key, price));
    produced.add(key);
  }

  /** Such a record with Confluent's prefix. */
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

  /** A task with batches of this number of records and an unpartitioned table. */
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
    return task(batchRecords, consent, TestTask.BadRecords.STOP, TestTask.Limits.WIDE);
  }

  /** A task that skips records without a value. */
  TestTask taskThatIgnoresTombstones() {
    return taskThatIgnoresTombstones(TestTask.Limits.WIDE);
  }

  /** The same, with limits. */
  TestTask taskThatIgnoresTombstones(TestTask.Limits limits) {
    return task(
        100,
        OperatorConsent.NONE,
        new TestTask.BadRecords(Optional.empty(), NullValues.IGNORE, 1),
        limits);
  }

  private TestTask task(
      long batchRecords,
      OperatorConsent consent,
      TestTask.BadRecords badRecords,
      TestTask.Limits limits) {
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
        limits,
        Clock.systemUTC(),
        consent);
  }

  /** A task that commits by its limits and a clock. */
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

  /** The consent that an error requests. */
  static OperatorConsent consentTo(LandingException refusal) {
    Matcher step =
        Pattern.compile("operator\\.consent=([0-9a-f-]{36})")
            .matcher(String.valueOf(refusal.getMessage()));
    if (!step.find()) {
      throw new AssertionError("no step is printed", refusal);
    }
    return new OperatorConsent(Set.of(UUID.fromString(step.group(1))));
  }

  /** A task that lands all present records as one batch. */
  TestTask task(PartitionSpec partitioning, Optional<Registrar> registrar) {
    return new TestTask(
        topic, storage, new OneSchema(SCHEMA, SCHEMA_ID), partitioning, registrar, 1_000, 100);
  }

  /** Opens the task, lands all records of the topic, and closes the task. */
  public void land(TestTask task) {
    try (task) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  /**
   * Does the same as {@link #land}, but the task may stop, or land nothing for some seconds.
   *
   * @return the error that stopped it; empty if it did not stop
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

  /** The key of each row in the table. */
  public List<String> keys() throws IOException {
    return LandedRows.keys(storage, ROOT);
  }

  public CommitLog log() {
    return new CommitLog(storage, LOG);
  }

  /** The next offset of the log. */
  public long next() throws IOException, CorruptLogException {
    return log().last().orElseThrow().entry().state().next();
  }
}
