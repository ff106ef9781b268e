package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.batch.BatchIdCount;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.OffsetRanges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnnouncedBatchesTest {
  private static final Announcement HUNDRED = announcement("n", 100);

  private final Scene scene = new Scene();
  private long number;
  private long next;
  private long read;

  @BeforeEach
  void batchesAreAnnounced() {
    scene.settings =
        new LedgerSettings(
            scene.settings.interval(),
            scene.settings.lateness(),
            Scene.rules(false),
            scene.settings.revisionInterval(),
            Optional.of(Duration.ofDays(7)),
            scene.settings.tables(),
            scene.settings.groups());
  }

  private static Announcement announcement(String id, long orders) {
    return new Announcement(
        id, ModelTopic.START.plusSeconds(60), new TreeMap<>(Map.of("orders", orders)));
  }

  private SettledEntry.Batch lands(long records, BatchIdCounts ids) {
    SettledEntry.Batch batch =
        Scene.batch(0, ++number, "id", 0, next, next + records, 0, OffsetRanges.NONE);
    next += records;
    return new SettledEntry.Batch(
        batch.topic(),
        batch.topicPartition(),
        batch.number(),
        batch.attempt(),
        batch.state(),
        batch.range(),
        batch.counts(),
        batch.notLanded(),
        batch.sums(),
        ids);
  }

  private SettledEntry.Batch lands(long records, String id) {
    return lands(records, new BatchIdCounts(List.of(count(id, records)), 0));
  }

  private static BatchIdCount count(String id, long records) {
    return new BatchIdCount(id, Optional.of("default.orders"), records, 0, 0);
  }

  private void reckon(List<Announcement> announced, SettledEntry... accounts) {
    read += announced.size();
    Findings findings =
        new Findings(
            scene.findings(List.of(accounts)).logs(),
            Scene.gone(Set.of()),
            Map.of(),
            announced.isEmpty()
                ? Optional.empty()
                : Optional.of(new Announced("b", List.of(read), announced)),
            Set.of(),
            new Look(),
            Optional.of(scene.now));
    Decision decision = scene.decide(findings);
    if (!decision.toLook().isEmpty()) {
      findings.look().seen.addAll(decision.toLook());
      decision = scene.decide(findings);
    }
    scene.append(decision.entry(UUID.randomUUID(), scene.now));
  }

  private AnnouncementsState state() {
    return scene.ledger.state().announcements().orElseThrow();
  }

  private String said(String id) {
    AnnouncedBatch batch = Objects.requireNonNull(state().open().get(id));
    return batch.held(scene.ledger.state().topics()).map(Object::toString).orElse("COMPLETE");
  }

  @Test
  void snapshotThatWasTakenBeforeTheAnnouncementJudgesNothing() {
    scene.snapshot(1, "id", 100);
    reckon(List.of(HUNDRED), lands(100, "n"));
    assertThat(said("n")).startsWith("OPEN");
    assertThat(Reckoning.asksForSnapshot(scene.ledger, 0)).isTrue();

    scene.snapshot(2, "id", 100);
    assertThat(Reckoning.asksForSnapshot(scene.ledger, 0)).isFalse();
    reckon(List.of());
    assertThat(said("n")).isEqualTo("COMPLETE");
  }

  @Test
  void recordsOfMoreBatchesThanAnEntryCountsMakeItUnknown() {
    reckon(List.of(HUNDRED), lands(100, "n"), lands(5, new BatchIdCounts(List.of(), 2)));
    scene.snapshot(1, "id", 105);
    reckon(List.of());

    assertThat(said("n")).startsWith("UNKNOWN orders: 100 counted of 100 announced, and 2 records");
  }

  @Test
  void whatIsOverIsSoThoughNotAllWasCounted() {
    reckon(List.of(HUNDRED), lands(101, "n"), lands(5, new BatchIdCounts(List.of(), 2)));
    scene.snapshot(1, "id", 106);
    reckon(List.of());

    assertThat(said("n")).startsWith("OVER");
  }

  @Test
  void batchThatBeginsADayAfterItIsKnownAgain() {
    reckon(List.of(), lands(5, new BatchIdCounts(List.of(), 2)));
    scene.now = scene.now.plus(Duration.ofDays(2));
    reckon(List.of(announcement("n", 10)), lands(10, "n"));
    scene.snapshot(60, "id", 15);
    reckon(List.of());

    assertThat(said("n")).isEqualTo("COMPLETE");
  }

  @Test
  void announcementOfBeforeTheLedgerCountedIsUnknown() {
    LedgerSettings announced = scene.settings;
    scene.settings = Scene.settings(false, Map.of(Scene.TABLE, List.of("orders")), Map.of());
    reckon(List.of(), lands(50, BatchIdCounts.NONE));
    scene.now = ModelTopic.START.plusSeconds(120);
    scene.settings = announced;
    reckon(List.of(HUNDRED), lands(50, "n"));
    scene.snapshot(1, "id", 100);
    reckon(List.of());

    assertThat(said("n")).startsWith("UNKNOWN").contains("before the ledger began to count");
  }

  @Test
  void switchedOffNothingStays() {
    reckon(List.of(HUNDRED), lands(100, "n"));
    assertThat(scene.ledger.state().requires()).containsExactly("announced-batches");
    scene.settings = Scene.settings(false, Map.of(Scene.TABLE, List.of("orders")), Map.of());
    reckon(List.of(), lands(1, BatchIdCounts.NONE));

    assertThat(scene.ledger.state().announcements()).isEmpty();
    assertThat(scene.ledger.state().requires()).isEmpty();
  }

  /** An id for each record is a mistake. Its cost must stay bounded. */
  @Test
  void countsAreBoundedAndWhatWasForgottenIsUnknown() {
    Instant begun = Instant.now();
    reckon(List.of(), lands(60, "n"));
    for (int entry = 0; entry < 30; entry++) {
      scene.now = scene.now.plusSeconds(1);
      int from = entry * 1_000;
      reckon(
          List.of(),
          lands(
              1_000,
              new BatchIdCounts(
                  IntStream.range(from, from + 1_000).mapToObj(i -> count("i" + i, 1)).toList(),
                  0)));
    }
    assertThat(state().counted()).hasSize(AnnouncementsState.COUNTED_MOST).doesNotContainKey("n");
    reckon(List.of(HUNDRED), lands(100, "n"));
    scene.snapshot(1, "id", next);
    reckon(List.of());

    assertThat(said("n"))
        .startsWith("UNKNOWN")
        .contains("more batches than the limit of the ledger");
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(60));

    for (int many = 0; many < 3; many++) {
      int from = many * 600;
      scene.now = scene.now.plusSeconds(1);
      reckon(
          IntStream.range(from, from + 600)
              .mapToObj(i -> new Announcement("o" + i, scene.now, HUNDRED.records()))
              .toList());
    }
    assertThat(state().open()).hasSize(AnnouncementsState.OPEN_MOST).doesNotContainKey("o0");
  }

  /** The producer announces many batches a day, and each becomes complete. */
  @Test
  void completeBatchesMakeRoomForFurtherOnes() {
    for (int step = 0; step < 12; step++) {
      scene.now = scene.now.plusSeconds(60);
      int from = step * 100;
      IntStream ids = IntStream.range(from, from + 100);
      reckon(
          IntStream.range(from, from + 100)
              .mapToObj(
                  i -> new Announcement("b" + i, scene.now, new TreeMap<>(Map.of("orders", 1L))))
              .toList(),
          lands(100, new BatchIdCounts(ids.mapToObj(i -> count("b" + i, 1)).toList(), 0)));
      scene.snapshot(step + 1, "id", next);
      reckon(List.of());
    }

    assertThat(state().open()).hasSize(AnnouncementsState.OPEN_MOST).doesNotContainKey("b0");
    assertThat(said("b1199")).isEqualTo("COMPLETE");
    assertThat(state().uncounted()).isEmpty();
  }

  /** Each entry of the ledger contains all announced batches. */
  @Test
  void batchesOfManyTopicsAreBoundedByTheirTopics() {
    TreeMap<String, Long> topics = new TreeMap<>();
    for (int topic = 0; topic < 1_000; topic++) {
      topics.put("topic" + topic, 1L);
    }
    reckon(
        IntStream.range(0, 12)
            .mapToObj(i -> new Announcement("w" + i, scene.now, topics))
            .toList());

    assertThat(state().open()).hasSize(10);
  }

  /** A batch was sent to more topics than its announcement names. */
  @Test
  void recordsOfTopicsThatWereNotAnnouncedAreNotKept() {
    reckon(List.of(), lands(10, "n"));
    reckon(
        List.of(new Announcement("n", scene.now, new TreeMap<>(Map.of("payments", 1L)))),
        lands(10, "n"));
    reckon(List.of(), lands(10, "n"));

    assertThat(Objects.requireNonNull(state().open().get("n")).counted().topics()).isEmpty();
  }

  @Test
  void checkpointHasAllAndAnEntryOnlyWhatItCounted() {
    reckon(List.of(), lands(10, "a"));
    reckon(List.of(), lands(10, "b"));
    assertThat(state().counted()).containsOnlyKeys("a", "b");

    var decision = scene.decide(scene.findings(List.of(lands(10, "b"))));
    assertThat(decision.state().announcements().orElseThrow().counted()).containsOnlyKeys("b");
    scene.append(scene.ledger.checkpoint(UUID.randomUUID(), scene.now));
    assertThat(state().counted()).containsOnlyKeys("a", "b");
  }
}
