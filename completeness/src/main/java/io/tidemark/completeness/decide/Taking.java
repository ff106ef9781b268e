package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Takes the entries that were read from one commit log, each once, in order. Not thread-safe. */
final class Taking {
  /** Event times that are later than an entry's file by more than this are ignored. */
  private static final Duration PLAUSIBLE = Duration.ofSeconds(60);

  private final Draft draft;
  private final LogRead read;
  private final String topic;
  private final int topicPartition;
  private final TopicState state;
  private Optional<Position> position;

  Taking(Draft draft, LogRead read) {
    this.draft = draft;
    this.read = read;
    this.topic = read.topic();
    this.topicPartition = read.topicPartition();
    this.state = draft.before.topic(topic);
    this.position = Optional.ofNullable(state.at().get(topicPartition));
  }

  void take() {
    if (!read.entries().isEmpty()) {
      // An account keeps naming them: the catalog may have been corrected since.
      draft.toLook.addAll(read.unseen());
      if (draft.findings.look().isCatalogUnavailable()) {
        String topicId = topicId(read.last().entry());
        read.unseen().forEach(id -> draft.holds.addUnseen(topic, topicId, id));
      }
    }
    switch (read.kind()) {
      case CONTRADICTS -> addGap();
      case RETURNED -> draft.holds.removeGap(topic, topicPartition);
      case DAMAGED ->
          draft.damaged.put(
              topic,
              new HeldBecause(
                  "DAMAGED", "%s-%d: %s".formatted(topic, topicPartition, read.detail())));
      default -> takeEntries();
    }
  }

  private static String topicId(SettledEntry entry) {
    return entry.state().generation().topicId();
  }

  private void takeEntries() {
    boolean replaces = read.kind() == LogRead.Kind.REPLACES;
    for (ReadEntry each : read.entries()) {
      SettledEntry entry = each.entry();
      if (draft.findings.look().isCatalogUnavailable()
          && (replaces || entry.isCheckpoint() || entry.number() < read.lookBelow())) {
        return; // Readers may not see their files, and the catalog cannot be asked.
      }
      if (replaces || entry.isCheckpoint()) {
        restart();
        entry.asBatch().ifPresent(draft.batches::add); // The entry has its batch's files.
        jump(entry);
      } else if (Succeeding.continues(position, entry, state)) {
        moveTo(each);
      } else {
        addGap();
        return;
      }
      replaces = false;
      if (entry.number() < read.lookBelow()) {
        entry.asBatch().ifPresent(batch -> batch.sums().forEach(sum -> draft.toLook.add(sum.id())));
      }
    }
  }

  /** The first entry after an acknowledged gap: the log may lack what was counted before it. */
  private void restart() {
    if (draft.holds.removeGap(topic, topicPartition)) {
      draft.restarted.add(topic);
      draft.addPartial(topic, read.at());
      draft.uncounted.put(topic, restarts(topicPartition));
    }
  }

  /** Returns why records of a topic are not counted after an acknowledged gap. */
  static String restarts(int topicPartition) {
    return "the log of topic-partition %d does not continue at the ledger's position"
        .formatted(topicPartition);
  }

  private void addGap() {
    addHold(
        HoldKind.GAP,
        position.map(Position::topicId).orElse(state.topicId()),
        Math.max(0, position.map(Position::next).orElse(0L)),
        Long.MAX_VALUE);
  }

  private void addHolds(HoldKind kind, String topicId, OffsetRanges ranges) {
    ranges.ranges().forEach(range -> addHold(kind, topicId, range.first(), range.next()));
  }

  private void addHold(HoldKind kind, String topicId, long from, long to) {
    draft.holds.add(kind, topic, topicPartition, topicId, from, to);
  }

