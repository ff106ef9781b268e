package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Two topics with one topic-partition each, and producers that announce batches. */
final class AnnouncedWorld {
  private static final List<String> IDS = List.of("a", "b", "c");

  /** The batch of a record, or empty, and whether an entry had no room for its id. */
  private static final class Row {
    final String id;
    boolean mixed;

    Row(String id) {
      this.id = id;
    }
  }

  private static final class Part {
    final List<Row> rows = new ArrayList<>();
    final List<SettledEntry.Batch> entries = new ArrayList<>();
    int landed;
    RecordCounts counts = RecordCounts.NONE;
    int taken;
  }

  private final long seed;
  private final Random random;
  private final SortedMap<String, Part> topics =
      new TreeMap<>(Map.of("orders", new Part(), "payments", new Part()));
  private final List<ReadEntry> inbox = new ArrayList<>();
  private final List<Announcement> announced = new ArrayList<>();
  private final Map<String, Map<String, Long>> heldWhenAnnounced = new HashMap<>();
  private final Set<String> news = new HashSet<>();
  private final Set<String> complete = new HashSet<>();
  private final LedgerSettings settings;
  private Ledger ledger = Ledger.EMPTY;
  private Instant now = ModelTopic.START;
  private final ListedLogs logs = new ListedLogs();
  private int read;

  AnnouncedWorld(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.settings =
        new LedgerSettings(
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            Scene.rules(false),
            Duration.ofHours(1),
            Optional.of(Duration.ofDays(7)),
            new TreeMap<>(
                Map.of(
                    "default.orders", List.of("orders"), "default.payments", List.of("payments"))),
            new TreeMap<>());
  }

