package io.tidemark.demo;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;

/**
 * The query results that Hive must return if every sale has landed exactly once. Used by one
 * thread.
 */
final class SalesTally {
  private final Map<SalesTopic, Long> records = new EnumMap<>(SalesTopic.class);
  private long cents;
  private long inTransaction;

  void add(Sale sale, boolean open) {
    records.merge(SalesTopic.ORDERS, 1L, Long::sum);
    records.merge(SalesTopic.ORDER_LINES, (long) sale.lineCents().size(), Long::sum);
    records.merge(SalesTopic.PAYMENTS, 1L, Long::sum);
    cents += sale.cents();
    if (open) {
      inTransaction++;
    }
  }

  /** Returns the number of records sent to a topic. */
  long records(SalesTopic topic) {
    return records.getOrDefault(topic, 0L);
  }

  /** Returns the number of payments in the transaction. */
  long inTransaction() {
    return inTransaction;
  }

  /** Returns the price of all orders. */
  BigDecimal amount() {
    return BigDecimal.valueOf(cents, 2);
  }
}
