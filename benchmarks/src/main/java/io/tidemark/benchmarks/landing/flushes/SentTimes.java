package io.tidemark.benchmarks.landing.flushes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The times at which the records of a topic were sent, of every hundredth one in each
 * topic-partition. Safe for use by several threads.
 */
public final class SentTimes {
  private static final int STEP = 100;

  private final List<Times> times = new ArrayList<>();

  /** The times of the offsets 0, 100, 200 and so on of a topic-partition. */
  private static final class Times {
    private long[] nanos = new long[1_024];
    private int count;
    private long nextOffset;

    synchronized void add(long sentNanos) {
      if (nextOffset++ % STEP == 0) {
        if (count == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = sentNanos;
      }
    }

    synchronized long[] of(long first, long next) {
      int from = (int) Math.min(count, (first + STEP - 1) / STEP);
      int to = (int) Math.min(count, (next + STEP - 1) / STEP);
      return Arrays.copyOfRange(nanos, from, to);
    }
  }

  public SentTimes(int topicPartitions) {
    for (int i = 0; i < topicPartitions; i++) {
      times.add(new Times());
    }
  }

  /**
   * Notes the next record of a topic-partition.
   *
   * @param nanos the time, of {@link System#nanoTime()}
   */
  void add(int topicPartition, long nanos) {
    times.get(topicPartition).add(nanos);
  }

  /** Returns the times of a part of the offsets from {@code first} to {@code next}, excluded. */
  long[] of(int topicPartition, long first, long next) {
    return times.get(topicPartition).of(first, next);
  }
}
