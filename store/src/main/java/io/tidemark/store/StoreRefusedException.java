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
  private final String cure;

  public enum Reason {
    /** A missing permission. */
    ACCESS,
    QUOTA,
    /** A full directory, a name that is too long, or another rule of the store. */
    LIMIT,
    /** The two directories of a rename are on two disks, or in two encryption zones of HDFS. */
    BOUNDARY
  }

  /** {@code problem} has no full stop at its end; {@code cure} has whole sentences. */
  public StoreRefusedException(
      Reason reason, String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure + " The call is retried.", cause);
    this.reason = reason;
    this.cure = cure;
  }

  public Reason reason() {
    return reason;
  }

  public String cure() {
    return cure;
  }
}
