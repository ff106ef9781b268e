package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.TopicDescription;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A Kafka in which tests set the end offsets. */
final class FakeEndOffsets implements EndOffsets {
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, List<Long>> ends = new HashMap<>();
  private final Set<String> unreadable = new HashSet<>();
  private final Set<String> hidden = new HashSet<>();

  /** The metadata of the broker that the reckoner's own client asks, where it is outdated. */
  private final Map<String, Optional<TopicDescription>> outdated = new HashMap<>();

  /** The end offsets of leaders that only outdated metadata names. */
  private final Map<String, List<Long>> oldEnds = new HashMap<>();

  /** Runs once, between the first description and the end offsets. */
  private Optional<Runnable> meanwhile = Optional.empty();

  private String clusterId = "cluster";
  private boolean away;
  private final Deque<Map<String, Integer>> invented = new ArrayDeque<>();
  private int asked;
  private Map<String, Map<Integer, Long>> open = Map.of();

  void set(String topic, String topicId, long... newEnds) {
    List<Long> all = new ArrayList<>();
    for (long end : newEnds) {
      all.add(end);
    }
    ids.put(topic, topicId);
    ends.put(topic, all);
  }

  /**
   * The next answer, after those for which this was called before, has the end offset 0 of a
   * topic-partition.
   */
  void inventEnd(String topic, int topicPartition) {
    invented.add(Map.of(topic, topicPartition));
  }

  /** Opens a transaction at an offset of topic-partition 0. */
  void open(String topic, long offset) {
    open = Map.of(topic, Map.of(0, offset));
  }

  /** Decides whether the user may read a topic. */
  void unreadable(String topic, boolean so) {
    boolean changed = so ? unreadable.add(topic) : unreadable.remove(topic);
    if (!changed) {
      throw new IllegalArgumentException(topic + " was so before");
    }
  }

  /** Decides whether the user may not describe a topic. */
  void hidden(String topic, boolean so) {
    boolean changed = so ? hidden.add(topic) : hidden.remove(topic);
    if (!changed) {
      throw new IllegalArgumentException(topic + " was so before");
    }
  }

  /**
   * One broker, of which the reckoner's own client asks, has older metadata of a topic, or none.
   */
  void outdated(String topic, Optional<TopicDescription> older) {
    outdated.put(topic, older);
  }

  /**
   * One broker, of which the reckoner's own client asks, still names the former leader of a topic's
   * only topic-partition, which answers an old end offset.
   */
  void deposed(String topic, int leader, long oldEnd) {
    outdated(
        topic,
        Optional.of(
            new TopicDescription(Objects.requireNonNull(ids.get(topic)), 1, List.of(leader))));
    oldEnds.put(topic, List.of(oldEnd));
  }

  /** All brokers have the present metadata. */
  void upToDate() {
    outdated.clear();
    oldEnds.clear();
  }

  void remove(String topic) {
    ids.remove(topic);
    ends.remove(topic);
  }

  void meanwhile(Runnable change) {
    meanwhile = Optional.of(change);
  }

  /** Another cluster answers from now on. */
  void cluster(String id) {
    clusterId = id;
  }

  void away(boolean now) {
    away = now;
  }

  int asked() {
    return asked;
  }

  @Override
  public Answers ask(Collection<String> topics, boolean agreed) throws IOException {
    asked++;
    if (away) {
      throw new IOException("Kafka does not answer");
    }
    Map<String, TopicDescription> before = describe(topics, true);
    Map<String, Integer> zeros = Objects.requireNonNullElse(invented.poll(), Map.of());
    meanwhile.ifPresent(Runnable::run);
    meanwhile = Optional.empty();
    Map<String, List<Long>> answered = new HashMap<>();
    for (String topic : before.keySet()) {
      List<Long> ofTopic = oldEnds.getOrDefault(topic, ends.get(topic));
      if (ofTopic != null) {
        int asked = Objects.requireNonNull(before.get(topic)).topicPartitions();
        List<Long> all = new ArrayList<>(ofTopic.subList(0, Math.min(asked, ofTopic.size())));
        Integer zero = zeros.get(topic);
        if (zero != null) {
          all.set(zero, 0L);
        }
        answered.put(topic, List.copyOf(all));
      }
    }
    List<Map<String, TopicDescription>> after = new ArrayList<>(List.of(describe(topics, true)));
    if (agreed) {
      after.add(describe(topics, false));
    }
    Set<String> refused = new HashSet<>(topics);
    refused.retainAll(hidden);
    return new Answers(clusterId, before, answered, open, after, refused, Set.copyOf(unreadable));
  }

  private Map<String, TopicDescription> describe(Collection<String> topics, boolean own) {
    Map<String, TopicDescription> described = new HashMap<>();
    for (String topic : topics) {
      if (own && outdated.containsKey(topic)) {
        Objects.requireNonNull(outdated.get(topic)).ifPresent(old -> described.put(topic, old));
        continue;
      }
      String id = ids.get(topic);
      if (id != null && !hidden.contains(topic)) {
        int all = ends.getOrDefault(topic, List.of()).size();
        described.put(topic, new TopicDescription(id, all, Collections.nCopies(all, 1)));
      }
    }
    return described;
  }

  @Override
  public void close() {}
}
