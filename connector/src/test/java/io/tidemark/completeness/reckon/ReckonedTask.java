package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableRoot;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** A task's log of one topic-partition, and its accounts. */
final class ReckonedTask {
  private final ReckonedWorld world;
  private final Table table;
  private final TopicPartition topicPartition;
  private final CommitLog log;
  private int generation = 1;
  private String cluster = "cluster";
  private String topicId;
  private long number;
  private int files = 1;
  private long next;
  private RecordCounts counts = RecordCounts.NONE;
  private BatchIdCounts batchIds = BatchIdCounts.NONE;

  ReckonedTask(ReckonedWorld world, Table table, String topicId, TopicPartition topicPartition) {
    this.world = world;
    this.table = table;
    this.topicPartition = topicPartition;
    this.topicId = topicId;
    this.log = CommitLog.of(world.storage(), ReckonedWorld.LOGS, "sales", topicPartition);
  }

  /** The topic was recreated. */
  void nextGeneration(String newId) {
    generation++;
    topicId = newId;
    next = 0;
    counts = RecordCounts.NONE;
  }

  /** The task was configured with another cluster, which has a topic of this name. */
  void claimsFor(String otherCluster, String otherId) throws Exception {
    cluster = otherCluster;
    topicId = otherId;
    lands(Instant.EPOCH, 0);
  }

  /** Each batch has so many files from now on. */
  void withFiles(int each) {
    files = each;
  }

  /** The log and what the task knows of it, as a copy has it. */
  record Copy(long number, long next, RecordCounts counts) {}

  Copy copy() {
    return new Copy(number, next, counts);
  }

  /** An operator restores the log from a copy, or removes it. Checkpoints stay. */
  void restore(Copy copy) throws Exception {
    for (StoredFile file : world.storage().list(log.directory())) {
      if (file.path().name().compareTo("%020d.json".formatted(copy.number())) > 0) {
        assertThat(world.storage().delete(file.path())).isTrue();
      }
    }
    number = copy.number();
    next = copy.next();
    counts = copy.counts();
  }

  RecordCounts counts() {
    return counts;
  }

  long next() {
    return next;
  }

  /** Lands records with a time, and accounts for them. */
  void lands(Instant time, long records) throws Exception {
    account(land(time, records));
  }

  /** Lands records with a time that belong to an announced batch, and accounts for them. */
  void landsBatch(Instant time, long records, String id) throws Exception {
    account(landBatch(time, records, id));
  }

  /** Lands records with a time that belong to an announced batch. */
  SettledEntry landBatch(Instant time, long records, String id) throws Exception {
    batchIds =
        new BatchIdCounts(
            List.of(new BatchIdCount(id, Optional.of(table.name().toString()), records, 0, 0)), 0);
    SettledEntry landed = land(time, records);
    batchIds = BatchIdCounts.NONE;
    return landed;
  }

  /** Lands records with a time. */
  SettledEntry land(Instant time, long records) throws Exception {
    return append(time, records, OffsetRanges.NONE);
  }

  /** Kafka has deleted some records before the task read them. */
  void loses(long records) throws Exception {
    account(
        append(Instant.EPOCH, 0, new OffsetRanges(List.of(new OffsetRange(next, next + records)))));
  }

  private SettledEntry append(Instant time, long records, OffsetRanges lost) throws Exception {
    OffsetRange range = new OffsetRange(next, next + records + lost.size());
    NotLanded notLanded =
        new NotLanded(OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, lost);
    RecordCounts own = notLanded.counts(records);
    next = range.next();
    counts = counts.plus(own);
    LogState state =
        new LogState(
            new Generation(generation, cluster, topicId),
            0,
            next,
            counts,
            number,
            number,
            LogState.UNKNOWN,
            List.of(),
            List.of(),
            Map.of());
    log.create();
    UUID attempt = UUID.randomUUID();
    UUID claim = UUID.randomUUID();
    StoragePath staged =
        new StagingDirectories(world.storage(), "sales", topicPartition)
            .ofClaim(number + 1, claim)
            .in(table.layout())
            .child(attempt + "-1.avro");
    CommitEntry.Batch batch =
        new CommitEntry.Batch(
            attempt,
            log.last().map(before -> before.entry().identity()),
            state,
            world.now(),
            claim,
            range,
            own,
            notLanded,
            records == 0 ? List.of() : List.of(new TableRoot(table.name(), table.layout().root())),
            records == 0 ? List.of() : files(time, range, records, staged),
            batchIds);
    number++;
    if (!(log.append(number, batch) instanceof AppendOutcome.Appended<CommitEntry>)) {
      throw new AssertionError("entry " + number + " of " + topicPartition);
    }
    return SettledEntry.of(
        topicPartition.topic(), topicPartition.partition(), new NumberedEntry<>(number, batch));
  }

