package io.tidemark.demo;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;

/** What Hive must answer when every sale has landed exactly once. Has one owner. */
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

  /** How many records of a topic were sent. */
  long records(SalesTopic topic) {
    return records.getOrDefault(topic, 0L);
  }

  /** How many payments are in the transaction. */
  long inTransaction() {
    return inTransaction;
  }

  /** What all orders cost. */
  BigDecimal amount() {
    return BigDecimal.valueOf(cents, 2);
  }
}
