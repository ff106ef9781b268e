package io.tidemark.connect.ledger;

import io.tidemark.connect.batch.BatchIdCount;
import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.account.BatchTally;
import io.tidemark.connect.ledger.state.AnnouncementsState;
import io.tidemark.connect.ledger.state.BatchVerdict;
import io.tidemark.connect.ledger.state.CountedBatch;
import io.tidemark.connect.ledger.state.LedgerState;
import io.tidemark.connect.ledger.state.OpenBatch;
import io.tidemark.connect.ledger.state.TopicState;
import io.tidemark.connect.ledger.state.Uncounted;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts the records of announced batches, and judges the batches whose topics cover a snapshot
 * that was taken after the announcement: all that a producer had flushed before is below it.
 *
 * <p>What is old is forgotten, by the earlier of two clocks: the reckoner's, and the store's when
 * the ledger's last entry was put. One that is ahead forgets nothing.
 *
 * <p>Not all records can be counted: some were lost, or stand in entries that nobody has read. Then
 * the count is only the least that it can be, and a batch that may have such records is never
 * complete.
 */
final class AnnouncedBatches {
  /**
   * Records of a batch are sent within this time: those that were not counted as long before the
   * first one that was are of other batches.
   */
  static final Duration SPREAD = Duration.ofDays(1);

  private final long entry;
  private final Instant now;

  /** What is earlier is of before both clocks; empty where the store's is not known. */
  private final Optional<Instant> passed;

  private final Duration expire;
  private final Map<String, TopicState> topics;
  private final AnnouncementsState before;
  private final SortedMap<String, OpenBatch> open;
  private final SortedMap<String, CountedBatch> counted;
  private final SortedMap<String, Uncounted> uncounted;

  private AnnouncedBatches(
      long entry,
      Instant now,
      Optional<Instant> passed,
      Duration expire,
      Map<String, TopicState> topics,
      AnnouncementsState before) {
    this.entry = entry;
    this.now = now;
    this.passed = passed;
    this.expire = expire;
    this.topics = topics;
    this.before = before;
    this.open = new TreeMap<>(before.open());
    this.counted = new TreeMap<>(before.counted());
    this.uncounted = new TreeMap<>(before.uncounted());
  }

  /**
   * The whole state after the ledger's next entry; empty where no batches are announced.
   *
   * @param findings with what was read of the announcements' topic
   * @param taken what the entry takes
   * @param topics as the entry leaves them
   */
  static Optional<AnnouncementsState> after(
      Ledger ledger,
      LedgerSettings settings,
      Findings findings,
      Taken taken,
      Map<String, TopicState> topics,
      Instant now) {
    Optional<Announced> announced = findings.announced();
    if (settings.batchesExpire().isEmpty()) {
      return Optional.empty();
    }
    AnnouncedBatches batches =
        new AnnouncedBatches(
            ledger.number() + 1,
            now,
            findings.passed(now),
            settings.batchesExpire().get(),
            topics,
            ledger.state().announcements().orElseGet(() -> begin(ledger.state(), now)));
    // Before anything is counted: what was forgotten may come again.
    batches.expire();
    taken.uncounted().forEach(batches::addUncounted);
    taken.batches().forEach(batches::count);
    announced.ifPresent(read -> read.announcements().forEach(batches::add));
    batches.bound();
    batches.open.replaceAll((id, batch) -> batches.judged(batch));
    return Optional.of(
        new AnnouncementsState(
            announced.map(Announced::topicId).orElse(batches.before.topicId()),
            announced.map(Announced::position).orElse(batches.before.position()),
            batches.before.since(),
            batches.open,
            batches.counted,
            List.of(),
            batches.uncounted));
  }

  /** Whether a snapshot is to be taken at once: of a batch there is none since its announcement. */
  static boolean asks(Ledger ledger, long taken) {
    LedgerState state = ledger.state();
    long newest = state.pending().stream().mapToLong(Long::longValue).max().orElse(0);
    newest = Math.max(newest, taken);
    for (TopicState topic : state.topics().values()) {
      newest = Math.max(newest, topic.snapshot());
    }
    long last = newest;
    return state
        .announcements()
        .filter(
            all ->
                all.open().values().stream()
                    .anyMatch(batch -> batch.verdict().isEmpty() && batch.announcedIn() > last))
        .isPresent();
  }

  private static AnnouncementsState begin(LedgerState state, Instant now) {
    boolean fresh = state.topics().values().stream().allMatch(topic -> topic.counts().total() == 0);
    return AnnouncementsState.begin(fresh ? Optional.empty() : Optional.of(now));
  }

