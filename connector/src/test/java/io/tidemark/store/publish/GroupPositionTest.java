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
    assertThat(GroupWatch.Position.of(300, 300, states(100, 200)))
        .isEqualTo(GroupWatch.Position.EXPLAINED);
  }

  @Test
  void groupOfAWorkerThatDiedBeforeItToldItsLastBatchesIsExplained() {
    assertThat(GroupWatch.Position.of(100, 300, states(100, 200)))
        .isEqualTo(GroupWatch.Position.EXPLAINED);
  }

  @Test
  void offsetThatNoEntryLeftIsBehind() {
    assertThat(GroupWatch.Position.of(150, 300, states(100, 200)))
        .isEqualTo(GroupWatch.Position.BEHIND);
    assertThat(GroupWatch.Position.of(0, 300, states(100, 200)))
        .isEqualTo(GroupWatch.Position.BEHIND);
  }

  @Test
  void nothingOfOursPutsAGroupAheadOfItsLog() {
    assertThat(GroupWatch.Position.of(301, 300, states(100, 200)))
        .isEqualTo(GroupWatch.Position.AHEAD);
  }

  @Test
  void claimOfAnEmptyLogExplainsNoOffset() {
    assertThat(GroupWatch.Position.of(0, 300, List.of(CLAIMED)))
        .isEqualTo(GroupWatch.Position.BEHIND);
  }

  private static List<LogState> states(long... next) {
    return LongStream.of(next)
        .mapToObj(n -> CLAIMED.after(new OffsetRange(0, n), new RecordCounts(n, 0, 0, 0, 0)))
        .toList();
  }
}
