package io.tidemark.connect.faults;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.reckon.InboxAccounts;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.health.TaskHealth;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.intake.ConsumerControl;
import io.tidemark.connect.intake.LandingException;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Scheduling;
import io.tidemark.connect.intake.SettingsDraft;
import io.tidemark.connect.pipeline.LandingPipeline;
import io.tidemark.connect.staging.HivePartitionLimit;
import io.tidemark.connect.staging.MemoryBudget;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.Storage;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.DeliveredRecord;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.TableSchemas;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A task in a process of its own. It polls as the framework does, and passes the records to a real
 * pipeline. A topic-partition that it regards as its own may already have another owner.
 */
final class SimulatedTask implements ConsumerControl {
  private static final int POLL_RECORDS = 10;
  private static final int PATIENT = 1_000_000;
  private static final long DEAD_LETTER_TIMEOUT_MS = 1_000;
  private static final long TAIL_INTERVAL_MS = 1_500;

  private final World world;
  private final int number;
  private final boolean withCatalog;
  private final SimulatedDirectory kafka;
  private final SimulatedProcess process;
  private final LandingPipeline pipeline;
  private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();

  /**
   * The positions that the framework knows. It does not learn of a new position that the consumer
   * finds by itself.
   */
  private final Map<TopicPartition, Long> told = new LinkedHashMap<>();

  /** The positions of topic-partitions before a seek back. */
  private final Map<TopicPartition, Long> sentBack = new LinkedHashMap<>();

  private final Map<TopicPartition, Long> sought = new LinkedHashMap<>();

  /** The records that the pipeline got, by offset, and is not about to read again. */
  private final Map<TopicPartition, NavigableMap<Long, SourceRecord>> accepted = new HashMap<>();

  // The framework regards a position that was sought as committed. It reports this position for all
  // topic-partitions for which the task returns none.
  private final Map<TopicPartition, GroupOffset> takenForCommitted = new LinkedHashMap<>();

  /** The life of each topic in which the consumer got its first position. */
  private final Map<TopicPartition, Integer> openedIn = new HashMap<>();

  /** The latest leader epochs that the consumer knows. */
  private final Map<TopicPartition, Integer> leaderEpochs = new HashMap<>();

  private final Set<TopicPartition> paused = new HashSet<>();
  private long callAgainMs;
  private int pollsBeforeItHears;
  private Optional<LandingException> failure = Optional.empty();

  SimulatedTask(World world, SimulatedProcess process, int number) {
    this.number = number;
    this.world = world;
    this.withCatalog = world.connector().withCatalog();
    this.kafka = new SimulatedDirectory(world.kafka(), process);
    this.process = process;
    Landing landing = world.landing();
    Storage storage = new GatedStorage(world.storageOf(process), process);
    MemoryBudget memory = new MemoryBudget(64 << 20);
    StagingResources staging =
        new StagingResources(
            storage,
            new StagingSettings(8, 1 << 16, landing.hivePartitions(), 4, landing.files()),
            memory,
            process,
            process,
            new AvroFileFactory(BlockCodec.of("null"), 1 << 10, memory::idleBytes),
            CompiledPlans.shared(),
            new HivePartitionLimit(0, storage, () -> 0, process.wall()),
            new ConcurrentLinkedQueue<>(),
            new AtomicInteger());
    pipeline =
        new LandingPipeline(
            PipelineServices.of(
                SettingsDraft.settings(
                    World.LOG_ID,
                    new Claimant(World.LOG_ID, number, "worker"),
                    draft -> {
                      draft.batchRecords = landing.batchRecords();
                      draft.batchBytes = Long.MAX_VALUE;
                      draft.batchOffsetRanges = landing.batchOffsetRanges();
                      draft.batchIntervalMs = landing.batchIntervalMs();
                      draft.backoffMs = 1_000;
                      draft.registrationBacklog = 10;
                      draft.retainedEntries = landing.retainedEntries();
                      draft.offsetDigits = 1;
                      draft.nullValues = landing.nullValues();
                      draft.deadLettersInFlight = landing.deadLettersInFlight();
                      draft.deadLetterTimeoutMs = DEAD_LETTER_TIMEOUT_MS;
                      draft.clusterCheckTimeoutMs = 120_000;
                      draft.endCheckIntervalMs = TAIL_INTERVAL_MS;
                      draft.partitionEnds = landing.partitionEnds(number);
                      draft.onRefusal = landing.onRefusal();
                      draft.consent = world.operator().consent();
                    }),
                new Scheduling(
                    process,
                    process,
                    process,
                    process,
                    world.simulation().monotonic(),
                    process.wall(),
                    new Random(world.simulation().random().nextLong())),
                staging,
                world.operator().directory(kafka, process),
                withCatalog ? Optional.of(registrar(storage)) : Optional.empty(),
                Optional.of(accounts(storage)),
                landing.deadLetters()
                    ? Optional.of(world.deadLetters().of(process))
                    : Optional.empty(),
                new TaskHealth(
                    new Waits(Map.of(), world.simulation().monotonic(), process.wall()),
                    List.of(),
                    world.simulation().monotonic(),
                    process.wall())),
            World.LOGS,
            topic ->
                new SchemaBinder(
                    new GatedRegistry(process, world.refusals()::schemas),
                    FramingReader::new,
                    world.tables().routing(topic),
                    layout -> new TableSchemas(storage, layout),
                    true,
                    1_000,
                    SchemaLimits.DEFAULT,
                    Optional.empty(),
                    Optional.empty()),
            this);
    pollSoon();
  }

