package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.CountedBatch;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.completeness.ledger.Uncounted;
import io.tidemark.store.batch.BatchIdCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts the records of announced batches, and decides whether each batch is complete. A batch is
 * decided when its topics cover a snapshot that was taken after the announcement. All records that
 * the producer had flushed before the announcement are below the end offsets of this snapshot. A
 * topic that was deleted or has no table covers no later snapshot, so no batch waits for it.
 *
 * <p>A batch is old according to the earlier of two times: the reckoner's clock, and the store's
 * time of the ledger's last entry. So a clock that is ahead removes no batch.
 *
 * <p>Some records cannot be counted: they were lost, or are in entries that were not read. The
 * count is then a minimum, and a batch that may have such records is never complete.
 */
final class AnnouncedBatchCounter {
  /**
   * The maximum time in which the records of a batch are sent. Records that are older than the
   * first counted record of a batch by more than this time are not of the batch.
   */
  static final Duration SPREAD = Duration.ofDays(1);

  private final Draft draft;
  private final Duration expire;
  private final long entry;

  /** The topics that no later snapshot has, because they were deleted or have no table. */
  private final Set<String> ended;

  private final AnnouncementsState before;
  private final SortedMap<String, AnnouncedBatch> open;
  private final SortedMap<String, CountedBatch> counted;
  private final SortedMap<String, Uncounted> uncounted;

  private AnnouncedBatchCounter(Draft draft, Duration expire) {
    this.draft = draft;
    this.expire = expire;
    this.entry = draft.ledger.number() + 1;
    this.ended = new TreeSet<>(draft.topics.keySet());
    draft.tables.values().forEach(table -> ended.removeAll(table.topics()));
    draft.findings.topics().gone().stream()
        .filter(topic -> draft.topics.containsKey(topic))
        .forEach(ended::add);
    // Rows that readers do not see, or that a log no longer has, are of no complete batch.
    draft.holds.all().stream()
        .filter(hold -> hold.kind() == HoldKind.UNSEEN || hold.kind() == HoldKind.GAP)
        .filter(draft.settings.rules()::prevents)
        .forEach(hold -> ended.remove(hold.topic()));
    this.before = draft.before.announcements().orElseGet(() -> begin(draft));
    this.open = new TreeMap<>(before.open());
    this.counted = new TreeMap<>(before.counted());
    this.uncounted = new TreeMap<>(before.uncounted());
  }

  /** Returns the announced batches after the ledger's next entry; empty if none are configured. */
  static Optional<AnnouncementsState> after(Draft draft) {
    return draft.settings.batchesExpire().map(age -> new AnnouncedBatchCounter(draft, age).after());
  }

  private AnnouncementsState after() {
    // Remove old batches before counting: a removed id may be used again.
    expire();
    for (String topic : draft.restarted) { // Some records that were counted may land again.
      open.replaceAll((id, batch) -> batch.with(batch.counted().withoutTopics(topic::equals)));
      counted.replaceAll((id, batch) -> batch.withoutTopics(topic::equals));
    }
    draft.uncounted.forEach(
        (topic, reason) -> uncounted.put(topic, new Uncounted(draft.now, reason)));
    draft.batches.forEach(this::count);
    Optional<Announced> announced = draft.findings.announced();
    announced.ifPresent(read -> read.announcements().forEach(this::add));
    bound();
    open.replaceAll((id, batch) -> compared(batch));
    return new AnnouncementsState(
        announced.map(Announced::topicId).orElse(before.topicId()),
        announced.map(Announced::position).orElse(before.position()),
        before.since(),
        open,
        counted,
        List.of(),
        uncounted);
  }

  private static AnnouncementsState begin(Draft draft) {
    boolean counted =
        draft.before.topics().values().stream().anyMatch(topic -> topic.counts().total() > 0);
    return AnnouncementsState.begin(counted ? Optional.of(draft.now) : Optional.empty());
  }

  private void expire() {
    open.values().removeIf(batch -> isOlder(batch.announcedAt(), expire));
    counted.values().removeIf(batch -> isOlder(batch.last(), expire));
    uncounted.values().removeIf(each -> isOlder(each.at(), expire.plus(SPREAD)));
  }

  /** Returns whether {@code time} is more than {@code age} ago according to both clocks. */
  private boolean isOlder(Instant time, Duration age) {
    return draft.passed.filter(both -> time.isBefore(both.minus(age))).isPresent();
  }

