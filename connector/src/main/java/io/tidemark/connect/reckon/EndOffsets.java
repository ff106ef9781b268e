package io.tidemark.connect.reckon;

import io.tidemark.connect.ledger.TopicDescription;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kafka's end offsets, for snapshots. Used by one thread. */
public interface EndOffsets extends Closeable {

  /**
   * Asks which topics there are, then for the high watermarks of all their topic-partitions, then
   * again which topics there are. The end offsets are those of uncommitted reads: records of open
   * transactions count.
   *
   * @throws IOException Kafka does not answer of any topic: try again
   */
  Answers ask(Collection<String> topics) throws IOException;

  /**
   * What Kafka has answered. A topic that Kafka does not know is missing in both descriptions, as
   * is one that it refuses to describe.
   *
   * @param before the topics as they were described first
   * @param ends by topic, beginning with topic-partition 0; a topic of which some topic-partition
   *     did not answer is missing
   * @param open where transactions were open a moment later, by topic and topic-partition: the
   *     offset at which the first of them begins
   * @param after the topics as they were described afterwards
   * @param refused the topics that this user may not describe: whether they exist is not known
   * @param unreadable the topics that this user may not READ
   */
  record Answers(
      String clusterId,
      Map<String, TopicDescription> before,
      Map<String, List<Long>> ends,
      Map<String, Map<Integer, Long>> open,
      Map<String, TopicDescription> after,
      Set<String> refused,
      Set<String> unreadable) {

    /** Answers without a refusal. */
    public Answers(
        String clusterId,
        Map<String, TopicDescription> before,
        Map<String, List<Long>> ends,
        Map<String, Map<Integer, Long>> open,
        Map<String, TopicDescription> after) {
      this(clusterId, before, ends, open, after, Set.of(), Set.of());
    }

    public Answers {
      before = Map.copyOf(before);
      ends = Map.copyOf(ends);
      open = Map.copyOf(open);
      after = Map.copyOf(after);
      refused = Set.copyOf(refused);
      unreadable = Set.copyOf(unreadable);
    }
  }
}
