package io.tidemark.connect.pipeline;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.HdfsConnection;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Scheduling;
import io.tidemark.connect.intake.SettingsDraft;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.connect.staging.HivePartitionLimit;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that lands a {@link Load}. It is either a million records of 2 KB, spread over 500 Hive
 * partitions, with the connector's default limits, or a year of mixed hours with a few megabytes.
 * The program replaces the framework and its consumer. The heap is that of its JVM.
 */
final class LargeFlush implements ConsumerControl {
  private static final Logger LOG = LoggerFactory.getLogger(LargeFlush.class);

  static final Load LARGE = new Load(1_000_000, 500, 2_030, 256L << 20, 5_000);
  static final Load YEAR_OF_HOURS = new Load(87_600, 8_760, 430, 32L << 20, 10_000);
  static final StoragePath TOPICS = new StoragePath("/topics");
  static final String TOPIC = "large";

  static final Schema SCHEMA =
      SchemaBuilder.record("Large")
          .fields()
          .requiredInt("shard")
          .requiredLong("seq")
          .requiredString("text")
          .endRecord();

  private static final int TEXTS = 1_000;
  private static final int PUT_RECORDS = 500;
  private static final long DEADLINE_NANOS = TimeUnit.MINUTES.toNanos(15);
  private static final long CLOSE_MS = 300_000;
  private static final TopicPartition TOPIC_PARTITION = new TopicPartition(TOPIC, 0);
  private static final long YEAR_BEGINS_MS = Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();
  private static final long HOUR_MS = 3_600_000;

  private final Load load;
  private final String[] texts;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Queue<Future<?>> scheduled = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Optional<TopicMetadata.GroupOffset>> told =
      new AtomicReference<>(Optional.empty());
  private boolean commitAsked;
  private boolean paused;
  private long position;
  private long pausedNanos;
  private final LongAdder writerNanos = new LongAdder();

  private LargeFlush(Load load) {
    this.load = load;
    this.texts = texts(load.textChars());
  }

  /**
   * The records to land.
   *
   * @param files the largest number of files of a batch
   */
  record Load(int records, int hivePartitions, int textChars, long memoryBytes, int files) {

    /** The Hive partition of a record. Neighbouring records have different ones. */
    int shard(long seq) {
      return (int) (seq * 7_919 % hivePartitions);
    }
  }

  /** {@code arguments}: the URL of an HDFS, or of a directory for a year of hours. */
  public static void main(String[] arguments) {
    int status = 1;
    URI url = URI.create(arguments[0]);
    boolean inDirectory = "file".equals(url.getScheme());
    try (Storage storage =
        inDirectory
            ? new LocalStorage(Path.of(url))
            : new HdfsConnection(url, Optional.empty(), Map.of(), HadoopUser.OF_THE_PROCESS)
                .open()) {
      new LargeFlush(inDirectory ? YEAR_OF_HOURS : LARGE).land(storage);
      status = 0;
    } catch (Exception e) { // after any error, all threads must end
      LOG.error("not landed", e);
    }
    System.exit(status);
  }

