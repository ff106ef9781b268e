package io.tidemark.connect.storage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The store answers, and refuses a call until an operator has changed something: a quota, a
 * permission, a limit of a directory, a boundary. The call is tried again; the message says what
 * has to be done.
 */
public final class StoreRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String problem;
  private final String cure;

  /** What the store misses. */
  public enum Reason {
    /** A permission. */
    ACCESS,
    /** Room that was given to us. */
    QUOTA,
    /** Room in a directory. */
    LIMIT,
    /** A way from one directory to another. */
    BOUNDARY
  }

  /**
   * @param problem place and cause, without a full stop at its end
   * @param cure what to do, in whole sentences
   */
  public StoreRefusedException(
      Reason reason, String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure + " The call is tried again.", cause);
    this.reason = reason;
    this.problem = problem;
    this.cure = cure;
  }

  public Reason reason() {
    return reason;
  }

  /** Place and cause. */
  public String problem() {
    return problem;
  }

  /** What to do. */
  public String cure() {
    return cure;
  }
}
