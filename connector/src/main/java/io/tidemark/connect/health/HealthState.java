package io.tidemark.connect.health;

/** How a task or a topic-partition is. */
public enum HealthState {
  /** It waits for nothing but records. */
  WORKING(0),
  /** It waits for something that passes by itself. */
  WAITING(1),
  /** It waits for something that an operator must change. */
  REFUSED(2);

  private final int code;

  HealthState(int code) {
    this.code = code;
  }

  /** The state as a number, for those who read no texts: the higher, the worse. */
  public int code() {
    return code;
  }
}
