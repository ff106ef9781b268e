package io.tidemark.connect.commit;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Kafka did not tell what was asked, or does not show yet what is waited for: try again. */
public class KafkaUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  public KafkaUnavailableException(String message) {
    super(message);
  }

  public KafkaUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
