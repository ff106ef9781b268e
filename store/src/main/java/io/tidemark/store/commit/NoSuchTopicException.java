package io.tidemark.store.commit;

import org.jspecify.annotations.Nullable;

/** A broker has no topic of the name: it was deleted, or the broker's metadata is outdated. */
public final class NoSuchTopicException extends KafkaUnavailableException {
  private static final long serialVersionUID = 1L;

  public NoSuchTopicException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
