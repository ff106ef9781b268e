package io.tidemark.completeness.decide;

import static io.tidemark.completeness.decide.Scene.batch;
import static io.tidemark.completeness.decide.Scene.claim;
import static io.tidemark.completeness.decide.Scene.pin;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Hold;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Another cluster answers the reckoner than that from which the tasks have landed. */
class OtherClusterTest {
  private final Scene scene = new Scene();

  @Test
  void emptyTopicOfAnotherClusterCoversNothing() {
    scene.snapshot(1, "t", 10, 0);
    scene.reckon(batch(0, 1, "t", 0, 10, 0), pin(1, 1, "t", 0));
    assertThat(scene.hour()).isEqualTo(1);

    scene.clusterId = "other";
    scene.snapshot(2, "elsewhere", 0, 0);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("OTHER_CLUSTER orders");
    assertThat(scene.holds()).isEmpty();
    assertThat(scene.ledger.state().topic("orders").topicId()).isEqualTo("t");

    scene.clusterId = "cluster";
    scene.snapshot(3, "t", 10, 0);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(3);
  }

  @Test
  void topicThatTheOtherClusterDoesNotHaveIsNotLeftOutOfItsTable() {
    scene.snapshot(1, "t", 10);
    scene.reckon(batch(0, 1, "t", 0, 10, 0));
    scene.clusterId = "other";
    scene.gone = Set.of("orders");
    scene.snapshot(2, Map.of());
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("OTHER_CLUSTER orders");

    scene.clusterId = "cluster";
    scene.gone = Set.of();
    scene.snapshot(3, "t", 10);
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(3);
    assertThat(scene.holds()).isEmpty();
  }

  @Test
  void emptyTopicIsNotCoveredBeforeATaskHasRecordedWhereItsLogBegins() {
    scene.snapshot(1, "t", 0);
    scene.reckon();
    assertThat(scene.held()).startsWith("NOT_OPENED orders-0");
    scene.reckon(claim(0, 1, "cluster", "t", -1));
    assertThat(scene.held()).startsWith("NOT_OPENED orders-0");

    scene.reckon(pin(0, 2, "t", 0));
    assertThat(scene.hour()).isEqualTo(1);
  }

  /** The account of a claim proves its cluster; a claim without an account may be a mistake. */
  @Test
  void clusterThatAnEmptyLogNamedByMistakeHoldsNothing() {
    scene.snapshot(1, "t", 0);
    scene.reckon(pin(0, 1, "t", 0));
    scene.reckon(
        List.of(claim(0, 3, "cluster", "t", 0)),
        List.of(claim(0, 2, "other", "elsewhere", 20), claim(0, 3, "cluster", "t", 0)));
    scene.snapshot(2, "t", 0);
    scene.reckon();

    assertThat(scene.holds()).isEmpty();
    assertThat(scene.hour()).isEqualTo(2);
  }

  @Test
  void moveToAnotherClusterHoldsWhatTheFormerOneMayHaveHad() {
    scene.snapshot(1, "t", 10, 0);
    scene.reckon(batch(0, 1, "t", 0, 10, 0), pin(1, 1, "t", 0));
    scene.clusterId = "other";
    scene.snapshot(2, "elsewhere", 3, 0);
    scene.reckon(Scene.moved(0, 2, "other", "elsewhere", 3));
    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.holds()).extracting(Hold::topicId).containsOnly("t");

    scene.snapshot(3, "elsewhere", 3, 0);
    scene.reckon(Scene.moved(1, 2, "other", "elsewhere", 0));
    assertThat(scene.hour()).isEqualTo(1);
    assertThat(scene.held()).startsWith("DELETED orders-");

    scene.acknowledgeAll();
    scene.reckon();
    assertThat(scene.hour()).isEqualTo(3);
  }
}
