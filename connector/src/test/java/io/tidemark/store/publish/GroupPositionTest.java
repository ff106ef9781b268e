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
    assertThat(GroupPosition.of(300, 300, states(100, 200))).isEqualTo(GroupPosition.EXPLAINED);
  }

  @Test
  void groupOfAWorkerThatDiedBeforeItToldItsLastBatchesIsExplained() {
    assertThat(GroupPosition.of(100, 300, states(100, 200))).isEqualTo(GroupPosition.EXPLAINED);
  }

  @Test
  void offsetThatNoEntryLeftIsBehind() {
    assertThat(GroupPosition.of(150, 300, states(100, 200))).isEqualTo(GroupPosition.BEHIND);
    assertThat(GroupPosition.of(0, 300, states(100, 200))).isEqualTo(GroupPosition.BEHIND);
  }

  @Test
  void nothingOfOursPutsAGroupAheadOfItsLog() {
    assertThat(GroupPosition.of(301, 300, states(100, 200))).isEqualTo(GroupPosition.AHEAD);
  }

  @Test
  void claimOfAnEmptyLogExplainsNoOffset() {
    assertThat(GroupPosition.of(0, 300, List.of(CLAIMED))).isEqualTo(GroupPosition.BEHIND);
  }

  private static List<LogState> states(long... next) {
    return LongStream.of(next)
        .mapToObj(n -> CLAIMED.after(new OffsetRange(0, n), new RecordCounts(n, 0, 0, 0, 0)))
        .toList();
  }
}
