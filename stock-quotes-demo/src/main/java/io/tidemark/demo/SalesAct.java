package io.tidemark.demo;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.HiveServer;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.SecurityOptions;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/**
 * The demo's second part: is 07:00 complete in all three tables? A transaction of the payment
 * provider is open, so it is not, and the ledger has the reason. After the commit, the group of
 * tables is complete, and the amounts of its join match to the cent. Used by one thread.
 */
final class SalesAct implements AutoCloseable {
  static final String CONNECTOR = "sales";

  private static final Instant SEVEN = Instant.parse("2026-11-20T07:00:00Z");
  private static final Instant EIGHT = Instant.parse("2026-11-20T08:00:00Z");
  private static final long SEED = 20_261_121;
  private static final int ORDERS = 50_000;
  private static final int LAST_ORDERS = 1_794;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final LocalStack stack;
  private final Screen screen;
  private final SalesProducer producer;
  private final SalesTally sent = new SalesTally();

  SalesAct(LocalStack stack, DemoRegistry registry, Screen screen) {
    this.stack = stack;
    this.screen = screen;
    this.producer =
        new SalesProducer(
            stack.kafka().clientSettings(SecurityOptions.CONNECT), registry.settings(stack));
  }

  /** Creates the topics and sends the hour's sales; some payments are in an open transaction. */
  boolean produce(Admin admin) throws ExecutionException, InterruptedException {
    List<NewTopic> topics = new ArrayList<>();
    topics.add(new NewTopic(SalesProducer.ANNOUNCEMENTS, 1, (short) 1));
    for (SalesTopic topic : SalesTopic.values()) {
      topics.add(new NewTopic(topic.topic(), SalesProducer.TOPIC_PARTITIONS, (short) 1));
    }
    admin.createTopics(topics).all().get();
    producer.begin();
    for (int order = 0; order < ORDERS; order++) {
      Sale sale = Sale.of(order, SEED, SEVEN.toEpochMilli(), EIGHT.toEpochMilli());
      boolean open =
          order >= ORDERS - LAST_ORDERS
              && order % SalesProducer.TOPIC_PARTITIONS == SalesProducer.OPEN_TOPIC_PARTITION;
      producer.send(sale, open);
      sent.add(sale, open);
      screen.progress(order + 1L, ORDERS, "%,d orders".formatted(order + 1));
    }
    producer.await();
    producer.announce(sent.records(SalesTopic.ORDERS));
    for (SalesTopic topic : SalesTopic.values()) {
      screen.line("%-12s %,9d records", topic.topic(), sent.records(topic));
    }
    screen.line(
        "%,d payments of payments-%d are in a transaction that is open",
        sent.inTransaction(), SalesProducer.OPEN_TOPIC_PARTITION);
    screen.line(
        "the producer of orders announces its batch %s: %,d records",
        SalesProducer.BATCH, sent.records(SalesTopic.ORDERS));
    return true;
  }

  /**
   * Waits for the records that can land, and shows which tables are complete, and why others wait.
   */
  boolean showWaiting() throws SQLException {
    await("orders and order_lines are complete, and payments waits", this::missingBeforeCommit);
    if (isComplete(SalesTopic.PAYMENTS) || through("group", "sales").isPresent()) {
      throw new DemoFailedException(
          "07:00 of payments is reported complete, with %,d payments in an open transaction"
              .formatted(sent.inTransaction()));
    }
    show();
    screen.line("payments: %s", held(SalesTopic.PAYMENTS).orElse("?"));
    await(
        "the announced batch is complete",
        () ->
            through("batch", SalesProducer.BATCH).isPresent()
                ? Optional.empty()
                : Optional.of("it waits: " + newest("batch", SalesProducer.BATCH)));
    screen.line(
        "batch %s: all %,d records that were announced have landed",
        SalesProducer.BATCH, sent.records(SalesTopic.ORDERS));
    return true;
  }

  private Optional<String> missingBeforeCommit() {
    if (!isComplete(SalesTopic.ORDERS) || !isComplete(SalesTopic.ORDER_LINES)) {
      return Optional.of(
          "orders: %s, order_lines: %s"
              .formatted(
                  newest("table", SalesTopic.ORDERS.table()),
                  newest("table", SalesTopic.ORDER_LINES.table())));
    }
    return held(SalesTopic.PAYMENTS).isPresent()
        ? Optional.empty()
        : Optional.of("nothing is reported of " + SalesTopic.PAYMENTS.table());
  }

  /** Commits the transaction and returns the time until the group was complete. */
  Duration commitAndFollow() {
    producer.commit();
    long committed = System.nanoTime();
    await(
        "the group sales is complete through 08:00",
        () ->
            through("group", "sales").filter(through -> !through.isBefore(EIGHT)).isPresent()
                ? Optional.empty()
                : Optional.of("it waits: " + newest("group", "sales")));
    return Duration.ofNanos(System.nanoTime() - committed);
  }