  private void land(Storage storage) throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(2);
    ExecutorService writers = Executors.newFixedThreadPool(8);
    ExecutorService steps = Executors.newFixedThreadPool(8);
    LandingPipeline pipeline = pipeline(storage, workers, timed(writers), steps);
    pipeline.open(List.of(TOPIC_PARTITION));
    long begun = System.nanoTime();
    while (position < load.records()) {
      put(pipeline, begun);
    }
    long allTaken = System.nanoTime();
    // A memory limit also causes flushes, so the rest is smaller than a flush.
    pipeline.close(List.of(TOPIC_PARTITION));
    long landed = System.nanoTime();
    pipeline.stop();
    List<CommitEntry.Batch> batches =
        LandedRows.batches(storage, new StoragePath("/logs/large/large/0"));
    int files = batches.stream().mapToInt(batch -> batch.files().size()).sum();
    System.out.printf(
        "large flush: %d records in %d batches and %d files in %d ms, that is %.2f ms a file, of which the task was paused for %d ms; a file took %.2f ms of a writer; the last batch was published %d ms after its last record; in a heap of %d MB%n",
        load.records(),
        batches.size(),
        files,
        TimeUnit.NANOSECONDS.toMillis(landed - begun),
        (landed - begun) / 1e6 / files,
        TimeUnit.NANOSECONDS.toMillis(pausedNanos),
        writerNanos.sum() / 1e6 / files,
        TimeUnit.NANOSECONDS.toMillis(landed - allTaken),
        Runtime.getRuntime().maxMemory() >> 20);
  }

  private Executor timed(Executor writers) {
    return work ->
        writers.execute(
            () -> {
              long begun = System.nanoTime();
              work.run();
              writerNanos.add(System.nanoTime() - begun);
            });
  }

  /** One poll and one put(), as in the framework. */
  private void put(LandingPipeline pipeline, long begun) throws IOException {
    long now = System.nanoTime();
    if (now - begun > DEADLINE_NANOS) {
      throw new IllegalStateException("not landed: " + pipeline.load());
    }
    if (paused) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      pausedNanos += System.nanoTime() - now;
    } else {
      for (int i = 0; i < PUT_RECORDS && position < load.records() && !paused; i++) {
        long offset = position++;
        pipeline.accept(
            TOPIC,
            0,
            new IncomingRecord(
                offset,
                YEAR_BEGINS_MS + load.shard(offset) * HOUR_MS,
                null,
                value(offset),
                null,
                DeliveredRecord.NOT_KEPT,
                null,
                null));
      }
    }
    pipeline.endOfPut();
    if (commitAsked) {
      commitAsked = false;
      told.set(
          Optional.ofNullable(
              pipeline.tellGroup(Map.of(TOPIC_PARTITION, position)).get(TOPIC_PARTITION)));
    }
  }

  /** The value of a record. Neighbouring records have different Hive partitions. */
  private byte[] value(long seq) throws IOException {
    var value = new ByteArrayOutputStream(load.textChars() + 32);
    value.writeBytes(new byte[] {0, 0, 0, 0, 1});
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(value, null);
    encoder.writeInt(load.shard(seq));
    encoder.writeLong(seq);
    encoder.writeString(texts[(int) (seq * 7 % TEXTS)]);
    return value.toByteArray();
  }

  /** Texts of random words. A codec compresses them to about a half. */
  private static String[] texts(int chars) {
    Random random = new Random(1);
    String[] made = new String[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder text = new StringBuilder(chars + 16);
      while (text.length() < chars) {
        text.append(Long.toString(random.nextInt(50_000), 36)).append(' ');
      }
      made[i] = text.substring(0, chars);
    }
    return made;
  }

  private PartitionSpec partitioning() {
    return load.equals(YEAR_OF_HOURS)
        ? new TimePartitioned(
            PathFormat.parse("'hour'=yyyy-MM-dd-HH", Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofHours(1),
            Optional.empty(),
            TimestampField.Unit.MILLIS)
        : new FieldPartitioned(List.of("shard"));
  }

  private LandingPipeline pipeline(
      Storage storage, Executor workers, Executor writers, Executor steps) {
    TableLayout layout = TableLayout.of(TOPICS, TOPIC);
    MemoryBudget memory = new MemoryBudget(load.memoryBytes());
    return new LandingPipeline(
        PipelineServices.of(
            SettingsDraft.settings(
                "large",
                new Claimant("large", 0, "worker"),
                draft -> {
                  draft.batchRecords = load.records();
                  draft.batchBytes = 4L << 30;
                  draft.batchOffsetRanges = 100_000;
                  draft.batchIntervalMs = 600_000;
                  draft.closeTimeoutMs = CLOSE_MS;
                  draft.backoffMs = 5_000;
                  draft.registrationBacklog = 10_000;
                  draft.retainedEntries = 100;
                  draft.offsetDigits = 10;
                  draft.deadLettersInFlight = 1_000;
                  draft.deadLetterTimeoutMs = 120_000;
                  draft.clusterCheckTimeoutMs = 120_000;
                  draft.endCheckIntervalMs = 600_000;
                }),
            new Scheduling(
                steps,
                steps,
                steps,
                (pauseMs, work) ->
                    scheduled.add(timer.schedule(work, pauseMs, TimeUnit.MILLISECONDS)),
                MonotonicClock.system(),
                Clock.systemUTC(),
                new Random()),
            new StagingResources(
                storage,
                new StagingSettings(4_096, 1 << 20, load.files(), 64, FileLimits.NONE),
                memory,
                workers,
                writers,
                new AvroFileFactory(BlockCodec.of("snappy"), 64 << 10, memory::idleBytes),
                CompiledPlans.shared(),
                new HivePartitionLimit(0, storage, () -> 0, Clock.systemUTC()),
                new ConcurrentLinkedQueue<>(),
                new AtomicInteger()),
            new OneTopic(load.records(), told::get),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new TaskHealth(
                new Waits(Map.of(), MonotonicClock.system(), Clock.systemUTC()),
                List.of(),
                MonotonicClock.system(),
                Clock.systemUTC())),
        new StoragePath("/logs"),
        topic ->
            new SchemaBinder(
                new OneSchema(SCHEMA, 1),
                FramingReader::new,
                Routing.toOne(
                    new Table(
                        new TableName("default", TOPIC),
                        layout,
                        partitioning(),
                        TableOptions.DEFAULT)),
                root -> new TableSchemas(storage, root),
                false,
                1_000,
                SchemaLimits.DEFAULT,
                Optional.empty(),
                Optional.empty()),
        this);
  }

  @Override
  public void pause(Collection<TopicPartition> topicPartitions) {
    paused = true;
  }

  @Override
  public void resume(Collection<TopicPartition> topicPartitions) {
    paused = false;
  }

  @Override
  public void seek(TopicPartition topicPartition, long offset) {
    position = offset;
  }

  @Override
  public void callAgainWithin(long ms) {}

  @Override
  public void requestCommit() {
    commitAsked = true;
  }

  private record OneTopic(long records, Supplier<Optional<GroupOffset>> group)
      implements TopicMetadata {
    @Override
    public TopicIdentity identity(String topic) {
      return new TopicIdentity("cluster", "topic-id");
    }

    @Override
    public TopicIdentity agreedIdentity(String topic) {
      return identity(topic);
    }

    @Override
    public boolean gone(TopicPartition topicPartition) {
      return false;
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) {
      return new RetainedOffsets(0, records, 0);
    }

    @Override
    public long earliest(TopicPartition topicPartition, int present) {
      return 0;
    }

    @Override
    public long greatestEnd(TopicPartition topicPartition) {
      return records;
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) {
      return Map.of(TOPIC_PARTITION, records);
    }

    @Override
    public Undelivered undelivered(
        TopicPartition topicPartition, OffsetRange offsets, int present) {
      return Undelivered.HAS_RECORDS;
    }

    @Override
    public OptionalLong truncatedAt(
        TopicPartition topicPartition, long next, int leaderEpoch, int present) {
      return OptionalLong.empty();
    }

    @Override
    public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) {
      return group.get();
    }

    @Override
    public void close() {}
  }
}
