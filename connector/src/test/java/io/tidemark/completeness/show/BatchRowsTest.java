package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.CountedBatch;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BatchRowsTest {
  private static final Instant ASKED = Instant.parse("2026-11-21T08:05:00.104Z");

  private static AnnouncedBatch batch(Optional<HeldBecause> held) {
    return new AnnouncedBatch(
        41,
        ASKED,
        ASKED,
        new TreeMap<>(Map.of("orders", 90L, "payments", 10L)),
        false,
        CountedBatch.none(ASKED)
            .plus("orders", new BatchTally(80, 7, 3), ASKED)
            .plus("payments", new BatchTally(10, 0, 0), ASKED)
            .plus("others", new BatchTally(5, 5, 5), ASKED),
        Optional.of(new BatchVerdict(42, ASKED, held)));
  }

  @Test
  void rowOfABatchHasWhatWasAnnouncedAndWhatWasCounted() {
    AnnouncementsState none = AnnouncementsState.begin(Optional.empty());
    AnnouncementsState announced =
        new AnnouncementsState(
            "id",
            List.of(2L),
            none.since(),
            new TreeMap<>(
                Map.of(
                    "n-1",
                    batch(Optional.empty()),
                    "n-2",
                    batch(Optional.of(new HeldBecause("SHORT", "orders: 4 missing"))))),
            none.counted(),
            none.forgotten(),
            none.uncounted());

    assertThat(
            new LedgerRows(43)
                .watermarks(
                    LedgerState.initial()
                        .with(draft -> draft.announcements = Optional.of(announced))))
        .extracting(
            row -> row.get("kind") + " " + row.get("name"),
            row -> row.get("complete_through"),
            row -> row.get("asked_at"),
            row -> row.get("held_because"),
            row -> List.of(row.get("announced"), row.get("landed"), row.get("dead_lettered")),
            row -> row.get("skipped"))
        .containsExactly(
            tuple(
                "batch n-1",
                "2026-11-21T08:05:00Z",
                "2026-11-21T08:05:00.104Z",
                null,
                List.of(100L, 90L, 7L),
                3L),
            tuple(
                "batch n-2",
                null,
                "2026-11-21T08:05:00.104Z",
                "SHORT orders: 4 missing",
                List.of(100L, 90L, 7L),
                3L));
  }
}
