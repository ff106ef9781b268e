package io.tidemark.benchmarks.landing.flushes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The times from the sending of records until they are visible. Used by one thread. */
public final class Latencies {
  private final SentTimes sent;
  private final List<Double> seconds = new ArrayList<>();

  public Latencies(SentTimes sent) {
    this.sent = sent;
  }

  /**
   * Adds the records of a batch that were sent in a period.
   *
   * @param visibleNanos the time at which the batch was visible
   * @param fromNanos the beginning of the period
   * @param toNanos the end of the period
   */
  public void add(VisibleBatches.Batch batch, long visibleNanos, long fromNanos, long toNanos) {
    for (long nanos : sent.of(batch.topicPartition(), batch.first(), batch.next())) {
      if (nanos - fromNanos >= 0 && nanos - toNanos < 0) {
        seconds.add((visibleNanos - nanos) / 1e9);
      }
    }
  }

  public boolean isEmpty() {
    return seconds.isEmpty();
  }

  /**
   * Returns a quantile in seconds.
   *
   * @param fraction 0.5 for the median, 1 for the longest
   * @throws IllegalStateException if there is no record
   */
  public double quantile(double fraction) {
    if (seconds.isEmpty()) {
      throw new IllegalStateException("no record was both sent in the period and visible");
    }
    Collections.sort(seconds);
    int at = (int) Math.ceil(fraction * seconds.size()) - 1;
    return seconds.get(Math.max(0, at));
  }
}
