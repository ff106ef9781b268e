package io.tidemark.store.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of records by announced batch. */
final class BatchIdTallyTest {
  private static final Optional<String> ORDERS = Optional.of("default.orders");
  private static final Optional<String> REFUNDS = Optional.of("default.refunds");

  private final BatchIdTally tally = new BatchIdTally();

  @Test
  void countsStandByIdAndTableAndOnceForWhatDoesNotLand() {
    take("a", ORDERS);
    take("b", ORDERS);
    take("a", REFUNDS);
    take("a", ORDERS);
    take("a", REFUNDS).deadLetter();
    take("a", ORDERS).deadLetter();
    reject("a");
    tally.skip("a");
    tally.skip("c");

    assertThat(tally.counts())
        .isEqualTo(
            new BatchIdCounts(
                List.of(
                    new BatchIdCount("a", ORDERS, 2, 0, 0),
                    new BatchIdCount("a", REFUNDS, 1, 0, 0),
                    new BatchIdCount("a", Optional.empty(), 0, 3, 1),
                    new BatchIdCount("b", ORDERS, 1, 0, 0),
                    new BatchIdCount("c", Optional.empty(), 0, 0, 1)),
                0));
  }

  @Test
  void batchWhoseRecordsAreAllDeadLettersLandsNothing() {
    take("a", ORDERS).deadLetter();

    assertThat(tally.counts().counts())
        .containsExactly(new BatchIdCount("a", Optional.empty(), 0, 1, 0));
  }

  @Test
  void nothingIsCountedWhereNothingCame() {
    assertThat(tally.counts()).isEqualTo(BatchIdCounts.NONE);
  }

  @Test
  void idsBeyondTheLimitAreMixedInWhateverClass() {
    for (int i = 0; i < BatchIdCounts.MAX_IDS; i++) {
      take("batch-" + i, ORDERS);
    }
    take("batch-0", REFUNDS);
    tally.skip("batch-1");
    assertThat(tally.counter("beyond", ORDERS)).isEmpty();
    assertThat(tally.counter("beyond", Optional.empty())).isEmpty();
    tally.skip("beyond as well");

    BatchIdCounts counts = tally.counts();
    assertThat(counts.mixed()).isEqualTo(3);
    assertThat(counts.counts()).hasSize(BatchIdCounts.MAX_IDS + 2);
    assertThat(counts.total()).isEqualTo(BatchIdCounts.MAX_IDS + 2 + 3);
  }

  @Test
  void recordThatMayGoToSeveralTablesIsMixedOnce() {
    for (int i = 0; i < BatchIdCounts.MAX_IDS; i++) {
      take("batch-" + i, ORDERS);
    }
    List<String> tables = List.of("default.orders", "default.refunds", "default.returns");
    assertThat(tally.counter("beyond", tables)).isEmpty();

    assertThat(tally.counts().mixed()).isEqualTo(1);
  }

  @Test
  void countsBeyondTheRecordsOfARangeAreRefused() {
    take("a", ORDERS);
    take("a", ORDERS).deadLetter();
    tally.skip("b");
    BatchIdCounts counts = tally.counts();

    counts.requireWithin(new RecordCounts(1, 1, 1, 0, 0), Map.of("default.orders", 1L));
    for (RecordCounts fewer :
        List.of(
            new RecordCounts(1, 0, 2, 0, 0),
            new RecordCounts(2, 1, 0, 0, 0),
            new RecordCounts(0, 1, 1, 0, 0))) {
      assertThatThrownBy(() -> counts.requireWithin(fewer, Map.of("default.orders", 5L)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () ->
                counts.requireWithin(
                    new RecordCounts(5, 5, 5, 0, 0), Map.of("default.refunds", 5L)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "nightly-21", "\u00e4\u20ac\ud83d\ude00", " ", "\n"})
  void idHasOneTo64Bytes(String id) {
    assertThat(BatchId.of(id).text()).isEqualTo(id);
    assertThat(BatchId.of("x".repeat(64)).isUsable()).isTrue();
    assertThat(BatchId.unusable("empty").isUsable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "12345678901234567890123456789012345678901234567890123456789012345",
        "\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac"
      })
  void otherTextsAreNoIds(String text) {
    assertThat(BatchId.isId(text)).isFalse();
    assertThatThrownBy(() -> new BatchIdCount(text, Optional.empty(), 0, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64 bytes");
  }

  @Test
  void halfOfASurrogatePairIsNoId() {
    assertThat(BatchId.isId("a\ud83d")).isFalse();
  }

  private BatchIdCounter take(String id, Optional<String> table) {
    BatchIdCounter counter = tally.counter(id, table).orElseThrow();
    counter.count();
    return counter;
  }

  private void reject(String id) {
    tally.counter(id, Optional.empty()).orElseThrow().deadLetter();
  }

  /** A dead letter has no table if a field selects the table. */
  @Test
  void recordsOfWhichAFieldDecidesAreCountedWhereTheyGo() {
    BatchIdTally tally = new BatchIdTally();
    for (int i = 0; i < 5; i++) {
      tally.counter("nightly", List.of("d.a", "d.b", "d.c")).orElseThrow().count();
    }
    BatchIdCounter counter = tally.counter("nightly", List.of("d.a", "d.b", "d.c")).orElseThrow();
    counter.goesTo("d.b");
    counter.goesTo("d.b");
    counter.goesTo("d.a");
    counter.deadLetter();

    assertThat(tally.counts().counts())
        .containsExactlyInAnyOrder(
            new BatchIdCount("nightly", Optional.of("d.a"), 2, 0, 0),
            new BatchIdCount("nightly", Optional.of("d.b"), 2, 0, 0),
            new BatchIdCount("nightly", Optional.empty(), 0, 1, 0));
  }
}
