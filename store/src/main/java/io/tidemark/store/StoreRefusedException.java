package io.tidemark.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that the store rejects a call until an operator changes a quota, a permission, a limit of
 * a directory, or a boundary. The call is retried. The message has the cure.
 */
public final class StoreRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String problem;
  private final String cure;

  /** The cause of the rejection. */
  public enum Reason {
    /** A missing permission. */
    ACCESS,
    /** An exhausted quota. */
    QUOTA,
    /** A full directory. */
    LIMIT,
    /** A boundary between two directories. */
    BOUNDARY
  }

  /**
   * @param problem place and cause, without a full stop at its end
   * @param cure what to do, in whole sentences
   */
  public StoreRefusedException(
      Reason reason, String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure + " The call is retried.", cause);
    this.reason = reason;
    this.problem = problem;
    this.cure = cure;
  }

  public Reason reason() {
    return reason;
  }

  /** Returns place and cause. */
  public String problem() {
    return problem;
  }

  /** Returns what to do. */
  public String cure() {
    return cure;
  }
}
