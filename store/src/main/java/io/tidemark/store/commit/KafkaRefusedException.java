package io.tidemark.store.commit;

import org.jspecify.annotations.Nullable;

/**
 * Reports that Kafka refuses a request until an operator has granted a right. The request is
 * retried. The message names the missing right.
 */
public final class KafkaRefusedException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String cure;

  /**
   * @param problem place and cause, without a full stop at the end
   * @param cure principal, operation and resource of the right, in whole sentences
   */
  public KafkaRefusedException(String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure, cause);
    this.problem = problem;
    this.cure = cure;
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
