package io.tidemark.store.commit;

import org.jspecify.annotations.Nullable;

/** Kafka refuses a request until an operator grants a right. The request is retried. */
public final class KafkaRefusedException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  private final String cure;

  /** {@code cure} has principal, operation and resource of the right, in whole sentences. */
  public KafkaRefusedException(String problem, String cure, @Nullable Throwable cause) {
    super(problem + ". " + cure, cause);
    this.cure = cure;
  }

  public String cure() {
    return cure;
  }
}