  private void count(SettledEntry.Batch batch) {
    for (BatchIdCount each : batch.batchIds().counts()) {
      BatchTally more = new BatchTally(each.landed(), each.deadLettered(), each.skipped());
      AnnouncedBatch announced = open.get(each.id());
      if (announced != null) {
        if (announced.records().containsKey(batch.topic())) { // Other topics are never compared.
          open.put(
              each.id(), announced.with(announced.counted().plus(batch.topic(), more, draft.now)));
        }
      } else {
        CountedBatch known = counted.getOrDefault(each.id(), begun());
        counted.put(each.id(), known.plus(batch.topic(), more, draft.now));
      }
    }
  }

  /**
   * Returns a count that begins at the earlier time of both clocks. With a clock that is ahead,
   * uncounted records could seem older than the batch, which could wrongly become complete.
   */
  private CountedBatch begun() {
    return CountedBatch.none(draft.passed.orElse(draft.now));
  }

  private void add(Announcement announcement) {
    AnnouncedBatch known = open.get(announcement.batch());
    if (known != null) {
      if (!known.records().equals(announcement.records())) {
        open.put(announcement.batch(), known.contradictedNow());
      }
      return; // A copy of the first announcement.
    }
    if (isOlder(announcement.sentAt(), expire)) {
      return; // The batch was removed long ago, or announced before batches were counted.
    }
    CountedBatch before = counted.remove(announcement.batch());
    open.put(
        announcement.batch(),
        new AnnouncedBatch(
            entry,
            draft.now,
            announcement.sentAt(),
            announcement.records(),
            false,
            before == null
                ? begun()
                : before.withoutTopics(topic -> !announcement.records().containsKey(topic)),
            Optional.empty()));
  }

  /** Removes batches above the limits, complete ones first: they get no further records. */
  private void bound() {
    int topics = open.values().stream().mapToInt(batch -> batch.records().size()).sum();
    Comparator<AnnouncedBatch> completeAndOldestFirst =
        Comparator.comparing((AnnouncedBatch batch) -> !batch.complete())
            .thenComparing(AnnouncedBatch::announcedAt);
    Iterator<String> first = ordered(open, completeAndOldestFirst).iterator();
    while (open.size() > AnnouncementsState.OPEN_MOST
        || topics > AnnouncementsState.OPEN_TOPICS_MOST) {
      AnnouncedBatch forgotten = Objects.requireNonNull(open.remove(first.next()));
      topics -= forgotten.records().size();
      if (!forgotten.complete()) {
        noRoom(forgotten.counted());
      }
    }
    if (counted.size() > AnnouncementsState.COUNTED_MOST) {
      ordered(counted, Comparator.comparing(CountedBatch::last)).stream()
          .limit(counted.size() - AnnouncementsState.COUNTED_MOST)
          .forEach(id -> noRoom(Objects.requireNonNull(counted.remove(id))));
    }
  }

  private static <T> List<String> ordered(Map<String, T> batches, Comparator<T> order) {
    return batches.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(order))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Adds the topics of a removed batch to the uncounted ones. If the batch gets more records, they
   * are counted from 0, as if the batch were new. So batches of these topics whose count begins
   * within the next {@link #SPREAD} are {@code UNKNOWN}. After that, no more are expected.
   */
  private void noRoom(CountedBatch batch) {
    if (isOlder(batch.last(), SPREAD)) {
      return;
    }
    String reason = "there were more batches than the limit of the ledger";
    batch
        .topics()
        .keySet()
        .forEach(topic -> uncounted.put(topic, new Uncounted(draft.now, reason)));
  }

  private AnnouncedBatch compared(AnnouncedBatch batch) {
    Optional<BatchVerdict> former = batch.verdict();
    long covered = Long.MAX_VALUE;
    Instant askedAt = Instant.MAX;
    boolean anyEnded = false;
    for (String name : batch.records().keySet()) {
      TopicState topic = draft.topic(name);
      boolean waits = !ended.contains(name);
      anyEnded |= !waits;
      covered = Math.min(covered, waits ? topic.snapshot() : entry);
      Instant asked = waits ? topic.askedAt().orElse(Instant.MIN) : draft.now;
      askedAt = asked.isBefore(askedAt) ? asked : askedAt;
    }
    if (covered <= batch.announcedIn()) {
      return batch;
    }
    // A complete batch stays complete, unless more records arrive under its id.
    boolean complete = former.filter(BatchVerdict::complete).isPresent();
    boolean again =
        complete
            ? BatchComparison.over(batch)
            : covered > former.map(BatchVerdict::snapshot).orElse(batch.announcedIn());
    if (!again) {
      return batch;
    }
    Optional<HeldBecause> held =
        new BatchComparison(batch, before.since(), uncounted, ended).held();
    // Every entry compares the batch of an ended topic, so only another result is recorded.
    boolean same = anyEnded && former.filter(said -> said.held().equals(held)).isPresent();
    return same ? batch : batch.with(new BatchVerdict(covered, askedAt, held));
  }
}
