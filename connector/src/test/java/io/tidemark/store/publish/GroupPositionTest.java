package io.tidemark.store.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GroupPositionTest {
  private static final LogState CLAIMED = LogState.initial(new TopicIdentity("cluster", "topic"));

  @Test
  void groupThatFollowedTheLogIsExplained() {
    assertThat(GroupWatch.change(300, 300, states(100, 200))).isEmpty();
  }

  @Test
  void groupOfAWorkerThatDiedBeforeItToldItsLastBatchesIsExplained() {
    assertThat(GroupWatch.change(100, 300, states(100, 200))).isEmpty();
  }

  @Test
  void offsetThatNoEntryLeftIsBehind() {
    assertThat(GroupWatch.change(150, 300, states(100, 200)).orElse(""))
        .contains("moved the group back");
    assertThat(GroupWatch.change(0, 300, states(100, 200)).orElse(""))
        .contains("moved the group back");
  }

  @Test
  void nothingOfOursPutsAGroupAheadOfItsLog() {
    assertThat(GroupWatch.change(301, 300, states(100, 200)).orElse(""))
        .contains("moved the group forward");
  }

  @Test
  void claimOfAnEmptyLogExplainsNoOffset() {
    assertThat(GroupWatch.change(0, 300, List.of(CLAIMED)).orElse(""))
        .contains("moved the group back");
  }

  private static List<LogState> states(long... next) {
    return LongStream.of(next)
        .mapToObj(n -> CLAIMED.after(new OffsetRange(0, n), new RecordCounts(n, 0, 0, 0, 0)))
        .toList();
  }
}
