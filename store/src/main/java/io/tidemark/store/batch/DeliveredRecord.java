package io.tidemark.store.batch;

/**
 * A record as it was delivered, with key and headers. It is kept until its check, so that it can be
 * sent unchanged to the dead letter topic. {@code DeadLetterQueue} determines its type.
 */
public interface DeliveredRecord {

  /** The value of all records if there is no dead letter topic. */
  DeliveredRecord NOT_KEPT = () -> 0;

  /** Returns the approximate memory in bytes that this record uses in addition to its value. */
  int keptBytes();
}
