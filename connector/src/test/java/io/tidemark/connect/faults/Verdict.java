package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The outcome of the records of a {@link World}: the rows of its tables, read by Avro's own
 * library, and the offsets of its logs.
 */
final class Verdict {
  private final World world;
  private final Map<String, Integer> rows = new HashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final Set<String> landedTopics = new HashSet<>();
  private int files;

  /** A hazard that a run may reach. The schedules together must reach all of them. */
  enum Hazard {
    CHECKPOINT,
    CLOCK_SET_BACK,
    CLOCK_SET_FORWARD,
    DEAD_LETTER,
    GAP,
    /** Offsets after the last record of a topic-partition were passed over. */
    TAIL,
    /** Records were compacted away. */
    COMPACTED,
    /** A batch ended because it would have touched too many Hive partitions. */
    FULL_BATCH,
    /** A batch had files in two tables. */
    ROUTED,
    /** A file ended before its batch did. */
    ROLLED_FILE,
    /** Hive partitions were selected by the time at which records were read. */
    WALLCLOCK,
    /** Records waited for the end of a transaction. */
    OPEN_TRANSACTION,
    /** A topic-partition had no leader for a while. */
    NO_LEADER,
    /** An announced batch was complete. */
    ANNOUNCED,
    /** An announced batch was incomplete, and the ledger said so. */
    MISCOUNTED,
    /** A consumer skipped to the end offset, over records that Kafka still had. */
    JUMPED,
    /** A batch without an offset records where an empty log begins. */
    PINNED,
    LATER_GENERATION,
    /** A topic was recreated while a task had records of it that were not committed. */
    DELIVERED_THEN_RECREATED,
    /** The Hive partitions of a table were registered after a catalog was switched on. */
    OPENED,
    RETAINED_AWAY,
    /** A batch was discarded because the leader changed. */
    LEADER_CHANGED,
    /** A task stopped because records that had landed were truncated. */
    TRUNCATED,
    /** A broker answered with the id of a deleted topic, after the log had a later id. */
    STALE_METADATA,
    /** A task had a topic-partition that no snapshot had. */
    HIDDEN_TOPIC,
    /** The metadata of a broker lacked a topic, or one of its topic-partitions. */
    OUTDATED_METADATA,
    /** A task stopped because its log was restored from an older copy. */
    OLDER_LOG,
    /** A task stopped because the logs were removed. */
    REMOVED_LOG,
    /** A task stopped because its table was removed, and went on when it was restored. */
    REMOVED_TABLE,
    /** A task stopped because its configuration named another cluster. */
    OTHER_CLUSTER,
    /** The reckoner asked another cluster than that from which records had landed. */
    OTHER_CLUSTER_ASKED,
    /** A topic vanished for so long that it counted as deleted. */
    VANISHED_TOPIC,
    /** A table was not complete because a topic-partition was idle. */
    IDLE,
    /** A topic was paused because of a refused record, and an operator acted. */
    REFUSED_TOPIC,
    /** A task stopped because of a refused record, and an operator acted. */
    REFUSED_TASK,
    /** All other topics landed while a topic was refused. */
    HELD_ALONE,
    /** An operator skipped a refused record. */
    SKIPPED,
    /** A record without a table became a dead letter. */
    UNROUTED,
    /** Two topics have landed in one table. */
    SHARED_TABLE,
    /** A Hive partition of the times at which records were read was complete. */
    WALLCLOCK_COMPLETE,
    /** Something was incomplete until an operator acknowledged a loss or a deletion. */
    HOLD,
    /** A Hive partition was complete, and then received late records. */
    REVISION,
    /** The totals of Hive partitions are partial: the ledger has not seen all entries. */
    PARTIAL,
    /** A reckoner read entries from a log that no account had reported. */
    GAP_READ,
    /** A reckoner slept, and woke when another one had appended to the ledger. */
    ZOMBIE_RECKONER
  }

  private Verdict(World world) {
    this.world = world;
  }

  static Verdict of(World world) {
    var verdict = new Verdict(world);
    try {
      verdict.judge();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError("the store cannot be read", e);
    }
    return verdict;
  }

  /** Records without a row, and dead letters that are missing in the topic. */
  List<String> lost() {
    return lost;
  }

  /** Records of which there are several rows. */
  List<String> doubled() {
    return doubled;
  }

  /** All other errors. */
  List<String> wrong() {
    return wrong;
  }

  /** The number of completions. */
  long completions() {
    return world.reckoners().map(each -> each.check().statements()).orElse(0L);
  }

  /** The completions that were false. */
  List<String> untrue() {
    return world.reckoners().map(each -> each.check().untrue()).orElse(List.of());
  }

