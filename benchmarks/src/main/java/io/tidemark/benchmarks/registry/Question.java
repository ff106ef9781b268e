package io.tidemark.benchmarks.registry;

import java.util.Arrays;

/** The lookups of a measurement. */
public enum Question {
  /** Cached ids, repeatedly. */
  HIT("hit", 1, 1_000),
  /** One id that is not cached, by 1,000 threads at once. */
  ONE_COLD_ID("one-cold-id", 1_000, 1),
  /** 10,000 ids that are not cached, one after the other, including the opening of the client. */
  COLD_IDS("10000-cold-ids", 1, 10_000),
  /** The same from the copy on disk, including its reading, and a request to confirm each id. */
  COPIED_IDS("10000-copied-ids", 1, 10_000);

  private final String label;
  private final int threads;
  private final int ids;

  Question(String label, int threads, int ids) {
    this.label = label;
    this.threads = threads;
    this.ids = ids;
  }

  /** Returns the question's name in the results, in their field {@code record}. */
  public String label() {
    return label;
  }

  /** Returns the number of threads. */
  public int threads() {
    return threads;
  }

  /** Returns the number of ids. */
  public int ids() {
    return ids;
  }

  /** Returns the question with a label. */
  static Question labelled(String label) {
    return Arrays.stream(values())
        .filter(question -> question.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no question \"" + label + '"'));
  }
}
