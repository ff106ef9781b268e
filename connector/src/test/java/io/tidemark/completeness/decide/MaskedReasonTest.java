package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.batch;
import static io.tidemark.completeness.decide.Scene.pin;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.store.batch.OffsetRanges;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A pending snapshot that can never be covered does not hide why later ones are not covered, and
 * what ends by itself does not hide what an operator must end.
 */
class MaskedReasonTest {
  private final Scene scene = new Scene();

  @Test
  void snapshotOfAnotherClusterDoesNotHideTheHoldOfALaterOne() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    scene.clusterId = "other";
    scene.snapshot(2, "elsewhere", 3);
    scene.reckon();
    assertThat(scene.held()).startsWith("OTHER_CLUSTER orders");

    scene.clusterId = "cluster";
    scene.snapshot(3, "t2", 5);
    scene.reckon(batch(0, 2, "t2", 0, 5, 1));
    assertThat(scene.held()).startsWith("DELETED orders-0");
  }

  @Test
  void snapshotOfAFormerTopicDoesNotHideTheHoldOfALaterOne() {
    scene.snapshot(1, "t", 10, 0);
    scene.reckon(batch(0, 1, "t", 0, 10, 0), pin(1, 1, "t", 0));
    scene.snapshot(2, "t2", 5, 0);
    scene.reckon();
    scene.snapshot(3, "t3", 4, 0);
    scene.reckon(batch(0, 2, "t3", 0, 4, 1), pin(1, 2, "t3", 0));
    for (Hold hold :
        scene.holds().stream()
            .filter(hold -> !(hold.topicId().equals("t2") && hold.topicPartition() == 1))
            .collect(Collectors.toSet())) {
      scene.acknowledge(hold);
    }
    scene.reckon();
    assertThat(scene.held()).startsWith("DELETED orders-1");
  }

  @Test
  void topicPartitionThatIsBehindDoesNotHideTheHoldOfAnotherOne() {
    scene.snapshot(1, "t", 10, 10);
    scene.reckon(
        batch(0, 1, "t", 0, 5, 0), batch(1, 1, "t", 0, 0, 10, 0, OffsetRanges.parse("3-4")));
    assertThat(scene.held()).startsWith("LOST orders-1");

    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.held()).startsWith("BEHIND orders-0");
  }
}
