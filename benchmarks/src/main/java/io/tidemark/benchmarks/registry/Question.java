package io.tidemark.benchmarks.registry;

import java.util.Arrays;

/** What a client is asked for. */
public enum Question {
  /** Ids that it has, again and again. */
  HIT("hit", 1, 1_000),
  /** One id that it does not have, by 1,000 threads at once. */
  ONE_COLD_ID("one-cold-id", 1_000, 1),
  /** 10,000 ids of which it has none, one after the other; with opening the client. */
  COLD_IDS("10000-cold-ids", 1, 10_000),
  /** The same from its copy on disk; with reading that, and a request to confirm each. */
  COPIED_IDS("10000-copied-ids", 1, 10_000);

  private final String label;
  private final int threads;
  private final int ids;

  Question(String label, int threads, int ids) {
    this.label = label;
    this.threads = threads;
    this.ids = ids;
  }

  /** The question as the results name it, as their {@code record}. */
  public String label() {
    return label;
  }

  /** How many threads ask. */
  public int threads() {
    return threads;
  }

  /** How many ids there are. */
  public int ids() {
    return ids;
  }

  /** The question of a label. */
  static Question labelled(String label) {
    return Arrays.stream(values())
        .filter(question -> question.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no question \"" + label + '"'));
  }
}