  /** Joins the tables and compares the sums with the records sent. */
  boolean reconcile() throws SQLException {
    show();
    List<@Nullable Object> joined =
        query(
                "SELECT count(*), sum(p.amount) FROM orders o JOIN payments p ON o.order_id = p.order_id")
            .get(0);
    expect("orders that join payments", sent.records(SalesTopic.ORDERS), joined.get(0));
    expect("the sum of the payments", sent.amount(), joined.get(1));
    expect(
        "the sum of the lines",
        sent.amount(),
        query("SELECT sum(amount) FROM order_lines").get(0).get(0));
    screen.line(
        "%,d orders join %,d payments; payments and lines both sum to %,.2f",
        sent.records(SalesTopic.ORDERS), sent.records(SalesTopic.PAYMENTS), sent.amount());
    return true;
  }

  private void show() throws SQLException {
    screen.line("            %12s %12s %12s %10s", "orders", "order_lines", "payments", "sales");
    screen.line(
        "sent        %,12d %,12d %,12d",
        sent.records(SalesTopic.ORDERS),
        sent.records(SalesTopic.ORDER_LINES),
        sent.records(SalesTopic.PAYMENTS));
    screen.line(
        "Hive counts %,12d %,12d %,12d",
        count(SalesTopic.ORDERS), count(SalesTopic.ORDER_LINES), count(SalesTopic.PAYMENTS));
    screen.line(
        "07:00       %12s %12s %12s %10s",
        word(isComplete(SalesTopic.ORDERS)),
        word(isComplete(SalesTopic.ORDER_LINES)),
        word(isComplete(SalesTopic.PAYMENTS)),
        word(through("group", "sales").filter(through -> !through.isBefore(EIGHT)).isPresent())
            .toUpperCase(Locale.ROOT));
  }

  private static String word(boolean complete) {
    return complete ? "complete" : "WAITS";
  }

  private long count(SalesTopic topic) throws SQLException {
    return ((Number)
            Objects.requireNonNull(
                stack.hive().query("SELECT count(*) FROM " + topic.table()).get(0).get(0)))
        .longValue();
  }

  private boolean isComplete(SalesTopic topic) {
    return through("table", topic.table()).filter(through -> !through.isBefore(EIGHT)).isPresent();
  }

  private Optional<Instant> through(String kind, String name) {
    return newest(kind, name).flatMap(row -> Optional.ofNullable(row.through()));
  }

  private Optional<String> held(SalesTopic topic) {
    return newest("table", topic.table()).flatMap(row -> Optional.ofNullable(row.held()));
  }

  private record Row(long entry, @Nullable Instant through, @Nullable String held) {}

  /**
   * Returns the row of the largest entry. The query has no ORDER BY, so that Hive needs no job for
   * it.
   */
  private Optional<Row> newest(String kind, String name) {
    HiveServer hive = stack.hive();
    try {
      if (hive.query("SHOW TABLES LIKE 'tidemark_watermarks'").isEmpty()) {
        return Optional.empty();
      }
      return hive
          .query(
              "SELECT ledger_entry, complete_through, held_because FROM tidemark_watermarks WHERE log_id = '%s' AND kind = '%s' AND name = '%s'"
                  .formatted(CONNECTOR, kind, name))
          .stream()
          .map(
              row ->
                  new Row(
                      ((Number) Objects.requireNonNull(row.get(0))).longValue(),
                      row.get(1) == null ? null : Instant.parse(String.valueOf(row.get(1))),
                      row.get(2) == null ? null : String.valueOf(row.get(2))))
          .max(Comparator.comparing(Row::entry));
    } catch (SQLException e) {
      screen.line("Hive does not answer yet: %s", e);
      return Optional.empty();
    }
  }

  private void await(String waitedFor, Supplier<Optional<String>> missing) {
    ConnectClient client = stack.connect().client();
    Polling.until(
        waitedFor,
        PATIENCE,
        () -> {
          client
              .status(CONNECTOR)
              .flatMap(ConnectorStatus::failure)
              .ifPresent(
                  failure -> {
                    throw new DemoFailedException(failure);
                  });
          return missing.get();
        });
  }

  private List<List<@Nullable Object>> query(String sql) throws SQLException {
    screen.line("> %s", sql);
    long start = System.nanoTime();
    List<List<@Nullable Object>> rows = stack.hive().query(sql);
    screen.line("  answered in %.1f s", (System.nanoTime() - start) / 1e9);
    return rows;
  }

  private static void expect(String what, Object sentValue, @Nullable Object hiveValue) {
    boolean equal;
    if (sentValue instanceof BigDecimal amount && hiveValue instanceof BigDecimal found) {
      equal = amount.compareTo(found) == 0;
    } else {
      equal = sentValue.equals(hiveValue);
    }
    if (!equal) {
      throw new DemoFailedException(
          "%s: Hive returns %s, but %s was sent".formatted(what, hiveValue, sentValue));
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
