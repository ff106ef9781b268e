package io.tidemark.connect.pipeline;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.completeness.decide.Accounts;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.intake.DeadLetterQueue;
import io.tidemark.connect.intake.FlushSchedule;
import io.tidemark.connect.intake.PartitionEnds;
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
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task over a {@link FakeTopic}. It polls as the framework does, and passes the records to a real
 * pipeline over the given store. Used by one thread.
 */
public final class TestTask implements ConsumerControl, AutoCloseable {
  static final StoragePath TOPICS = new StoragePath("/topics");
  static final StoragePath LOGS = new StoragePath("/logs");
  public static final int MOST_HIVE_PARTITIONS = 20;
  static final int OFFSET_RANGES = 200;
  static final int POLL_RECORDS = 50;
  static final long CLUSTER_CHECK_MS = 1_500;

  /** The addresses of the services, as in a configuration. */
  static final Map<Service, String> ADDRESSES =
      Map.of(
          Service.STORE, "hdfs://nn:8020",
          Service.KAFKA, "kafka:9092",
          Service.SCHEMA_REGISTRY, "http://registry:8081",
          Service.METASTORE, "thrift://hive:9083");

  private static final long DEADLINE_MS = 120_000;
  private static final long TAIL_INTERVAL_MS = 300;

  private final FakeTopic topic;
  private final FakeTopics topics;
  static final int WRITERS = 4;
  static final int OPEN_FILES = 4;

  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
  private final ExecutorService steps = Executors.newFixedThreadPool(4);
  private final ExecutorService catalog = Executors.newSingleThreadExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final Map<TopicPartition, Long> sought = new HashMap<>();
  private int seeks;
  private int commitsRequested;
  private long calledWithinMs;

  // The framework regards a position that was sought as committed. It reports this position for all
  // topic-partitions for which the task returns none.
  private final Map<TopicPartition, GroupOffset> takenForCommitted = new HashMap<>();
  private final Set<TopicPartition> paused = new HashSet<>();
  private final PollClock clock = new PollClock();
  private boolean offsetsHeldBack;
  private boolean resetToLatest;
  private boolean commitsBeforeSeeksOnly;
  private LongPredicate dropped = offset -> false;
  private LongFunction<@Nullable BatchId> batchIds = offset -> null;
  private long delivered;
  private final Queue<Future<?>> scheduled = new ConcurrentLinkedQueue<>();
  public final LandingPipeline pipeline;

  /** The handling of records that cannot land. */
  public record BadRecords(Optional<DeadLetterQueue> queue, NullValues nullValues, int inFlight) {
    static final BadRecords STOP = new BadRecords(Optional.empty(), NullValues.FAIL, 1);
  }

  /**
   * A schedule of additional flushes, the number of records that the task accepts in a second, and
   * the minimum of a file with the longest delay; 0 for no limit.
   */
  public record Pace(
      Optional<FlushSchedule> schedule,
      long recordsPerSecond,
      long fileMinBytes,
      long fileMaxDelayMs) {
    static final Pace NONE = new Pace(Optional.empty(), 0);

    Pace(Optional<FlushSchedule> schedule, long recordsPerSecond) {
      this(schedule, recordsPerSecond, 0, 0);
    }
  }

  /** The limit of buffered bytes, and other limits. */
  public record Limits(
      long memoryBytes,
      int registrationBacklog,
      int bindings,
      long batchIntervalMs,
      Optional<PartitionEnds> partitionEnds,
      OnRefusal onRefusal,
      Duration refusalDeadline,
      int hivePartitions,
      FileLimits files,
      Pace pace,
      boolean forHive,
      int perDay) {
    static final Limits WIDE = new Limits(64 << 20, 100, 1_000);

    Limits(long memoryBytes, int registrationBacklog, int bindings) {
      this(memoryBytes, registrationBacklog, bindings, 200);
    }

    Limits(long memoryBytes, int registrationBacklog, int bindings, long batchIntervalMs) {
      this(memoryBytes, registrationBacklog, bindings, batchIntervalMs, Optional.empty());
    }

    Limits(
        long memoryBytes,
        int registrationBacklog,
        int bindings,
        long batchIntervalMs,
        Optional<PartitionEnds> partitionEnds) {
      this(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          OnRefusal.STOP_TASK,
          Duration.ZERO,
          MOST_HIVE_PARTITIONS,
          FileLimits.NONE,
          Pace.NONE,
          true,
          0);
    }

    /** The same limits, with a maximum of Hive partitions in 24 hours, which pauses the topic. */
    Limits perDay(int most) {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          OnRefusal.HOLD_TOPIC,
          refusalDeadline,
          hivePartitions,
          files,
          pace,
          forHive,
          most);
    }

