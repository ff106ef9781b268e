package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * A topic-partition that a task has, and that no snapshot of its topic has had.
 *
 * @param at when the task's newest account with it was put, by the store's clock
 * @param released when the task's first later account was put; empty while the task has it
 */
public record Assigned(int task, String worker, Instant at, Optional<Instant> released) {

  public Assigned newer(Assigned listed) {
    return listed.at.isBefore(released.orElse(at)) ? this : listed;
  }

  /** Returns this after an account of a task without it. */
  public Assigned releasedBy(int other, Instant time) {
    return other == task && released.isEmpty() && time.isAfter(at)
        ? new Assigned(task, worker, at, Optional.of(time))
        : this;
  }
}
