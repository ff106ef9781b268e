package io.tidemark.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers that the claims of many topic-partitions need at the same time: one request serves all.
 * Otherwise each of 1,000 claims would list a directory with 1,000 names. Thread-safe.
 */
public final class SharedAnswers<K, V> {
  private final MonotonicClock clock;
  private final Map<K, Answer<V>> answers = new ConcurrentHashMap<>();

  private static final class Answer<V> {
    private long begunMs;
    private @Nullable V value;
  }

  public interface Question<V, E extends Exception> {
    V ask() throws E;
  }

  public SharedAnswers(MonotonicClock clock) {
    this.clock = clock;
  }

  /** Returns an answer to a question that began after this time; asks it if there is none. */
  public <E extends Exception> V after(long ms, K key, Question<V, E> question) throws E {
    Answer<V> answer = answers.computeIfAbsent(key, k -> new Answer<>());
    synchronized (answer) {
      V value = answer.value;
      if (value == null || answer.begunMs <= ms) {
        long begunMs = clock.millis();
        value = question.ask();
        answer.value = value;
        answer.begunMs = begunMs;
      }
      return value;
    }
  }
}