    /** The same limits; the task fails if it is refused for longer than the deadline. */
    Limits with(Duration deadline) {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          onRefusal,
          deadline,
          hivePartitions,
          files,
          pace,
          forHive,
          perDay);
    }

    /** The same limits, with another number of Hive partitions that a batch may touch. */
    Limits hivePartitions(int most) {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          onRefusal,
          refusalDeadline,
          most,
          files,
          pace,
          forHive,
          perDay);
    }

    /** The same limits, with files that end before their batch. */
    Limits files(FileLimits limits) {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          onRefusal,
          refusalDeadline,
          hivePartitions,
          limits,
          pace,
          forHive,
          perDay);
    }

    /** The same limits, with another pace. */
    Limits pace(Pace other) {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          onRefusal,
          refusalDeadline,
          hivePartitions,
          files,
          other,
          forHive,
          perDay);
    }

    /** The same limits, for tables without Hive. */
    Limits withoutHive() {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          onRefusal,
          refusalDeadline,
          hivePartitions,
          files,
          pace,
          false,
          perDay);
    }

    /** The same limits; a refusal by the topic's tables pauses the topic. */
    Limits holdingTopics() {
      return new Limits(
          memoryBytes,
          registrationBacklog,
          bindings,
          batchIntervalMs,
          partitionEnds,
          OnRefusal.HOLD_TOPIC,
          refusalDeadline,
          hivePartitions,
          files,
          pace,
          forHive,
          perDay);
    }
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      PartitionSpec partitioning,
      Optional<Registrar> registrar,
      long batchRecords,
      int retainedEntries) {
    this(
        topic,
        storage,
        registry,
        partitioning,
        registrar,
        batchRecords,
        retainedEntries,
        BadRecords.STOP);
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      PartitionSpec partitioning,
      Optional<Registrar> registrar,
      long batchRecords,
      int retainedEntries,
      BadRecords badRecords) {
    this(
        topic,
        storage,
        registry,
        FramingReader::new,
        partitioning,
        registrar,
        batchRecords,
        retainedEntries,
        badRecords,
        Limits.WIDE);
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      Supplier<SchemaIdReader> framing,
      PartitionSpec partitioning,
      Optional<Registrar> registrar,
      long batchRecords,
      int retainedEntries,
      BadRecords badRecords,
      Limits limits) {
    this(
        topic,
        storage,
        registry,
        framing,
        name -> Routing.toOne(table(name, partitioning)),
        registrar,
        batchRecords,
        retainedEntries,
        badRecords,
        limits,
        Clock.systemUTC());
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      Supplier<SchemaIdReader> framing,
      Function<String, Routing> routings,
      Optional<Registrar> registrar,
      long batchRecords,
      int retainedEntries,
      BadRecords badRecords,
      Limits limits,
      Clock wall) {
    this(
        topic,
        storage,
        registry,
        framing,
        routings,
        registrar,
        batchRecords,
        retainedEntries,
        badRecords,
        limits,
        wall,
        OperatorConsent.NONE);
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      Supplier<SchemaIdReader> framing,
      Function<String, Routing> routings,
      Optional<Registrar> registrar,
      long batchRecords,
      int retainedEntries,
      BadRecords badRecords,
      Limits limits,
      Clock wall,
      OperatorConsent consent) {
    this(
        topic,
        storage,
        registry,
        framing,
        routings,
        registrar,
        Optional.empty(),
        batchRecords,
        retainedEntries,
        badRecords,
        limits,
        wall,
        consent);
  }

  public TestTask(
      FakeTopic topic,
      Storage storage,
      SchemaRegistry registry,
      Supplier<SchemaIdReader> framing,
      Function<String, Routing> routings,
      Optional<Registrar> registrar,
      Optional<Accounts> accounts,
      long batchRecords,
      int retainedEntries,
      BadRecords badRecords,
      Limits limits,
      Clock wall,
      OperatorConsent consent) {
    this.topic = topic;
    this.topics = new FakeTopics(topic);
    MemoryBudget memory = new MemoryBudget(limits.memoryBytes());
    this.pipeline =
        new LandingPipeline(
            PipelineServices.of(
                SettingsDraft.settings(
                    "quotes",
                    new Claimant("quotes", 0, "worker"),
                    draft -> {
                      draft.batchRecords = batchRecords;
                      draft.batchBytes = Long.MAX_VALUE;
                      draft.batchOffsetRanges = OFFSET_RANGES;
                      draft.batchIntervalMs = limits.batchIntervalMs();
                      draft.fileMinBytes = limits.pace().fileMinBytes();
                      draft.fileMaxDelayMs = limits.pace().fileMaxDelayMs();
                      draft.closeTimeoutMs = 2_000;
                      draft.backoffMs = 50;
                      draft.registrationBacklog = limits.registrationBacklog();
                      draft.retainedEntries = retainedEntries;
                      draft.offsetDigits = 10;
                      draft.nullValues = badRecords.nullValues();
                      draft.deadLettersInFlight = badRecords.inFlight();
                      draft.deadLetterTimeoutMs = 2_000;
                      draft.clusterCheckTimeoutMs = CLUSTER_CHECK_MS;
                      draft.endCheckIntervalMs = TAIL_INTERVAL_MS;
                      draft.partitionEnds = limits.partitionEnds();
                      draft.flushSchedule = limits.pace().schedule();
                      draft.recordsPerSecond = limits.pace().recordsPerSecond();
                      draft.consent = consent;
                      draft.onRefusal = limits.onRefusal();
                      draft.refusalDeadline = limits.refusalDeadline();
                    }),
                new Scheduling(
                    steps,
                    steps,
                    catalog,
                    (pauseMs, work) -> scheduled.add(timer.schedule(work, pauseMs, MILLISECONDS)),
                    clock,
                    wall,
                    new Random()),
                new StagingResources(
                    storage,
                    new StagingSettings(
                        16, 1 << 16, limits.hivePartitions(), OPEN_FILES, limits.files()),
                    memory,
                    workers,
                    writers,
                    new AvroFileFactory(BlockCodec.of("null"), 1 << 10, memory::idleBytes),
                    CompiledPlans.shared(),
                    new HivePartitionLimit(limits.perDay(), storage, clock, wall),
                    new ConcurrentLinkedQueue<>(),
                    new AtomicInteger()),
                topics,
                registrar,
                accounts,
                badRecords.queue(),
                new TaskHealth(new Waits(ADDRESSES, clock, wall), List.of(), clock, wall)),
            LOGS,
            name ->
                new SchemaBinder(
                    registry,
                    framing,
                    routings.apply(name),
                    layout -> new TableSchemas(storage, layout),
                    limits.forHive(),
                    limits.bindings(),
                    SchemaLimits.DEFAULT,
                    Optional.empty(),
                    Optional.empty()),
            this);
  }

  /** The process was suspended: time has passed, in which it did nothing. */
  public void wakeAfter(long ms) {
    clock.forward(ms);
  }

  /** While true, the group does not accept committed offsets. */
  void holdOffsetsBack(boolean so) {
    offsetsHeldBack = so;
  }

  /** The consumer has {@code auto.offset.reset=latest}, not {@code earliest}. */
  TestTask resettingToLatest() {
    resetToLatest = true;
    return this;
  }

  /** The framework commits offsets only when it has received a seek that it has not done yet. */
  TestTask committingBeforeSeeks() {
    commitsBeforeSeeksOnly = true;
    return this;
  }

  /** A transform of the connector drops the records at these offsets. */
  TestTask dropping(LongPredicate offsets) {
    dropped = offsets;
    return this;
  }

  /** The records at these offsets have ids of announced batches. */
  public TestTask announcing(LongFunction<@Nullable BatchId> ids) {
    batchIds = ids;
    return this;
  }

  private long resetTo(FakeTopic source, int partition) {
    return resetToLatest ? source.end(partition) : source.earliest(partition);
  }

  public static Table table(String name, PartitionSpec partitioning) {
    return new Table(
        new TableName("default", name),
        TableLayout.of(TOPICS, name),
        partitioning,
        TableOptions.DEFAULT);
  }

  public void open(int... partitions) {
    open(topic, partitions);
  }

  /** Opens topic-partitions of another topic, too. */
  void open(FakeTopic source, int... partitions) {
    topics.add(source);
    List<TopicPartition> opened = new ArrayList<>();
    for (int partition : partitions) {
      TopicPartition topicPartition = new TopicPartition(source.name, partition);
      long position = source.groupOffsets.getOrDefault(topicPartition, resetTo(source, partition));
      positions.put(topicPartition, position);
      takenForCommitted.put(topicPartition, new GroupOffset(position, ""));
      opened.add(topicPartition);
    }
    pipeline.open(opened);
  }

  /** One poll and one put(). */
  public void poll() {
    clock.polled();
    sought.forEach(
        (topicPartition, offset) -> {
          positions.put(topicPartition, offset);
          takenForCommitted.put(topicPartition, new GroupOffset(offset, ""));
        });
    sought.clear();
    for (TopicPartition topicPartition : List.copyOf(positions.keySet())) {
      if (paused.contains(topicPartition)) {
        continue;
      }
      int partition = topicPartition.partition();
      FakeTopic source = topics.of(topicPartition.topic());
      long position = positions.getOrDefault(topicPartition, 0L);
      if (position < source.earliest(partition) || position > source.end(partition)) {
        position = resetTo(source, partition);
        positions.put(topicPartition, position);
      }
      for (FakeTopic.Fetched fetched : source.fetch(partition, position, POLL_RECORDS)) {
        positions.put(topicPartition, fetched.offset() + 1);
        if (dropped.test(fetched.offset())) {
          continue;
        }
        delivered++;
        pipeline.accept(
            source.name,
            topicPartition.partition(),
            new IncomingRecord(
                fetched.offset(),
                1_000,
                null,
                fetched.value().orElse(null),
                batchIds.apply(fetched.offset()),
                new FakeDeadLetterQueue.Delivered(topicPartition + "@" + fetched.offset()),
                null,
                null));
      }
    }
    pipeline.endOfPut();
    commitOffsets();
  }

  private void commitOffsets() {
    if (commitsBeforeSeeksOnly && sought.isEmpty()) {
      return;
    }
    var before = Map.copyOf(takenForCommitted);
    Map<TopicPartition, GroupOffset> told = pipeline.tellGroup(positions);
    if (offsetsHeldBack) {
      return;
    }
    takenForCommitted.putAll(told);
    if (!takenForCommitted.equals(before)) {
      takenForCommitted.forEach(
          (topicPartition, given) ->
              topics.of(topicPartition.topic()).commit(topicPartition, given));
    }
  }

  /** The offset that each opened topic-partition may commit for the group, as far as known. */
  public Map<TopicPartition, Long> committedOffsets() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (TopicPartition each : positions.keySet()) {
      pipeline.groupOffset(each).ifPresent(offset -> offsets.put(each, offset));
    }
    return offsets;
  }

  /** True if the pipeline has received all present records of the topic-partition. */
  boolean received(int partition) {
    TopicPartition topicPartition = new TopicPartition(topic.name, partition);
    long position = positions.getOrDefault(topicPartition, 0L);
    return !paused.contains(topicPartition)
        && !sought.containsKey(topicPartition)
        && topic.fetch(partition, position, 1).isEmpty();
  }

  boolean isPaused(int partition) {
    return paused.contains(new TopicPartition(topic.name, partition));
  }

  /**
   * The number of records that the pipeline received, including those that were delivered again.
   */
  public long delivered() {
    return delivered;
  }

  public void pollUntil(BooleanSupplier reached) {
    if (!reaches(DEADLINE_MS, reached)) {
      throw new AssertionError(
          "not reached in %d ms; committed: %s; %s"
              .formatted(DEADLINE_MS, committedOffsets(), pipeline.load()));
    }
  }

  /**
   * Polls until the condition is true, or until the time has passed.
   *
   * @return whether it is true
   */
  public boolean reaches(long withinMs, BooleanSupplier reached) {
    long deadline = System.nanoTime() + MILLISECONDS.toNanos(withinMs);
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      poll();
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  /**
   * Polls until the log covers all present records of the topic. Markers at the end do not count.
   */
  public void pollUntilLanded(int... partitions) {
    pollUntil(() -> landed(partitions));
  }

  /** True if the log covers all present records of the topic. Markers at the end do not count. */
  boolean landed(int... partitions) {
    return landed(topic, partitions);
  }

  /** As {@link #landed(int...)}, of another topic. */
  boolean landed(FakeTopic source, int... partitions) {
    for (int partition : partitions) {
      TopicPartition topicPartition = new TopicPartition(source.name, partition);
      if (committedOffsets().getOrDefault(topicPartition, -1L) < source.end(partition)) {
        return false;
      }
    }
    return true;
  }

  /** Kills the task. None of its work continues. */
  public void kill() {
    workers.shutdownNow();
    writers.shutdownNow();
    steps.shutdownNow();
    catalog.shutdownNow();
    timer.shutdownNow();
  }

  @Override
  public void close() {
    pipeline.stop();
    kill();
  }

  /** The number of seeks of the consumer. */
  int seeks() {
    return seeks;
  }

  @Override
  public void pause(Collection<TopicPartition> topicPartitions) {
    paused.addAll(topicPartitions);
  }

  @Override
  public void resume(Collection<TopicPartition> topicPartitions) {
    paused.removeAll(topicPartitions);
  }

  @Override
  public void seek(TopicPartition topicPartition, long offset) {
    seeks++;
    // The framework seeks before its next poll, and may report the position before that.
    sought.put(topicPartition, offset);
  }

  @Override
  public void callAgainWithin(long ms) {
    calledWithinMs = ms;
  }

  /** The time within which the task wants to be called again. */
  long calledWithinMs() {
    return calledWithinMs;
  }

  @Override
  public void requestCommit() {
    commitsRequested++;
  }

  /** The number of times that the task requested a commit of offsets. */
  int commitsRequested() {
    return commitsRequested;
  }
}