  /** The completions that were missing in time. */
  List<String> missing() {
    return world.reckoners().map(SimulatedReckoners::missing).orElse(List.of());
  }

  boolean good() {
    return lost.isEmpty()
        && doubled.isEmpty()
        && wrong.isEmpty()
        && untrue().isEmpty()
        && missing().isEmpty();
  }

  @Override
  public String toString() {
    return "lost %s, doubled %s, wrong %s, untrue %s, missing %s"
        .formatted(lost, doubled, wrong, untrue(), missing());
  }

  /** The hazards that the run reached. */
  Set<Hazard> reached() {
    return reached;
  }

  /** The number of files in the tables. */
  int files() {
    return files;
  }

  private void judge() throws IOException, CorruptLogException {
    reached.addAll(world.operator().reached());
    reached.addAll(world.refusals().reached());
    world.reckoners().ifPresent(each -> each.check().requireClosed());
    world.reckoners().ifPresent(each -> reached.addAll(each.reached()));
    if (world.kafka().staleAnswers() > 0) {
      reached.add(Hazard.STALE_METADATA);
    }
    if (world.kafka().outdatedAnswers() > 0) {
      reached.add(Hazard.OUTDATED_METADATA);
    }
    if (world.kafka().transactions() > 0) {
      reached.add(Hazard.OPEN_TRANSACTION);
    }
    if (world.kafka().leadersLost() > 0) {
      reached.add(Hazard.NO_LEADER);
    }
    if (world.kafka().jumps() > 0) {
      reached.add(Hazard.JUMPED);
    }
    List<TopicPartition> topicPartitions = world.kafka().topicPartitions();
    Set<Table> judged = new HashSet<>();
    for (String topic : world.topics()) {
      for (Table table : world.tables(topic)) {
        if (!judged.add(table)) {
          continue;
        }
        Set<String> registered = world.catalog().paths(table.name());
        int before = files;
        landedTopics.clear();
        readBelow(table, table.layout().root(), registered);
        if (landedTopics.size() > 1) {
          reached.add(Hazard.SHARED_TABLE);
        }
        if (files > before && !world.catalog().exists(table.name())) {
          wrong.add("queries do not find " + table.name());
        }
        for (StoredFile claim : world.storage().list(table.layout().stagingRoot())) {
          world.storage().list(claim.path()).stream()
              .filter(file -> !file.path().name().startsWith("published+")) // the last mark
              .forEach(file -> wrong.add("left: " + file.path()));
        }
        for (String each : List.of("logs", "catalog")) {
          judgeLeftovers(table.layout().metadataDirectory().child(each));
        }
        if (new LayoutFile(world.storage(), table.layout()).read().isPresent()) {
          // Before the first commit a table has no layout. A layout that was begun waits for the
          // next commit.
          judgeLeftovers(table.layout().metadataDirectory());
        }
      }
    }
    if (world.openedLater()) {
      reached.add(Hazard.OPENED);
    }
    judgeLeftovers(World.LOGS.child(World.LOG_ID));
    rows.forEach(
        (key, count) -> {
          if (count > 1) {
            doubled.add(key);
          }
        });
    lost.addAll(world.delivered().unaccounted(this::arrived));
    if (world.delivered().examined() > 0) {
      reached.add(Hazard.DELIVERED_THEN_RECREATED);
    }
    for (TopicPartition topicPartition : topicPartitions) {
      List<SourceRecord> records = world.kafka().records(topicPartition);
      long begun = begun(topicPartition);
      records.stream()
          .filter(record -> record.offset() >= begun && !arrived(record))
          .map(SourceRecord::key)
          .forEach(lost::add);
      if (!records.isEmpty()) {
        judgeCounts(topicPartition, records);
      }
      judgeLog(topicPartition);
    }
  }

  /**
   * The first expected offset. With {@code auto.offset.reset=latest} it is the first offset of the
   * log.
   */
  private long begun(TopicPartition topicPartition) throws IOException, CorruptLogException {
    boolean blindly = world.kafka().positionedBlindly(topicPartition);
    if (!world.kafka().resetsToLatest() && !blindly) {
      return 0;
    }
    LogState state = world.log(topicPartition).last().orElseThrow().entry().state();
    long first = state.first();
    long committed = world.kafka().firstCommitted(topicPartition).orElse(first);
    // A later generation, or a log that was begun for another cluster, begins at Kafka's first
    // offset. That offset may be higher by now.
    boolean byGroup =
        state.generation().number() == 1
            && !world.operator().namedOtherCluster()
            && !world.refusals().beginsAt(topicPartition, first)
            && !blindly;
    if (byGroup && first > committed) {
      wrong.add(
          "%s: the log begins at %d, but the group was to begin at %d"
              .formatted(topicPartition, first, committed));
    }
    return first;
  }