  private void moveTo(ReadEntry next) {
    SettledEntry entry = next.entry();
    String topicId = topicId(entry);
    noteTopic(entry);
    Optional<Instant> newest =
        position.filter(at -> at.topicId().equals(topicId)).flatMap(Position::newest);
    Optional<SettledEntry.Batch> asBatch = entry.asBatch();
    if (asBatch.isPresent()) {
      SettledEntry.Batch batch = asBatch.get();
      draft.batches.add(batch);
      if (!batch.sums().isEmpty() && draft.findings.topics().nameTaken().containsKey(topic)) {
        draft.addPartial(topic, read.at()); // They are in no total.
      }
      addHolds(HoldKind.LOST, topicId, batch.notLanded().lost());
      if (deadLettersHold()) {
        addHolds(HoldKind.DEAD_LETTERED, topicId, batch.notLanded().deadLettered());
      }
      newest = CompleteTimes.later(newest, evidence(batch, next.at()));
    }
    uncountable(entry).ifPresent(what -> draft.uncounted.put(topic, what));
    put(entry, newest);
  }

  /** Returns which records of an entry may be of any announced batch; empty if there are none. */
  private static Optional<String> uncountable(SettledEntry entry) {
    Optional<String> what = Optional.empty();
    if (entry instanceof SettledEntry.Batch batch && batch.batchIds().mixed() > 0) {
      long mixed = batch.batchIds().mixed();
      what = Optional.of(mixed + " records are of more batches than an entry counts");
    } else if (entry instanceof SettledEntry.Batch batch && batch.counts().lost() > 0) {
      what = Optional.of(batch.counts().lost() + " records were lost");
    } else if (entry instanceof SettledEntry.Skip skip) {
      what = Optional.of(skip.range().size() + " offsets were skipped by an operator");
    } else if (entry instanceof SettledEntry.Adopted) {
      what = Optional.of("records before its offsets were landed by another sink");
    }
    return what.map(
        happened ->
            "%s in entry %d of topic-partition %d"
                .formatted(happened, entry.number(), entry.topicPartition()));
  }

  private boolean deadLettersHold() {
    return draft.settings.rules().of(topic).holdOn().contains(HoldKind.DEAD_LETTERED);
  }

  /** Continues at an entry. Of those before it, the counts are known, and the files are not. */
  private void jump(SettledEntry entry) {
    SettledState after = entry.state();
    String topicId = topicId(entry);
    noteTopic(entry);
    Optional<Position> same = position.filter(at -> at.topicId().equals(topicId));
    RecordCounts more = since(topicId, after.counts());
    long first = same.map(Position::next).filter(next -> next >= 0).orElse(after.first());
    long from = Math.max(0, Math.min(first, after.next()));
    if (more.lost() > 0) {
      addHold(HoldKind.LOST, topicId, from, after.next());
    }
    if (more.deadLettered() > 0 && deadLettersHold()) {
      addHold(HoldKind.DEAD_LETTERED, topicId, from, after.next());
    }
    // The counts begin at 0 in each generation: those of an earlier generation are unknown.
    boolean formerUnknown = same.isEmpty() && after.generation().number() > 1;
    if (more.landed() > 0 || formerUnknown) {
      draft.addPartial(topic, read.at());
      if (read.lookBelow() > position.map(Position::number).orElse(0L) + 1) {
        draft.unlooked.add(topic);
      }
    }
    if (more.total() > more.notDelivered() || formerUnknown) {
      draft.uncounted.put(
          topic,
          "entries of topic-partition %d up to %d were not read"
              .formatted(topicPartition, entry.number()));
    }
    put(entry, same.flatMap(Position::newest));
  }