  private void expire() {
    open.values().removeIf(batch -> isOlder(batch.announcedAt(), expire));
    counted.values().removeIf(batch -> isOlder(batch.last(), expire));
    uncounted.values().removeIf(each -> isOlder(each.at(), expire.plus(SPREAD)));
  }

  /** Whether a time is longer ago than that by both clocks. */
  private boolean isOlder(Instant time, Duration age) {
    return passed.filter(both -> time.isBefore(both.minus(age))).isPresent();
  }

  private void addUncounted(String topic, String reason) {
    uncounted.put(topic, new Uncounted(now, reason));
  }

  private void count(AccountedEntry.Batch batch) {
    for (BatchIdCount each : batch.batchIds().counts()) {
      BatchTally more = new BatchTally(each.landed(), each.deadLettered(), each.skipped());
      OpenBatch announced = open.get(each.id());
      if (announced != null) {
        if (announced.records().containsKey(batch.topic())) { // No other is ever looked at.
          open.put(each.id(), announced.with(announced.counted().plus(batch.topic(), more, now)));
        }
      } else {
        CountedBatch known = counted.getOrDefault(each.id(), begun());
        counted.put(each.id(), known.plus(batch.topic(), more, now));
      }
    }
  }

  /** A clock that is ahead would have it begin after what was not counted of it. */
  private CountedBatch begun() {
    return CountedBatch.none(passed.orElse(now));
  }

  private void add(Announcement announcement) {
    OpenBatch known = open.get(announcement.batch());
    if (known != null) {
      if (!known.records().equals(announcement.records())) {
        open.put(announcement.batch(), known.contradictedNow());
      }
      return; // A copy.
    }
    if (isOlder(announcement.sentAt(), expire)) {
      return; // It was forgotten long ago, or announced before anything was counted.
    }
    CountedBatch before = counted.remove(announcement.batch());
    open.put(
        announcement.batch(),
        new OpenBatch(
            entry,
            now,
            announcement.sentAt(),
            announcement.records(),
            false,
            before == null ? begun() : before.ofTopics(announcement.records().keySet()),
            Optional.empty()));
  }

  /** Forgets what is too much, complete batches first: of these nothing more is to come. */
  private void bound() {
    int topics = open.values().stream().mapToInt(batch -> batch.records().size()).sum();
    if (open.size() > AnnouncementsState.OPEN_MOST
        || topics > AnnouncementsState.OPEN_TOPICS_MOST) {
      for (String id :
          ordered(
              open,
              Comparator.comparing((OpenBatch batch) -> !batch.complete())
                  .thenComparing(OpenBatch::announcedAt))) {
        if (open.size() <= AnnouncementsState.OPEN_MOST
            && topics <= AnnouncementsState.OPEN_TOPICS_MOST) {
          break;
        }
        OpenBatch forgotten = Objects.requireNonNull(open.remove(id));
        topics -= forgotten.records().size();
        if (!forgotten.complete()) {
          noRoom(forgotten.counted());
        }
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
   * A batch whose last record came long ago has had all of them. Of another one the rest may come
   * under its id, which is then counted anew: any batch that begins may be that one.
   */
  private void noRoom(CountedBatch batch) {
    if (isOlder(batch.last(), SPREAD)) {
      return;
    }
    batch
        .topics()
        .keySet()
        .forEach(topic -> addUncounted(topic, "there were more batches than the ledger counts"));
  }

  private OpenBatch judged(OpenBatch batch) {
    Optional<BatchVerdict> said = batch.verdict();
    long covered = Long.MAX_VALUE;
    Instant askedAt = Instant.MAX;
    for (String name : batch.records().keySet()) {
      TopicState topic = topics.getOrDefault(name, TopicState.unknown());
      covered = Math.min(covered, topic.snapshot());
      Instant asked = topic.askedAt().orElse(Instant.MIN);
      askedAt = asked.isBefore(askedAt) ? asked : askedAt;
    }
    if (covered <= batch.announcedIn()) {
      return batch;
    }
    // One that was complete stays so, unless more records come under its id.
    boolean complete = said.filter(BatchVerdict::complete).isPresent();
    boolean again =
        complete
            ? Judgement.over(batch)
            : covered > said.map(BatchVerdict::snapshot).orElse(batch.announcedIn());
    return again
        ? batch.with(
            new BatchVerdict(covered, askedAt, Judgement.of(batch, before.since(), uncounted)))
        : batch;
  }
}