  private Accounts accounts(Storage storage) {
    Accounts accounts = new InboxAccounts(storage, World.LEDGER, process.wall(), topic -> true);
    return new Accounts() {
      @Override
      public void put(Account account) throws IOException {
        accounts.put(account);
        world.reckoners().ifPresent(each -> each.accounted(account));
      }

      @Override
      public Map<TopicPartition, LogFolding.Released> released() throws IOException {
        return world.reckoners().isPresent() ? accounts.released() : all();
      }

      /** Without a reckoner, logs would only be folded at 900 entries. */
      private Map<TopicPartition, LogFolding.Released> all() {
        Map<TopicPartition, LogFolding.Released> all = new HashMap<>();
        for (String topic : world.topics()) {
          IntStream.range(0, 16)
              .mapToObj(each -> new TopicPartition(topic, each))
              .forEach(each -> all.put(each, LogFolding.Released.ALL));
        }
        return all;
      }
    };
  }

  private Registrar registrar(Storage storage) {
    return new Registrar(
        storage,
        new GatedCatalog(world.catalog(), process),
        table -> Map.of(),
        world.simulation().monotonic());
  }

  SimulatedProcess process() {
    return process;
  }

  /** The number that Connect has given it. A task that Connect cannot reach may have the same. */
  int number() {
    return number;
  }

  /** True if its configuration has a catalog. */
  boolean withCatalog() {
    return withCatalog;
  }

  /** The error that stopped the task, if there is one. */
  Optional<LandingException> failure() {
    return failure;
  }

  /** True if a topic is refused until an operator has acted. */
  boolean refused() {
    return pipeline.load().health() == HealthState.REFUSED;
  }

  /** What the task waits for, as its status says; empty if it works. */
  String waitsFor() {
    return pipeline.load().pausedBecause();
  }

  /** What a topic-partition waits for, as its status says; empty if it works. */
  String waitsFor(TopicPartition topicPartition) {
    return pipeline.progress(topicPartition).map(TopicPartitionProgress::because).orElse("");
  }

  /**
   * The records of a topic-partition that the task has accepted and not committed; none while it
   * does not read the topic-partition, and may have ignored the last ones.
   */
  List<SourceRecord> accepted(TopicPartition topicPartition) {
    return paused.contains(topicPartition) || sought.containsKey(topicPartition)
        ? List.of()
        : List.copyOf(
            accepted
                .getOrDefault(topicPartition, new TreeMap<>())
                .tailMap(Math.max(0, committed(topicPartition)), true)
                .values());
  }

