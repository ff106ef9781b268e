package io.tidemark.connect.health;

/** How a task or a topic-partition is. */
public enum HealthState {
  /** It waits for nothing but records. */
  WORKING,
  /** It waits for something that passes by itself. */
  WAITING,
  /** It waits for something that an operator must change. */
  REFUSED
}
