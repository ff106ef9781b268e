package io.tidemark.store.commit;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Kafka did not respond, or does not have the needed state yet. The request is retried. */
public class KafkaUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  public KafkaUnavailableException(String message) {
    super(message);
  }

  public KafkaUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