  Optional<TopicPartitionProgress> progress(TopicPartition topicPartition) {
    return pipeline.progress(topicPartition);
  }

  /** The UUID of a topic-partition's claim, once the framework knows it; empty between claims. */
  String claim(TopicPartition topicPartition) {
    return takenForCommitted.getOrDefault(topicPartition, new GroupOffset(0, "")).metadata();
  }

  boolean lives() {
    return !process.dead();
  }

  Set<TopicPartition> assigned() {
    return Set.copyOf(positions.keySet());
  }

  /** The next offset of the log, as the task reports it. */
  long committed(TopicPartition topicPartition) {
    return pipeline.groupOffset(topicPartition).orElse(-1);
  }

  /** Assigns topic-partitions, after revoking those that the task still regards as its own. */
  void reopen(Collection<TopicPartition> topicPartitions) {
    close(topicPartitions, false);
    for (TopicPartition opened : topicPartitions) {
      positions.put(opened, world.kafka().groupOffset(opened));
      told.put(opened, world.kafka().groupOffset(opened));
      takenForCommitted.put(opened, new GroupOffset(world.kafka().groupOffset(opened), ""));
      sentBack.remove(opened);
      openedIn.put(opened, world.kafka().life(opened.topic()));
      kafka.positioned(opened.topic());
      paused.remove(opened);
    }
    pipeline.open(topicPartitions);
  }

  /**
   * Revokes topic-partitions.
   *
   * @param patient true to wait for running work, as long as every service is available
   */
  void close(Collection<TopicPartition> topicPartitions, boolean patient) {
    if (patient) {
      world.simulation().drain(process);
      process.workAtOnce(PATIENT);
    }
    pipeline.close(topicPartitions);
    process.workAtOnce(0);
    topicPartitions.forEach(each -> world.delivered().closed(this, each));
    accepted.keySet().removeAll(topicPartitions);
    positions.keySet().removeAll(topicPartitions);
    told.keySet().removeAll(topicPartitions);
    sought.keySet().removeAll(topicPartitions);
    takenForCommitted.keySet().removeAll(topicPartitions);
  }

  /**
   * Kafka delivers records a second time if it still has them. Except for its own seeks, the
   * position of a task's consumer is never below the offsets that the task has accepted.
   */
  void rewind(TopicPartition topicPartition, long records) {
    positions.computeIfPresent(
        topicPartition,
        (same, position) -> {
          sentBack.put(topicPartition, position);
          told.put(topicPartition, Math.max(0, position - records));
          return Math.max(0, position - records);
        });
  }

  /**
   * The framework informs the task only after this number of polls that other tasks own its
   * topic-partitions.
   */
  void hearsAfter(int polls) {
    pollsBeforeItHears = polls;
  }

  private void poll() {
    List<TopicPartition> taken = world.takenFrom(this);
    if (!taken.isEmpty() && pollsBeforeItHears-- <= 0) {
      close(taken, false);
    }
    sought.forEach(
        (topicPartition, offset) -> {
          positions.put(topicPartition, offset);
          told.put(topicPartition, offset);
          sentBack.remove(topicPartition);
          takenForCommitted.put(topicPartition, new GroupOffset(offset, ""));
        });
    sought.clear();
    try {
      for (TopicPartition topicPartition : List.copyOf(positions.keySet())) {
        if (!paused.contains(topicPartition)) {
          take(topicPartition);
        }
      }
      pipeline.endOfPut();
      if (refused()) {
        world.operator().read(waitsFor());
      }
    } catch (LandingException e) {
      process.die();
      if (!deadLetterRefused(e) && !world.operator().cured(String.valueOf(e.getMessage()))) {
        failure = Optional.of(e);
      }
      world.replaceAbsentLater();
      return;
    }
    if (process.dead()) {
      world.replaceAbsentLater();
      return;
    }
    commitOffsets();
    pollSoon();
  }

