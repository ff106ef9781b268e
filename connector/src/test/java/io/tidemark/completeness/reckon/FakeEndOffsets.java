package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.TopicDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Kafka in which tests set the end offsets. */
final class FakeEndOffsets implements EndOffsets {
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, List<Long>> ends = new HashMap<>();
  private final Set<String> unreadable = new HashSet<>();

  /** Runs once, between the first description and the end offsets. */
  private Optional<Runnable> meanwhile = Optional.empty();

  private boolean away;
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

  void remove(String topic) {
    ids.remove(topic);
    ends.remove(topic);
  }

  void meanwhile(Runnable change) {
    meanwhile = Optional.of(change);
  }

  void away(boolean now) {
    away = now;
  }

  int asked() {
    return asked;
  }

  @Override
  public Answers ask(Collection<String> topics) throws IOException {
    asked++;
    if (away) {
      throw new IOException("Kafka does not answer");
    }
    Map<String, TopicDescription> before = describe(topics);
    meanwhile.ifPresent(Runnable::run);
    meanwhile = Optional.empty();
    Map<String, List<Long>> answered = new HashMap<>();
    for (String topic : before.keySet()) {
      List<Long> ofTopic = ends.get(topic);
      if (ofTopic != null) {
        answered.put(topic, List.copyOf(ofTopic));
      }
    }
    return new Answers(
        "cluster", before, answered, open, describe(topics), Set.of(), Set.copyOf(unreadable));
  }

  private Map<String, TopicDescription> describe(Collection<String> topics) {
    Map<String, TopicDescription> described = new HashMap<>();
    for (String topic : topics) {
      String id = ids.get(topic);
      if (id != null) {
        described.put(topic, new TopicDescription(id, ends.getOrDefault(topic, List.of()).size()));
      }
    }
    return described;
  }

  @Override
  public void close() {}
}