  private boolean arrived(SourceRecord record) {
    return world.lands(record) ? rows.containsKey(record.key()) : world.arrivesElsewhere(record);
  }

  private void readBelow(Table table, StoragePath directory, Set<String> registered)
      throws IOException {
    for (StoredFile existing : world.storage().list(directory)) {
      if (VisibleRows.hidden(existing.path())) {
        continue;
      }
      if (existing.directory()) {
        readBelow(table, existing.path(), registered);
        continue;
      }
      String place = directory.value().substring(table.layout().root().value().length());
      if (!place.isEmpty() && !registered.contains(place.substring(1))) {
        wrong.add("queries do not find " + existing.path());
      }
      files++;
      readFile(table, existing.path(), place);
    }
  }

  private void readFile(Table table, StoragePath file, String place) throws IOException {
    String topicPartition = "";
    long last = -1;
    try (InputStream in = world.storage().open(file);
        DataFileStream<GenericRecord> avro = new DataFileStream<>(in, new GenericDatumReader<>())) {
      for (GenericRecord row : avro) {
        String key = row.get("key").toString();
        rows.merge(key, 1, Integer::sum);
        String from = key.substring(0, key.indexOf('@'));
        long offset = SourceRecord.offset(key);
        if (offset <= last || (!topicPartition.isEmpty() && !topicPartition.equals(from))) {
          wrong.add(file + " has " + key + " after " + topicPartition + "@" + last);
        }
        if (!Long.valueOf(SourceRecord.price(key)).equals(row.get("price"))) {
          wrong.add(file + " has another record's bytes in " + key);
        }
        if (!isRouted(table, key)) {
          wrong.add(file + " has " + key + ", which goes to another table");
        }
        if (place.contains("market=") && !place.equals(placeOf(row.get("market").toString()))) {
          wrong.add(file + " has a record of the market " + row.get("market"));
        }
        topicPartition = from;
        last = offset;
      }
    }
    if (last < 0) {
      wrong.add(file + " is empty");
    }
  }

  /** True if the rules select this table for the record. */
  private boolean isRouted(Table table, String key) {
    RecordHistory.Held held = world.kafka().history().find(key).orElseThrow();
    String topic = held.topicPartition().topic();
    landedTopics.add(topic);
    return world.table(topic, held.record()).name().equals(table.name());
  }

  private static String placeOf(String market) {
    return "/" + new HivePartition(List.of("market"), List.of(market)).path();
  }

  /**
   * The log has every offset once, in the right class. Records that Kafka no longer has may be in
   * their own class or lost. Only offsets that never had a record are not delivered.
   */
  private void judgeCounts(TopicPartition topicPartition, List<SourceRecord> retained)
      throws IOException, CorruptLogException {
    LogState state = world.log(topicPartition).last().orElseThrow().entry().state();
    RecordCounts counts = state.counts();
    List<SourceRecord> gone = world.kafka().retainedAway(topicPartition);
    long landed = rows(topicPartition, world.kafka().life(topicPartition));
    long end = retained.get(retained.size() - 1).offset() + 1;
    List<SourceRecord> taken =
        retained.stream().filter(record -> record.offset() >= state.first()).toList();
    long dropped =
        Stream.concat(retained.stream(), gone.stream())
            .filter(record -> record.kind() == RecordKind.DROPPED)
            .count();
    long notDelivered =
        world.kafka().gaps(topicPartition, state)
            + world.kafka().compacted(topicPartition)
            + dropped;
    boolean whole =
        (world.kafka().resetsToLatest()
                || world.kafka().positionedBlindly(topicPartition)
                || world.refusals().beginsAt(topicPartition, state.first())
                || (state.first() <= retained.get(0).offset()
                    && (state.first() == 0 || world.kafka().earliest(topicPartition) > 0)))
            && state.next() >= end
            && counts.landed() == landed
            && (counts.lost() == 0 || world.kafka().earliest(topicPartition) > 0)
            && state.next() == world.kafka().end(topicPartition)
            && counts.notDelivered() <= notDelivered
            && inClass(
                counts.skipped(),
                taken,
                gone,
                world::skips,
                world.refusals().skippedGaps(topicPartition))
            && inClass(counts.deadLettered(), taken, gone, world::deadLettered, 0);
    if (!whole) {
      wrong.add(
          "%s: %d records retained, to %d, %d gone, %d rows, but %s"
              .formatted(topicPartition, retained.size(), end, gone.size(), landed, state));
    }
    if (counts.deadLettered() > 0) {
      reached.add(Hazard.DEAD_LETTER);
    }
    if (taken.stream()
        .anyMatch(each -> each.kind() == RecordKind.UNROUTED && world.deadLetters().has(each))) {
      reached.add(Hazard.UNROUTED);
    }
    if (world.kafka().compacted(topicPartition) > 0) {
      reached.add(Hazard.COMPACTED);
    }
    if (counts.notDelivered() > 0) {
      reached.add(Hazard.GAP);
    }
    if (counts.lost() > 0) {
      reached.add(Hazard.RETAINED_AWAY);
    }
    if (state.leaderEpoch() > 0 && world.kafka().elections(topicPartition) > 0) {
      reached.add(Hazard.LEADER_CHANGED);
    }
    if (state.generation().number() > 1) {
      reached.add(Hazard.LATER_GENERATION);
    }
  }