  private void commitOffsets() {
    var before = Map.copyOf(takenForCommitted);
    pipeline
        .tellGroup(told)
        .forEach((topicPartition, given) -> takenForCommitted.replace(topicPartition, given));
    if (takenForCommitted.equals(before)) {
      return;
    }
    takenForCommitted.forEach(
        (topicPartition, given) -> {
          if (world.owner(topicPartition).equals(Optional.of(this))) {
            noteBlindCommit(topicPartition, given);
            world.kafka().commit(topicPartition, given);
          }
        });
  }

  /**
   * The framework commits its first position of its own accord. If the topic was recreated, it is
   * an offset of the former life, at which the log of the next claim begins if it is empty.
   */
  private void noteBlindCommit(TopicPartition topicPartition, GroupOffset given) {
    if (given.metadata().isEmpty()
        && openedIn.getOrDefault(topicPartition, 0) < world.kafka().life(topicPartition.topic())
        && world.lastState(topicPartition).filter(each -> each.first() >= 0).isEmpty()) {
      world.kafka().positionedBlindly(topicPartition.topic());
    }
  }

  /**
   * A refused dead letter stops the task, as it should, and an operator restarts it. A task that
   * has not waited for its answer must not report that there was none.
   */
  private boolean deadLetterRefused(LandingException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("has not answered for")
        ? world.deadLetters().unanswered(process, DEAD_LETTER_TIMEOUT_MS)
        : message.contains("dead letter topic");
  }

  private List<SourceRecord> fetch(TopicPartition topicPartition) {
    long from = positions.getOrDefault(topicPartition, 0L);
    PartitionRecords present = world.kafka().of(topicPartition);
    PartitionRecords leader =
        world
            .kafka()
            .metadata()
            .fetchedFrom(topicPartition, leaderEpochs.getOrDefault(topicPartition, 0), from);
    leaderEpochs.put(topicPartition, leader.elections());
    long least = leader.earliest();
    boolean gone = from < least && least <= sentBack.getOrDefault(topicPartition, -1L);
    long position = world.kafka().position(topicPartition, leader, gone ? least : from);
    positions.replace(topicPartition, position);
    return leader == present && !world.kafka().hasLeader(topicPartition)
        ? List.of()
        : leader.fetch(position, POLL_RECORDS);
  }

  private void take(TopicPartition topicPartition) {
    List<SourceRecord> records = fetch(topicPartition);
    for (SourceRecord record : records) {
      positions.put(topicPartition, record.offset() + 1);
      told.put(topicPartition, record.offset() + 1);
      if (record.kind() == RecordKind.DROPPED) {
        continue;
      }
      accepted
          .computeIfAbsent(topicPartition, same -> new TreeMap<>())
          .put(record.offset(), record);
      pipeline.accept(
          topicPartition.topic(),
          topicPartition.partition(),
          new IncomingRecord(
              record.offset(),
              world.landing().wallclock() ? readNow(record) : record.timestamp(),
              null,
              record.value(),
              world.announcements().isPresent()
                  ? SimulatedAnnouncements.batchOf(record.offset())
                  : null,
              world.landing().deadLetters()
                  ? new SimulatedDeadLetters.Kept(record.key())
                  : DeliveredRecord.NOT_KEPT,
              null,
              null));
    }
  }

  private long readNow(SourceRecord record) {
    long timeMs = process.wall().instant().toEpochMilli();
    world.kafka().history().readAt(record, timeMs);
    return timeMs;
  }

  /** A poll waits for records, but not longer than its limit. */
  private void pollSoon() {
    boolean waiting =
        !sought.isEmpty()
            || positions.keySet().stream()
                .anyMatch(each -> !paused.contains(each) && !fetch(each).isEmpty());
    process.runAfter(waiting ? 1 : Math.max(1, callAgainMs), this::poll);
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
    accepted.getOrDefault(topicPartition, new TreeMap<>()).tailMap(offset, true).clear();
    // The framework seeks before its next poll, and may report the position before that.
    sought.put(topicPartition, offset);
  }

  @Override
  public void callAgainWithin(long ms) {
    callAgainMs = ms;
  }

  @Override
  public void requestCommit() {}
}
