package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.TopicDescription;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Kafka's end offsets, for snapshots. Not thread-safe. */
public interface EndOffsets extends Closeable {

  /**
   * Requests the topics' descriptions, then the high watermarks of all topic-partitions, then the
   * descriptions again. High watermarks include records of open transactions.
   *
   * @param agreed whether as many new clients describe the topics again as must agree before a
   *     commit log begins a new generation. Each selects a random broker: one broker's metadata may
   *     be outdated, and lack a topic or some of its topic-partitions
   * @throws IOException Kafka has answered for none of the topics: retry
   */
  Answers ask(Collection<String> topics, boolean agreed) throws IOException;

  /**
   * Kafka's answers. A topic is missing in all descriptions if Kafka does not have it, or refuses
   * to describe it.
   *
   * @param before the topics as first described
   * @param ends the end offsets by topic, beginning with topic-partition 0; a topic is missing if
   *     one of its topic-partitions did not answer
   * @param open by topic and topic-partition, the offset of the first transaction that was open
   *     shortly after the request for the end offsets
   * @param after the topics as each client described them afterwards
   * @param refused the topics that this user has no permission to describe according to any of the
   *     answers; whether they exist is unknown
   * @param unreadable the topics that this user has no permission to READ
   */
  record Answers(
      String clusterId,
      Map<String, TopicDescription> before,
      Map<String, List<Long>> ends,
      Map<String, Map<Integer, Long>> open,
      List<Map<String, TopicDescription>> after,
      Set<String> refused,
      Set<String> unreadable) {

    public Answers {
      before = Map.copyOf(before);
      ends = Map.copyOf(ends);
      open = Map.copyOf(open);
      after = List.copyOf(after);
      refused = Set.copyOf(refused);
      unreadable = Set.copyOf(unreadable);
    }

    boolean has(String topic) {
      return before.containsKey(topic) || after.stream().anyMatch(each -> each.containsKey(topic));
    }
  }
}
