package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.TABLE;
import static io.tidemark.completeness.decide.Scene.adopted;
import static io.tidemark.completeness.decide.Scene.afterAdoption;
import static io.tidemark.completeness.decide.Scene.batch;
import static io.tidemark.completeness.decide.Scene.checkpoint;
import static io.tidemark.completeness.decide.Scene.ends;
import static io.tidemark.completeness.decide.Scene.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.batch.OffsetRanges;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logs that continue after another sink, whose files are in the table and in no entry. */
class AdoptedLogsTest {
  private final Scene scene = new Scene();

  private static SettledEntry landed(long number, long first, long next, int hour) {
    return afterAdoption(batch(0, number, "t", 50, first, next, hour, OffsetRanges.NONE));
  }

  @Test
  void recordsOfTheOtherSinkAreNotLost() {
    scene.snapshot(1, "t", 60);
    scene.reckon(adopted(0, "t", 50, 1), landed(2, 50, 60, 2));

    assertThat(scene.holds()).isEmpty();
    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.ledger.state().topic("orders").counts().total()).isEqualTo(10);
  }

  /** Of a topic that the first snapshot lacks, accounts must have all offsets from the first on. */
  @Test
  void recordsOfTheOtherSinkAreNotLostInALedgerThatHadNoSuchTopic() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.snapshot(1, Map.of("returns", ends("r", 0)));
    scene.reckon(adopted(0, "t", 50, 1), landed(2, 50, 60, 2));
    scene.snapshot(2, Map.of("returns", ends("r", 0), "orders", ends("t", 60)));
    scene.reckon(landed(3, 60, 70, 3));

    assertThat(scene.holds()).isEmpty();
  }

  @Test
  void recordsOfTheOtherSinkAreNotLostIfTheFirstEntryIsFolded() {
    scene.settings = settings(false, Map.of(TABLE, List.of("orders", "returns")), Map.of());
    scene.snapshot(1, Map.of("returns", ends("r", 0)));
    scene.reckon(checkpoint(landed(2, 50, 60, 2)));
    scene.snapshot(2, Map.of("returns", ends("r", 0), "orders", ends("t", 60)));
    scene.reckon(landed(3, 60, 70, 3));

    assertThat(scene.holds()).isEmpty();
    assertThat(scene.ledger.state().topic("orders").partialBefore()).isPresent();
  }

  @Test
  void totalsAreExactFromTheTimeOfTheEntryOn() {
    scene.snapshot(1, "t", 50);
    scene.reckon(adopted(0, "t", 50, 5));
    scene.snapshot(8, "t", 80);

    Decision decision =
        scene.reckon(landed(2, 50, 60, 4), landed(3, 60, 70, 5), landed(4, 70, 80, 6));

    assertThat(decision.completions())
        .extracting(each -> each.total().hivePartition(), each -> each.total().partial())
        .containsExactly(
            tuple(ModelTopic.hivePartition(4), true),
            tuple(ModelTopic.hivePartition(5), false),
            tuple(ModelTopic.hivePartition(6), false));
  }

  /** Another reason for partial totals must not make those of a later time exact. */
  @Test
  void laterReasonDoesNotShortenTheTime() {
    scene.snapshot(1, "t", 50, 0);
    scene.reckon(adopted(0, "t", 50, 20));
    scene.snapshot(2, "t", 50, 10);
    scene.reckon(checkpoint(batch(1, 1, "t", 0, 10, 2)));

    assertThat(scene.ledger.state().topic("orders").partialBefore()).contains(ModelTopic.from(20));
  }

  @Test
  void recreatedTopicOfAnAdoptedLogIsCountedFromItsFirstRecord() {
    scene.snapshot(1, "t", 60);
    scene.reckon(adopted(0, "t", 50, 1), landed(2, 50, 60, 1));

    assertThat(Succeeding.nothingOfFormerTopics(scene.ledger, "orders", "t"))
        .as("the other sink is no former topic")
        .isTrue();
    scene.snapshot(2, "t2", 5);
    assertThat(scene.holds()).isNotEmpty().allMatch(hold -> hold.topicId().equals("t"));
  }
}
