package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the logs of topic-partitions with Kafka's records and the tables' rows.
 *
 * @param rows the number of rows by key
 * @param lost receives what is missing
 * @param wrong receives what is wrong in another way
 * @param reached receives the hazards that the logs show
 */
record LogVerdict(
    World world,
    Map<String, Integer> rows,
    List<String> lost,
    List<String> wrong,
    Set<Hazard> reached) {

  /**
   * The first expected offset. With {@code auto.offset.reset=latest}, or after another sink, it is
   * the first offset of the log.
   */
  long begun(TopicPartition topicPartition) throws IOException, CorruptLogException {
    boolean blindly = world.kafka().isPositionedBlindly(topicPartition);
    Optional<LogState> last = world.log(topicPartition).last().map(each -> each.entry().state());
    if (last.filter(LogState::adopted).isPresent()) {
      return last.get().first();
    }
    if (!world.kafka().resetsToLatest() && !blindly) {
      return 0;
    }
    LogState state = last.orElseThrow();
    long first = state.first();
    long committed = world.kafka().firstCommitted(topicPartition).orElse(first);
    // A later generation, or a log that was begun for another cluster, begins at Kafka's first
    // offset. That offset may be higher by now.
    boolean byGroup =
        state.generation().number() == 1
            && !world.operator().namedOtherCluster()
            && world.kafka().former().isEmpty()
            && !world.refusals().beginsAt(topicPartition, first)
            && !blindly;
    if (byGroup && first > committed) {
      wrong.add(
          "%s: the log begins at %d, but the group was to begin at %d"
              .formatted(topicPartition, first, committed));
    }
    return first;
  }

  /**
   * The log has every offset once, in the right class. Records that Kafka no longer has may be in
   * their own class or lost. Only offsets that never had a record are not delivered: one that
   * retention deleted before it was read is lost.
   */
  void judgeCounts(TopicPartition topicPartition, List<SourceRecord> retained)
      throws IOException, CorruptLogException {
    LogState state = world.log(topicPartition).last().orElseThrow().entry().state();
    RecordCounts counts = state.counts();
    List<SourceRecord> gone = world.kafka().of(topicPartition).retainedAway();
    long landed = rows(topicPartition, world.kafka().life(topicPartition.topic()));
    long end = retained.get(retained.size() - 1).offset() + 1;
    List<SourceRecord> taken =
        retained.stream().filter(record -> record.offset() >= state.first()).toList();
    long dropped =
        Stream.concat(retained.stream(), gone.stream())
            .filter(record -> record.kind() == RecordKind.DROPPED)
            .count();
    long notDelivered =
        world.kafka().of(topicPartition).gaps(state)
            + world.kafka().of(topicPartition).compacted()
            + dropped;
    boolean whole =
        (world.kafka().resetsToLatest()
                || world.kafka().isPositionedBlindly(topicPartition)
                || world.refusals().beginsAt(topicPartition, state.first())
                || state.adopted()
                || (state.first() <= retained.get(0).offset()
                    && (state.first() == 0 || world.kafka().earliest(topicPartition) > 0)))
            && state.next() >= end
            && counts.landed() == landed
            && (counts.lost() == 0 || world.kafka().earliest(topicPartition) > 0)
            && state.next() == world.kafka().end(topicPartition)
            && counts.notDelivered() <= notDelivered
            && counts.lost() + world.refusals().skippedGaps(topicPartition)
                >= unread(gone, state.first())
            && inClass(
                counts.skipped(),
                taken,
                gone,
                world.tables()::skips,
                world.refusals().skippedGaps(topicPartition))
            && inClass(counts.deadLettered(), taken, gone, world.tables()::deadLettered, 0);
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
    if (world.kafka().of(topicPartition).compacted() > 0) {
      reached.add(Hazard.COMPACTED);
    }
    if (counts.notDelivered() > 0) {
      reached.add(Hazard.GAP);
    }
    if (counts.lost() > 0) {
      reached.add(Hazard.RETAINED_AWAY);
    }
    if (state.leaderEpoch() > 0 && world.kafka().of(topicPartition).elections() > 0) {
      reached.add(Hazard.LEADER_CHANGED);
    }
    if (state.generation().number() > 1) {
      reached.add(Hazard.LATER_GENERATION);
    }
  }

  /** The number of records without a row that retention has deleted. */
  private long unread(List<SourceRecord> gone, long first) {
    RecordHistory history = world.kafka().history();
    return gone.stream()
        .filter(record -> record.offset() >= first && world.tables().lands(record))
        .filter(record -> !rows.containsKey(record.key()))
        .flatMap(record -> history.find(record.key()).stream())
        .filter(held -> held.fate() == RecordHistory.Fate.RETAINED_AWAY)
        .filter(held -> !history.tookOffsetAgain(held))
        .count();
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
  void judgeLog(TopicPartition topicPartition) throws IOException, CorruptLogException {
    Optional<Generation> last = Optional.empty();
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
      landed.put(SimulatedKafka.life(topicPartition, state.generation()), state.counts().landed());
      Optional<CommitEntry.Batch> withFiles = entry.entry().asBatch();
      Optional<Generation> generation = Optional.of(state.generation());
      if (entry.entry() instanceof CommitEntry.Skip skip) {
        last = generation;
        next = skip.range().next();
      }
      if (withFiles.isPresent()) {
        CommitEntry.Batch batch = withFiles.get();
        if (generation.equals(last) && batch.range().first() != next) {
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
          long more = count - rows(topicPartition, life);
          // A later topic may have been deleted before a task noticed it.
          long unnoticed =
              IntStream.rangeClosed(life + 1, world.kafka().life(topicPartition.topic()))
                  .takeWhile(later -> !landed.containsKey(later))
                  .mapToLong(later -> rows(topicPartition, later))
                  .sum();
          if (more < 0 || more > unnoticed) {
            wrong.add(
                "%s in life %d: %d rows, but %d have landed by the log"
                    .formatted(topicPartition, life, rows(topicPartition, life), count));
          }
        });
    if (world.log(topicPartition).checkpoint() > 0) {
      reached.add(Hazard.CHECKPOINT);
    }
    if (world.kafka().exists(topicPartition)
        && world.connector().consumes(topicPartition.topic())) {
      judgeLeftovers(world.log(topicPartition).directory());
    }
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

  void judgeLeftovers(StoragePath directory) throws IOException {
    for (StoredFile file : world.storage().list(directory)) {
      if (file.path().name().endsWith(".tmp")) {
        wrong.add("left: " + file.path());
      }
    }
  }
}
