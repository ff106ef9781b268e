package io.tidemark.store.commit;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The leader epochs of a topic-partition in memory, each with its first offset, as a broker keeps
 * them.
 */
public final class EpochHistory {
  private final TreeMap<Integer, Long> firstOffsets = new TreeMap<>(Map.of(0, 0L));

  /** What the present leader knows; it learns of no later election. */
  public EpochHistory copy() {
    EpochHistory copy = new EpochHistory();
    copy.firstOffsets.putAll(firstOffsets);
    return copy;
  }

  /** The epoch of the present leader. */
  public int latest() {
    return firstOffsets.lastKey();
  }

  /** An election: the new leader has the records below an offset and continues there. */
  public void elect(long end) {
    int next = latest() + 1;
    firstOffsets.values().removeIf(first -> first >= end && first > 0);
    firstOffsets.put(next, end);
  }

  /**
   * Does the same as {@link TopicMetadata#truncatedAt}.
   *
   * @param end the present end offset
   */
  public OptionalLong truncatedAt(long next, int epoch, long end) {
    Map.Entry<Integer, Long> later = firstOffsets.higherEntry(epoch);
    long endOfEpoch = later == null ? end : later.getValue();
    return endOfEpoch < next ? OptionalLong.of(endOfEpoch) : OptionalLong.empty();
  }
}