  /** Adds the holds of a recreated topic, and that of a topic-partition whose log begins here. */
  private void noteTopic(SettledEntry entry) {
    Generation generation = entry.state().generation();
    String topicId = generation.topicId();
    SortedMap<Long, Snapshot> pending = draft.ledger.snapshots();
    // The log names another cluster than before, while nothing had landed. A cluster that was a
    // mistake has no records that may be missing, unless a snapshot has its topic.
    boolean corrected =
        generation.number() == 1
            && position.filter(at -> !at.clusterId().equals(generation.clusterId())).isPresent();
    if (state.topicId().equals(topicId)
        && state.goneSince().isEmpty()
        && position
            .flatMap(Position::former)
            .filter(of -> of.topicId().equals(topicId))
            .isPresent()) {
      // The log named another cluster in between, by mistake.
      draft.holds.exists(topic, topicPartition, topicId);
    }
    position
        .filter(at -> !at.topicId().equals(topicId))
        .filter(at -> !corrected || at.topicId().equals(state.topicId()))
        .ifPresent(
            at -> {
              draft.holds.addDeleted(
                  topic, topicPartition, state, at.topicId(), at.next(), pending);
              draft.uncounted.put(
                  topic, "the topic was recreated, as seen in topic-partition " + topicPartition);
            });
    // The present topic lacks this topic-partition. So this is a former topic, or a later one with
    // more topic-partitions, which the next snapshot shows.
    if (topicPartition >= state.topicPartitions()
        && !state.topicId().isEmpty()
        && !state.topicId().equals(topicId)
        && isOfKnownCluster(generation.clusterId())) {
      draft.holds.addDeleted(topic, topicPartition, state, topicId, entry.state().next(), pending);
    }
    boolean begins =
        entry.state().next() >= 0
            && position.filter(at -> at.topicId().equals(topicId) && at.next() >= 0).isEmpty();
    if (begins && entry.state().adopted()) {
      draft.addPartial(topic, read.at());
      if (entry instanceof SettledEntry.Adopted adopted) {
        draft.addPartial(topic, adopted.exactFrom());
      }
      return; // The records before the log's first offset are in the table.
    }
    // Before the ledger's first snapshot nothing is known. That snapshot's entry decides.
    if (begins
        && draft.before.lastTick().isPresent()
        && (state.topicId().equals(topicId) || !corrected)
        && draft.holds.addBeforeFirst(
            topic, topicPartition, state, topicId, entry.state().first(), pending.values())) {
      draft.uncounted.put(
          topic,
          "records before offset %d of topic-partition %d were not read"
              .formatted(entry.state().first(), topicPartition));
    }
  }

  /** Returns whether the topic of the snapshots is of this cluster. */
  private boolean isOfKnownCluster(String clusterId) {
    return Stream.concat(
            draft.ledger.snapshots().values().stream()
                .filter(each -> each.topics().containsKey(topic))
                .map(Snapshot::clusterId),
            state.at().values().stream()
                .filter(at -> at.topicId().equals(state.topicId()))
                .map(Position::clusterId))
        .anyMatch(clusterId::equals);
  }

  private void put(SettledEntry entry, Optional<Instant> newest) {
    SettledState after = entry.state();
    String topicId = topicId(entry);
    // The former topic of the same name has its first offset that had not landed.
    Optional<Position.Former> former =
        after.adopted()
            ? Optional.of(new Position.Former(topicId, after.first()))
            : position.flatMap(
                at ->
                    at.topicId().equals(topicId)
                        ? at.former()
                        : Optional.of(new Position.Former(at.topicId(), at.next())));
    Position next =
        new Position(
            entry.number(),
            entry.attempt(),
            after.generation().clusterId(),
            topicId,
            after.next(),
            after.counts(),
            former,
            newest);
    draft.holds.landed(topic, topicPartition, topicId, Math.max(0, after.next()));
    draft.counts.merge(topic, since(topicId, after.counts()), RecordCounts::plus);
    draft.moved.computeIfAbsent(topic, each -> new TreeMap<>()).put(topicPartition, next);
    position = Optional.of(next);
  }

  private RecordCounts since(String topicId, RecordCounts after) {
    return position
        .filter(at -> at.topicId().equals(topicId))
        .map(Position::counts)
        .filter(after::continues)
        .map(after::minus)
        .orElse(after);
  }

  /** Returns the newest event time of a batch that is plausible. */
  private static Optional<Instant> evidence(SettledEntry.Batch batch, Instant at) {
    return batch.sums().stream()
        .map(HivePartitionSum::maxTimestamp)
        .map(Instant::ofEpochMilli)
        .filter(time -> !time.isAfter(at.plus(PLAUSIBLE)))
        .max(Comparator.naturalOrder());
  }
}