  private static boolean inClass(
      long counted,
      List<SourceRecord> retained,
      List<SourceRecord> gone,
      Predicate<SourceRecord> of,
      long others) {
    long least = retained.stream().filter(of).count();
    return counted >= least && counted <= least + gone.stream().filter(of).count() + others;
  }

  /** The number of records of one of a topic's lives that have a row. */
  private long rows(TopicPartition topicPartition, int life) {
    String keys = SourceRecord.keys(topicPartition, life);
    return rows.keySet().stream().filter(key -> key.startsWith(keys)).count();
  }

  /**
   * The numbers of the entries are consecutive, and the files that they name are in the tables,
   * also those of earlier lives.
   */
  private void judgeLog(TopicPartition topicPartition) throws IOException, CorruptLogException {
    int last = 0;
    long next = 0;
    Map<Integer, Long> landed = new HashMap<>();
    for (NumberedEntry<CommitEntry> entry : world.log(topicPartition).after(0)) {
      long writtenMs = entry.entry().writtenAt().toEpochMilli();
      if (writtenMs < Simulation.BEGIN_MS) {
        reached.add(Hazard.CLOCK_SET_BACK);
      } else if (writtenMs > world.simulation().nowMs()) {
        reached.add(Hazard.CLOCK_SET_FORWARD);
      }
      LogState state = entry.entry().state();
      landed.put(world.kafka().life(topicPartition, state.generation()), state.counts().landed());
      Optional<CommitEntry.Batch> withFiles = entry.entry().asBatch();
      int generation = state.generation().number();
      if (entry.entry() instanceof CommitEntry.Skip skip) {
        last = generation;
        next = skip.range().next();
      }
      if (withFiles.isPresent()) {
        CommitEntry.Batch batch = withFiles.get();
        if (generation == last && batch.range().first() != next) {
          wrong.add(topicPartition + ": entry " + entry.number() + " does not follow " + next);
        }
        if (batch.range().size() == 0) {
          reached.add(Hazard.PINNED);
        } else if (batch.notLanded().notDelivered().size() == batch.range().size()) {
          reached.add(Hazard.TAIL);
        }
        judgeFiles(batch);
        if (batch.tables().size() > 1) {
          reached.add(Hazard.ROUTED);
        }
        last = generation;
        next = batch.range().next();
        for (DataFile file : batch.files()) {
          if (world.storage().find(file.path()).isEmpty()) {
            lost.add(file.path() + " of entry " + entry.number());
          }
        }
      }
    }
    landed.forEach(
        (life, count) -> {
          if (count != rows(topicPartition, life)) {
            wrong.add(
                "%s in life %d: %d rows, but %d have landed by the log"
                    .formatted(topicPartition, life, rows(topicPartition, life), count));
          }
        });
    if (world.log(topicPartition).checkpoint() > 0) {
      reached.add(Hazard.CHECKPOINT);
    }
    judgeLeftovers(world.log(topicPartition).directory());
  }

  private void judgeFiles(CommitEntry.Batch batch) {
    int most = world.landing().hivePartitions();
    if (batch.files().size() > most) {
      wrong.add("%d files, more than %d, in %s".formatted(batch.files().size(), most, batch));
    }
    if (most > 1 && batch.files().size() == most) {
      reached.add(Hazard.FULL_BATCH);
    }
    long destinations =
        batch.files().stream()
            .map(file -> List.of(file.table(), file.hivePartition(), file.schemaVersion()))
            .distinct()
            .count();
    if (destinations < batch.files().size()) {
      reached.add(Hazard.ROLLED_FILE);
    }
    long records = world.landing().files().records();
    if (records > 0 && batch.files().stream().anyMatch(file -> file.records() > records)) {
      wrong.add("a file of more than %d records, in %s".formatted(records, batch));
    }
    if (world.landing().wallclock()) {
      reached.add(Hazard.WALLCLOCK);
    }
  }

  private void judgeLeftovers(StoragePath directory) throws IOException {
    for (StoredFile file : world.storage().list(directory)) {
      if (file.path().name().endsWith(".tmp")) {
        wrong.add("left: " + file.path());
      }
    }
  }
}
