package io.tidemark.connect.health;

/** The health of a task or a topic-partition. */
public enum HealthState {
  /** The task or topic-partition works, or waits only for records. */
  WORKING(0),
  /** It waits for a service, because of a transient failure. */
  WAITING(1),
  /** It waits until an operator changes something. */
  REFUSED(2);

  private final int code;

  HealthState(int code) {
    this.code = code;
  }

  /** The state as a number, for systems that cannot read texts. A higher number is worse. */
  public int code() {
    return code;
  }
}