  private List<DataFile> files(Instant time, OffsetRange range, long records, StoragePath staged)
      throws Exception {
    DataFile one = file(time, range, records / files, staged);
    if (files == 1) {
      return List.of(one);
    }
    return IntStream.range(0, files)
        .mapToObj(
            each ->
                new DataFile(
                    one.table(),
                    staged.parent().child(staged.name() + each),
                    one.path().parent().child(each + one.path().name()),
                    one.hivePartition(),
                    one.records(),
                    one.bytes(),
                    one.codec(),
                    one.schemaVersion(),
                    one.schemaIds(),
                    range.first() + each,
                    range.first() + each,
                    time.toEpochMilli(),
                    time.toEpochMilli()))
        .toList();
  }

  private DataFile file(Instant time, OffsetRange range, long records, StoragePath staged)
      throws Exception {
    HivePartition hivePartition = ReckonedWorld.hour(time);
    var directory = table.layout().partitionDirectory(hivePartition);
    world.storage().makeDirectories(directory);
    return new DataFile(
        table.name(),
        staged,
        directory.child(topicPartition + "+" + number + ".avro"),
        hivePartition,
        records,
        records * 10,
        "null",
        1,
        List.of("1"),
        range.first(),
        range.next() - 1,
        time.toEpochMilli(),
        time.toEpochMilli());
  }

  /** Creates the staged file of the last batch, which was committed and not published. */
  void leaveStaged() throws Exception {
    CommitEntry last = log.last().orElseThrow().entry();
    DataFile file = last.asBatch().orElseThrow().files().get(0);
    world.memory().makeDirectories(file.staged().parent());
    try (OutputStream out = world.memory().create(file.staged())) {
      out.write(new byte[(int) file.bytes()]);
    }
  }

  void account(SettledEntry... entries) throws Exception {
    account(new TreeMap<>(), entries);
  }

  /** Puts an account of a task that has these topic-partitions. */
  void account(Map<String, List<Integer>> assigned, SettledEntry... entries) throws Exception {
    StoragePath unused =
        world
            .inbox()
            .put(
                new Account(
                    "sales",
                    0,
                    "4711@w1",
                    new TreeMap<>(assigned),
                    pointers(List.of(entries)),
                    List.of()),
                world.now());
  }

  /** Returns pointers to entries, of which readers see all Hive partitions. */
  static List<LogPointer> pointers(List<SettledEntry> entries) {
    return entries.stream()
        .map(
            entry ->
                new LogPointer(
                    entry.topic(),
                    entry.topicPartition(),
                    entry.number(),
                    entry.attempt(),
                    1,
                    List.of()))
        .toList();
  }

  /** Folds what the ledger has released, as a task does that retains one entry. */
  void foldReleased() throws Exception {
    ReleasedLogs released = new ReleasedLogs(world.storage(), world.folders());
    new LogFolding(
            log,
            1,
            Clock.fixed(world.now(), ZoneOffset.UTC),
            () -> released.read().getOrDefault(topicPartition, LogFolding.Released.NONE))
        .fold(number);
  }

  long folded() throws Exception {
    return log.checkpoint();
  }

  /** Deletes the settled entries, as folding does. */
  void fold() throws Exception {
    NumberedEntry<CommitEntry> last = log.last().orElseThrow();
    log.fold(
        last.number(),
        new CommitEntry.Checkpoint(
            UUID.randomUUID(), last.entry().identity(), last.entry().state(), world.now()));
  }
}
