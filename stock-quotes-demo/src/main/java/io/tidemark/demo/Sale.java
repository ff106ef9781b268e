package io.tidemark.demo;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * An order with its lines and its payment, which pays exactly what the lines cost.
 *
 * @param orderId the orders' number, from 0
 * @param timestamp when it was ordered, in milliseconds since the epoch
 * @param customer who ordered. Example: {@code C01734}
 * @param lineCents what each line costs, in cents
 */
record Sale(long orderId, long timestamp, String customer, List<Integer> lineCents) {
  private static final int CUSTOMERS = 9_000;
  private static final int MOST_LINES = 5;
  private static final int DEAREST_CENTS = 9_999;

  Sale {
    lineCents = Collections.unmodifiableList(lineCents);
  }

  /** The sale of this number; always the same one for a seed. */
  static Sale of(long orderId, long seed, long from, long until) {
    Random random = new Random(seed * 1_000_003 + orderId);
    random.nextInt(); // The first number of a Random shows its seed.
    return new Sale(
        orderId,
        from + random.nextInt(Math.toIntExact(until - from)),
        "C%05d".formatted(random.nextInt(CUSTOMERS)),
        IntStream.range(0, 1 + random.nextInt(MOST_LINES))
            .mapToObj(line -> 1 + random.nextInt(DEAREST_CENTS))
            .toList());
  }

  /** What the order costs, in cents. */
  long cents() {
    return lineCents.stream().mapToLong(Integer::longValue).sum();
  }
}
