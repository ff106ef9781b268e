package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.EpochHistory;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The offsets of one topic-partition in one life of its topic, of which some have a record. */
final class PartitionRecords {
  private final TopicPartition topicPartition;
  private final int life;
  private final RecordHistory history;
  private final TreeMap<Long, SourceRecord> records = new TreeMap<>();
  private final List<SourceRecord> retainedAway = new ArrayList<>();
  private final EpochHistory epochs;
  private int truncations;
  private long earliest;
  private long end;

  /** The first offset of the open transaction. */
  private OptionalLong open = OptionalLong.empty();

  private int compacted;

  PartitionRecords(TopicPartition topicPartition, int life, RecordHistory history) {
    this(topicPartition, life, history, new EpochHistory());
  }

  private PartitionRecords(
      TopicPartition topicPartition, int life, RecordHistory history, EpochHistory epochs) {
    this.topicPartition = topicPartition;
    this.life = life;
    this.history = history;
    this.epochs = epochs;
  }

  /** What a leader has that is deposed now and does not learn it. */
  PartitionRecords copy() {
    PartitionRecords copy = new PartitionRecords(topicPartition, life, history, epochs.copy());
    copy.records.putAll(records);
    copy.earliest = earliest;
    copy.end = end;
    copy.open = open;
    copy.truncations = truncations;
    return copy;
  }

  RetainedOffsets offsets() {
    return new RetainedOffsets(earliest, end, elections());
  }

  void produce(long timestamp, RecordKind kind) {
    SourceRecord record = SourceRecord.of(topicPartition, life, end, truncations, timestamp, kind);
    records.put(end++, record);
    history.produced(topicPartition, life, record);
  }

  /** Adds offsets without a record, as an aborted transaction and its marker do. */
  void gap(int offsets) {
    end += offsets;
  }

  /** Returns false if a transaction is already open. */
  boolean beginTransaction() {
    if (open.isPresent()) {
      return false;
    }
    open = OptionalLong.of(end);
    return true;
  }

  /** Ends the transaction with a marker. */
  void endTransaction() {
    if (open.isPresent()) {
      open = OptionalLong.empty();
      end++;
    }
  }

  /** Aborts the transaction with a marker. Nobody receives its records. */
  void abortTransaction() {
    if (open.isPresent()) {
      Map<Long, SourceRecord> aborted = records.tailMap(open.getAsLong(), true);
      retainedAway.addAll(aborted.values());
      history.gone(aborted.values(), RecordHistory.Fate.COMPACTED);
      compacted += aborted.size();
      aborted.clear();
      endTransaction();
    }
  }

  /** The first offset of the open transaction, if there is one. */
  OptionalLong openTransaction() {
    return open;
  }

  /** Removes some records for which later records have the same key, as compaction does. */
  void compact(long seed) {
    Random random = new Random(seed);
    for (long offset : List.copyOf(records.headMap(stableEnd()).keySet())) {
      if (random.nextInt(4) == 0) {
        SourceRecord gone = records.remove(offset);
        retainedAway.add(gone);
        history.gone(List.of(gone), RecordHistory.Fate.COMPACTED);
        compacted++;
      }
    }
  }

  /** The number of records that were compacted. */
  int compacted() {
    return compacted;
  }

  /** Another broker becomes the leader. It has all records. */
  void elect() {
    epochs.elect(end);
  }

  /** The number of leader elections. */
  int elections() {
    return epochs.latest();
  }

  /** The first offset whose record has changed since a leader epoch. */
  OptionalLong truncatedAt(long next, int leaderEpoch) {
    return epochs.truncatedAt(next, leaderEpoch, end);
  }

  /** An unclean leader election: the new leader has only the records below an offset. */
  void truncate(long newEnd) {
    history.gone(records.tailMap(newEnd).values(), RecordHistory.Fate.TRUNCATED);
    history.takenBack(topicPartition, life, newEnd, end);
    records.tailMap(newEnd).clear();
    end = newEnd;
    if (open.orElse(0) > newEnd) {
      open = OptionalLong.of(newEnd);
    }
    epochs.elect(newEnd);
    truncations++;
  }

  /** The number of unclean leader elections. */
  int truncations() {
    return truncations;
  }

  /** Deletes the records below an offset, landed or not. */
  void retain(long newEarliest) {
    earliest = Math.max(earliest, Math.min(newEarliest, end));
    Map<Long, SourceRecord> gone = records.headMap(earliest);
    retainedAway.addAll(gone.values());
    history.gone(gone.values(), RecordHistory.Fate.RETAINED_AWAY);
    gone.clear();
  }

  /** The topic is deleted. */
  void delete() {
    history.gone(records.values(), RecordHistory.Fate.DELETED);
  }

  /** The next records that a consumer of committed records receives. */
  List<SourceRecord> fetch(long position, int most) {
    List<SourceRecord> fetched = new ArrayList<>();
    for (SourceRecord next : records.tailMap(position, true).values()) {
      if (fetched.size() == most || next.offset() >= stableEnd()) {
        break;
      }
      fetched.add(next);
    }
    return fetched;
  }

  private long stableEnd() {
    return Math.min(end, open.orElse(end));
  }

  long end() {
    return end;
  }

  /** The first offset that is retained. */
  long earliest() {
    return earliest;
  }

  List<SourceRecord> all() {
    return List.copyOf(records.values());
  }

  boolean isEmpty(OffsetRange offsets) {
    return records.subMap(offsets.first(), offsets.next()).isEmpty();
  }

  /** The records that retention or compaction has deleted. */
  List<SourceRecord> retainedAway() {
    return List.copyOf(retainedAway);
  }

  /** The number of offsets from a log's first offset to its next one that never had a record. */
  long gaps(LogState state) {
    Set<Long> had = new HashSet<>(records.keySet());
    retainedAway.forEach(record -> had.add(record.offset()));
    return LongStream.range(state.first(), state.next())
        .filter(offset -> !had.contains(offset))
        .count();
  }
}
