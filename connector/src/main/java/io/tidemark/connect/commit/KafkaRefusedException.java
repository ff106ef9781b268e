package io.tidemark.connect.commit;

import org.jspecify.annotations.Nullable;

/**
 * Kafka answers, and refuses until an operator has granted a right. The question is asked again;
 * the message says which right is missing.
 */
public final class KafkaRefusedException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String cure;

  /**
   * @param problem place and cause, without a full stop at its end
   * @param cure principal, operation and resource of the right, in whole sentences
   */
  public KafkaRefusedException(String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure, cause);
    this.problem = problem;
    this.cure = cure;
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
