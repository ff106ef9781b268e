package io.tidemark.demo;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * An order with its lines and its payment, whose amount is the sum of the lines.
 *
 * @param orderId the order's number, from 0
 * @param timestamp the time of the order, in milliseconds since the epoch
 * @param customer the customer's id. Example: {@code C01734}
 * @param lineCents the price of each line in cents
 */
record Sale(long orderId, long timestamp, String customer, List<Integer> lineCents) {
  private static final int CUSTOMERS = 9_000;
  private static final int MOST_LINES = 5;
  private static final int DEAREST_CENTS = 9_999;

  Sale {
    lineCents = Collections.unmodifiableList(lineCents);
  }

  /** Returns the sale with a number; always the same one for a seed. */
  static Sale of(long orderId, long seed, long from, long until) {
    Random random = new Random(seed * 1_000_003 + orderId);
    random.nextInt(); // The first number of a Random depends too much on its seed.
    return new Sale(
        orderId,
        from + random.nextInt(Math.toIntExact(until - from)),
        "C%05d".formatted(random.nextInt(CUSTOMERS)),
        IntStream.range(0, 1 + random.nextInt(MOST_LINES))
            .mapToObj(line -> 1 + random.nextInt(DEAREST_CENTS))
            .toList());
  }

  /** Returns the price of the order in cents. */
  long cents() {
    return lineCents.stream().mapToLong(Integer::longValue).sum();
  }
}