  void step() {
    now = now.plusSeconds(1 + random.nextInt(20));
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> produce();
      case 3, 4 -> land(topic(), 1 + random.nextInt(6));
      case 5 -> announce();
      case 6 -> reckon(random.nextBoolean());
      default -> {
        if (Reckoning.asksForSnapshot(ledger, 0) || random.nextInt(3) == 0) {
          snapshot();
        }
      }
    }
  }

  /** All records of Kafka land, and are accounted for and covered. */
  void settleEverything(Runnable check) {
    for (int times = 0; times < 3; times++) {
      now = now.plusSeconds(10);
      topics.keySet().forEach(topic -> land(topic, Integer.MAX_VALUE));
      reckon(true);
      now = now.plusSeconds(10);
      check.run();
      snapshot();
      reckon(true);
      check.run();
    }
  }

  private String topic() {
    return random.nextBoolean() ? "orders" : "payments";
  }

  private Part part(String topic) {
    return Objects.requireNonNull(topics.get(topic));
  }

  private void produce() {
    String id = random.nextInt(4) == 0 ? "" : IDS.get(random.nextInt(IDS.size()));
    Part part = part(topic());
    for (int each = random.nextInt(5); each >= 0; each--) {
      part.rows.add(new Row(id));
    }
  }

  /** The next records form an entry, and an account reports it once, twice, or late. */
  private void land(String topic, int most) {
    Part part = part(topic);
    int records = Math.min(most, part.rows.size() - part.landed);
    if (records == 0) {
      return;
    }
    List<Row> rows = part.rows.subList(part.landed, part.landed + records);
    long[] deadLettered = new long[records];
    int dead = 0;
    Map<String, long[]> byId = new TreeMap<>();
    long mixed = 0;
    boolean full = random.nextInt(25) == 0;
    for (int each = 0; each < records; each++) {
      Row row = rows.get(each);
      boolean landed = random.nextInt(5) > 0;
      if (!landed) {
        deadLettered[dead++] = (long) part.landed + each;
      }
      if (!row.id.isEmpty()) {
        row.mixed = full;
        mixed += full ? 1 : 0;
        if (!full) {
          byId.computeIfAbsent(row.id, id -> new long[2])[landed ? 0 : 1]++;
        }
      }
    }
    append(topic, records, java.util.Arrays.copyOf(deadLettered, dead), byId, mixed);
  }

  private void append(
      String topic, int records, long[] deadLettered, Map<String, long[]> byId, long mixed) {
    Part part = part(topic);
    String table = "default." + topic;
    OffsetRange range = new OffsetRange(part.landed, part.landed + records);
    NotLanded notLanded =
        new NotLanded(
            OffsetRanges.of(deadLettered), OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE);
    long landed = (long) records - deadLettered.length;
    RecordCounts own = notLanded.counts(landed);
    part.counts = part.counts.plus(own);
    List<BatchIdCount> counts = new ArrayList<>();
    byId.forEach(
        (id, classes) -> {
          if (classes[0] > 0) {
            counts.add(new BatchIdCount(id, Optional.of(table), classes[0], 0, 0));
          }
          if (classes[1] > 0) {
            counts.add(new BatchIdCount(id, Optional.empty(), 0, classes[1], 0));
          }
        });
    part.landed += records;
    SettledEntry.Batch entry =
        new SettledEntry.Batch(
            topic,
            0,
            part.entries.size() + 1,
            new UUID(random.nextLong(), random.nextLong()),
            new SettledState(
                new Generation(1, "cluster", topic + "-id"), 0, part.landed, part.counts, false),
            range,
            own,
            notLanded,
            landed == 0
                ? List.of()
                : List.of(
                    new HivePartitionSum(
                        TableName.parse(table),
                        ModelTopic.hivePartition(0),
                        landed,
                        landed,
                        1,
                        ModelTopic.START.toEpochMilli(),
                        ModelTopic.START.toEpochMilli())),
            new BatchIdCounts(counts, mixed));
    part.entries.add(entry);
    logs.of(topic, 0).put(entry, now);
    for (int copies = random.nextInt(3); copies >= 0; copies--) {
      inbox.add(new ReadEntry(now, entry));
    }
  }

  /** Announces the number of sent records, or a number near it. */
  private void announce() {
    String id = IDS.get(random.nextInt(IDS.size()));
    TreeMap<String, Long> records = new TreeMap<>();
    Map<String, Long> held = new HashMap<>();
    topics.forEach(
        (topic, part) -> {
          if (random.nextInt(4) > 0) {
            long sent = part.rows.stream().filter(row -> row.id.equals(id)).count();
            records.put(
                topic, Math.max(0, sent + (random.nextInt(4) == 0 ? random.nextInt(5) - 2 : 0)));
          }
          held.put(topic, (long) part.rows.size());
        });
    if (!records.isEmpty() && announced.stream().noneMatch(one -> one.batch().equals(id))) {
      announced.add(new Announcement(id, now, records));
      heldWhenAnnounced.put(id, held);
    }
  }

  private void snapshot() {
    SortedMap<String, TopicEnds> ends = new TreeMap<>();
    topics.forEach(
        (topic, part) ->
            ends.put(
                topic,
                new TopicEnds(
                    topic + "-id",
                    List.of((long) part.rows.size()),
                    Collections.emptySortedMap())));
    Snapshot snapshot = new Snapshot(now.minus(settings.lateness()), now, "cluster", ends);
    append(Snapshots.entry(ledger, snapshot, Map.of(), UUID.randomUUID(), now));
  }

  private void reckon(boolean all) {
    Collections.shuffle(inbox, random);
    List<ReadEntry> came =
        List.copyOf(inbox.subList(0, all ? inbox.size() : random.nextInt(inbox.size() + 1)));
    boolean reads = all || random.nextBoolean();
    Optional<Announced> more =
        reads && read < announced.size()
            ? Optional.of(
                new Announced(
                    "batches-id",
                    List.of((long) announced.size()),
                    announced.subList(read, announced.size())))
            : Optional.empty();
    Findings findings =
        new Findings(
            logs.read(ledger, came),
            Scene.gone(Set.of()),
            Map.of(),
            more,
            Set.of(),
            new Look(),
            Optional.of(now));
    Decision decision = decide(findings);
    while (!decision.toLook().isEmpty()) {
      findings.look().seen.addAll(decision.toLook());
      decision = decide(findings);
    }
    read = more.isPresent() ? announced.size() : read;
    Set<String> before = new HashSet<>();
    if (ledger.state().announcements().isPresent()) {
      state()
          .open()
          .forEach(
              (id, batch) -> {
                if (batch.complete()) {
                  before.add(id);
                }
              });
    }
    append(decision.entry(UUID.randomUUID(), now));
    news.clear();
    news.addAll(state().open().keySet());
    news.removeAll(before);
    state()
        .open()
        .forEach(
            (id, batch) -> {
              if (batch.complete()) {
                complete.add(id);
              }
            });
    topics.forEach(
        (topic, part) -> {
          var known = ledger.state().topics().get(topic);
          var at = known == null ? null : known.at().get(0);
          part.taken = at == null ? 0 : (int) at.next();
        });
    if (random.nextInt(10) == 0) {
      // Another reckoner reads the checkpoint and claims the ledger.
      append(ledger.checkpoint(UUID.randomUUID(), now));
      append(
          new LedgerEntry.Claim(
              UUID.randomUUID(), ledger.state().withoutPositions(), now, "sales", "w2"));
    }
  }

  private Decision decide(Findings findings) {
    return Reckoning.decide(ledger, settings, findings, ModelWorld.SPANS, now);
  }

  private void append(LedgerEntry entry) {
    ledger = ledger.after(new NumberedEntry<>(ledger.number() + 1, entry));
  }

  AnnouncementsState state() {
    return ledger
        .state()
        .announcements()
        .orElseGet(() -> AnnouncementsState.begin(Optional.empty()));
  }

  AnnouncedBatch batch(String id) {
    return Objects.requireNonNull(state().open().get(id));
  }

  /** True if a reckoning has stated that the batch is complete. */
  boolean wasComplete(String id) {
    return complete.contains(id);
  }

  /** True if the last reckoning may have been the first one to state that the batch is complete. */
  boolean isNews(String id) {
    return news.contains(id);
  }

  /**
   * The number of the batch's records that the ledger has taken. Records without room for their id
   * are not counted.
   */
  long taken(String topic, String id, boolean withMixed) {
    Part part = part(topic);
    return part.rows.subList(0, part.taken).stream()
        .filter(row -> row.id.equals(id) && (withMixed || !row.mixed))
        .count();
  }

  boolean tainted(String topic) {
    Part part = part(topic);
    return part.rows.subList(0, part.taken).stream().anyMatch(row -> row.mixed);
  }

  long landed(String topic) {
    return part(topic).taken;
  }

  long heldWhenAnnounced(String topic, String id) {
    return Objects.requireNonNull(Objects.requireNonNull(heldWhenAnnounced.get(id)).get(topic));
  }

  @Override
  public String toString() {
    return "seed " + seed + ": " + state();
  }
}
