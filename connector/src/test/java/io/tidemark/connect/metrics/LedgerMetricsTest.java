package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.reckon.ReckonerHealth;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

final class LedgerMetricsTest {
  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final ReckonerHealth HEALTH =
      new ReckonerHealth(
          true,
          Map.of("default.orders", EIGHT),
          Map.of("group:sales", "NO_MEMBER default.payments@payments"),
          2,
          Map.of("default.orders", EIGHT.plusSeconds(5)),
          Optional.of(EIGHT.plusSeconds(9)),
          true,
          Optional.empty());

  private ReckonerHealth health = HEALTH;
  private final LedgerMetrics metrics =
      new LedgerMetrics("sales", () -> health, Clock.fixed(EIGHT.plusSeconds(10), ZoneOffset.UTC));

  @Test
  void completenessAndItsReasonsAreReadByJmx() throws Exception {
    try (metrics) {
      metrics.register();
      metrics.update(health);

      assertThat(of("ledger-metrics", "", "PendingSnapshots")).isEqualTo(2L);
      assertThat(of("ledger-metrics", "", "LastCycleAgeMs")).isEqualTo(1_000L);
      assertThat(of("ledger-metrics", "", "ProblemCode")).isEqualTo(0L);
      String orders = ",kind=table,name=default.orders";
      assertThat(of("completeness-metrics", orders, "CompleteThrough"))
          .isEqualTo("2026-11-21T08:00:00Z");
      assertThat(of("completeness-metrics", orders, "CompleteThroughAgeMs")).isEqualTo(10_000L);
      assertThat(of("completeness-metrics", orders, "HeldCode")).isEqualTo(0L);
      assertThat(of("completeness-metrics", orders, "HeldBecause")).isEqualTo("");
      assertThat(of("completeness-metrics", orders, "NewestCompletion"))
          .isEqualTo("2026-11-21T08:00:05Z");
      String group = ",kind=group,name=sales";
      assertThat(of("completeness-metrics", group, "CompleteThroughAgeMs")).isEqualTo(-1L);
      assertThat(of("completeness-metrics", group, "HeldCode")).isEqualTo(1L);
      assertThat(of("completeness-metrics", group, "HeldBecause"))
          .isEqualTo("NO_MEMBER default.payments@payments");
    }
    assertThat(registered()).isEmpty();
  }

  @Test
  void problemIsANumberAndAText() throws Exception {
    try (metrics) {
      metrics.register();
      health = ReckonerHealth.NONE.with(Optional.of("Kafka does not answer."));

      assertThat(of("ledger-metrics", "", "ProblemCode")).isEqualTo(1L);
      assertThat(of("ledger-metrics", "", "Problem")).isEqualTo("Kafka does not answer.");
      assertThat(of("ledger-metrics", "", "LastCycleAgeMs")).isEqualTo(-1L);
    }
  }

  @Test
  void tablesThatAreGoneHaveNoMBean() throws Exception {
    try (metrics) {
      metrics.update(HEALTH);
      assertThat(registered()).containsExactly("group sales", "table default.orders");

      metrics.update(
          new ReckonerHealth(
              true,
              Map.of("default.orders", EIGHT),
              Map.of(),
              0,
              Map.of(),
              Optional.empty(),
              true,
              Optional.empty()));

      assertThat(registered()).containsExactly("table default.orders");
    }
    metrics.update(HEALTH);
    assertThat(registered()).as("after the close").isEmpty();
  }

  private static Set<String> registered() throws Exception {
    return SERVER.queryNames(new ObjectName("tidemark.connect:connector=sales,*"), null).stream()
        .filter(name -> name.getKeyProperty("type").equals("completeness-metrics"))
        .map(name -> name.getKeyProperty("kind") + " " + name.getKeyProperty("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Object of(String type, String keys, String attribute) throws Exception {
    return SERVER.getAttribute(
        new ObjectName("tidemark.connect:type=%s,connector=sales%s".formatted(type, keys)),
        attribute);
  }
}
