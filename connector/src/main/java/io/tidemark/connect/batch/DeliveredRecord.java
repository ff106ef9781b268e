package io.tidemark.connect.batch;

/**
 * A record as it was delivered, with key and headers: kept until it is known to land, so that it
 * can go to the dead letter queue as it came. What it is, only that queue knows.
 */
public interface DeliveredRecord {

  /** In place of each record where there is no dead letter queue. */
  DeliveredRecord NOT_KEPT = () -> 0;

  /** About how many bytes of memory it takes beside its value. */
  int keptBytes();
}
