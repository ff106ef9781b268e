package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.StoragePath;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of a topic pattern, while topics are created and Kafka is unavailable at times. */
class ConfiguredTablesTest {
  private final Set<String> topics = new TreeSet<>(Set.of("shop.orders"));
  private final Map<String, String> firsts = new HashMap<>();
  private final Set<String> assigned = new TreeSet<>();
  private boolean away;
  private long nowMs;
  private final ConfiguredTables tables =
      new ConfiguredTables(
          new ConnectorConfig(
              Map.of(
                  "name",
                  "sales",
                  "topics.regex",
                  "shop[.].*",
                  "kafka.bootstrap.servers",
                  "kafka:9092",
                  "schema.registry.url",
                  "http://registry:8081",
                  "store.url",
                  "file:///tmp")),
          pattern -> {
            if (away) {
              throw new IOException("no broker answers");
            }
            return new TreeSet<>(topics);
          },
          table -> Optional.ofNullable(firsts.get(table.toString())),
          () -> nowMs);

  private List<String> names() throws IOException {
    return tables.tables(assigned).stream()
        .map(ReckonedTable::topics)
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void newTopicIsKnownAtTheNextSnapshot() throws Exception {
    assertThat(names()).containsExactly("shop.orders");
    topics.add("shop.payments");
    assertThat(names()).containsExactly("shop.orders");
    tables.list();

    assertThat(names()).containsExactlyInAnyOrder("shop.orders", "shop.payments");
  }

  @Test
  void newTopicIsKnownAtOnceWhereItIsAskedFor() throws Exception {
    assertThat(names()).hasSize(1);
    topics.add("shop.payments");
    nowMs += 5_000;
    assertThat(names()).hasSize(1);
    tables.refresh();

    assertThat(names()).hasSize(2);
  }

  /** Landed records may be complete. Only a new topic waits for Kafka. */
  @Test
  void tablesThatAreKnownGoOnWhileKafkaIsAway() throws Exception {
    assertThat(names()).hasSize(1);
    away = true;
    tables.refresh();
    nowMs += 120_000;
    assertThat(names()).containsExactly("shop.orders");

    away = false;
    topics.add("shop.payments");
    nowMs += 5_000;
    tables.refresh();
    assertThat(names()).hasSize(2);
  }

  @Test
  void topicThatComesSecondToATablesNameFeedsNoTable() throws Exception {
    topics.add("shop_orders");
    assertThat(names()).as("neither has a table").containsExactly("shop.orders", "shop_orders");
    firsts.put("default.shop_orders", "shop_orders");
    tables.list();

    assertThat(names()).containsExactly("shop_orders");
    assertThat(tables.tables(assigned).get(0).table().layout())
        .isEqualTo(TableLayout.of(new StoragePath("/topics"), "shop_orders"));
    assertThat(tables.nameTaken()).containsOnlyKeys("shop.orders");
    assertThat(tables.nameTaken().get("shop.orders"))
        .contains("shop.orders: its table would be default.shop_orders")
        .contains("the topic shop_orders used that name first")
        .contains("hive.table.name");
  }

  private ConfiguredTables routed(Map<String, String> settings) {
    Map<String, String> config =
        new HashMap<>(
            Map.of(
                "name", "sales",
                "topics.regex", ".*",
                "kafka.bootstrap.servers", "kafka:9092",
                "schema.registry.url", "http://registry:8081",
                "store.url", "file:///tmp"));
    config.putAll(settings);
    return new ConfiguredTables(
        new ConnectorConfig(config),
        pattern -> {
          if (away) {
            throw new IOException("no broker answers");
          }
          return new TreeSet<>(topics);
        },
        table -> Optional.ofNullable(firsts.get(table.toString())),
        () -> nowMs);
  }

  private static Map<String, List<String>> topicsByTable(ConfiguredTables of) throws IOException {
    return of.tables(Set.of()).stream()
        .collect(Collectors.toMap(table -> table.table().name().toString(), ReckonedTable::topics));
  }

  /**
   * A topic whose table name another topic used first lands nothing in that table until it is
   * renamed. Its other tables wait for it.
   */
  @Test
  void topicWithoutTheNameOfOneTableIsAwaitedInTheOthers() throws Exception {
    topics.clear();
    topics.addAll(Set.of("events", "events-eu", "paid"));
    firsts.put("default.paid", "paid");
    ConfiguredTables events =
        routed(
            Map.of(
                "topic.events.record2table.map", "shop.Paid:paid,shop.Placed:placed",
                "topic.events-eu.record2table.map", "shop.Placed:placed"));

    assertThat(topicsByTable(events))
        .containsOnly(
            Map.entry("default.paid", List.of("paid")),
            Map.entry("default.placed", List.of("events", "events-eu")));
    assertThat(events.nameTaken()).isEmpty();
  }

  @Test
  void topicsThatAreNotCountedAreNotAwaited() throws Exception {
    topics.clear();
    topics.addAll(Set.of("orders", "clicks", "pages"));
    ConfiguredTables some =
        routed(
            Map.of(
                "topic.clicks.completeness.enabled", "false",
                "table.default.pages.completeness.enabled", "false"));
    assertThat(topicsByTable(some)).containsOnly(Map.entry("default.orders", List.of("orders")));
    assertThat(some.nameTaken()).isEmpty();

    ConfiguredTables one =
        routed(
            Map.of("completeness.enabled", "false", "topic.clicks.completeness.enabled", "true"));
    assertThat(topicsByTable(one)).containsOnly(Map.entry("default.clicks", List.of("clicks")));
  }

  /**
   * Otherwise the table would become complete without the records of the topic that is not counted.
   */
  @Test
  void tableThatATopicFeedsUncountedIsNeverComplete() throws Exception {
    topics.clear();
    topics.addAll(Set.of("orders-eu", "orders-us", "clicks"));
    ConfiguredTables shared =
        routed(
            Map.of(
                "topic2table.map", "orders-eu:orders,orders-us:orders",
                "topic.orders-us.completeness.enabled", "false"));

    assertThat(topicsByTable(shared)).containsOnly(Map.entry("default.clicks", List.of("clicks")));
    assertThat(shared.nameTaken()).containsOnlyKeys("orders-eu");
    assertThat(shared.nameTaken().get("orders-eu"))
        .contains("also has records of orders-us", "Set table.default.orders.completeness.enabled");
  }

  /** Validation rejects this for listed topics. A pattern can match such a topic later. */
  @Test
  void topicThatIsCountedForSomeOfItsTablesOnlyIsSaidToBeHeld() throws Exception {
    ConfiguredTables mixed =
        routed(
            Map.of(
                "record2table.map", "shop.Order:orders,shop.Refund:refunds",
                "table.default.refunds.completeness.enabled", "false"));

    assertThat(topicsByTable(mixed)).isEmpty();
    assertThat(mixed.nameTaken()).containsOnlyKeys("shop.orders");
    assertThat(mixed.nameTaken().get("shop.orders"))
        .contains(
            "the completeness of default.orders is not known",
            "Set topic.shop.orders.completeness.enabled");
  }

  /** Kafka lists only the topics that the connector's own client may describe. */
  @Test
  void topicThatATaskHasIsKnownAlthoughKafkaDoesNotListIt() throws Exception {
    assertThat(names()).containsExactly("shop.orders");
    assigned.addAll(Set.of("shop.hidden", "of.another.connector"));
    assertThat(names()).containsExactly("shop.orders", "shop.hidden");
    tables.list();
    assertThat(names()).containsExactly("shop.orders", "shop.hidden");
    assigned.clear();

    assertThat(names()).containsExactly("shop.orders");
  }

  /** A snapshot without a topic that shares a table would state that the table is complete. */
  @Test
  void snapshotWaitsForTheListOfTopics() throws Exception {
    ConfiguredTables shared = routed(Map.of("topic2table.map", "*:orders"));
    assertThat(topicsByTable(shared))
        .containsOnly(Map.entry("default.orders", List.of("shop.orders")));
    topics.add("shop.returns");
    away = true;
    assertThatThrownBy(shared::list).isInstanceOf(IOException.class);
    away = false;
    shared.list();

    assertThat(topicsByTable(shared))
        .containsOnly(Map.entry("default.orders", List.of("shop.orders", "shop.returns")));
  }

  @Test
  void nothingIsKnownBeforeKafkaHasAnswered() {
    away = true;

    assertThatThrownBy(this::names).isInstanceOf(IOException.class);
  }
}
