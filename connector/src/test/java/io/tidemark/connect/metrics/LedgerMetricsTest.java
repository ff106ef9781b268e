package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

final class LedgerMetricsTest {
  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");

  @Test
  void whatIsCompleteAndWhyItWaitsIsReadByJmx() throws Exception {
    LedgerMetrics.Health health =
        new LedgerMetrics.Health(
            Map.of("default.orders", EIGHT),
            Map.of("group:sales", "NO_MEMBER default.payments@payments"),
            Map.of("default.orders", EIGHT.plusSeconds(5)),
            2,
            Optional.of(EIGHT.plusSeconds(9)),
            "");
    Clock clock = Clock.fixed(EIGHT.plusSeconds(10), ZoneOffset.UTC);
    ObjectName name = new ObjectName("tidemark.connect:type=ledger-metrics,connector=sales");
    try (LedgerMetrics metrics = new LedgerMetrics("sales", () -> health, clock)) {
      metrics.register();
      LedgerMetricsMXBean bean =
          JMX.newMXBeanProxy(
              ManagementFactory.getPlatformMBeanServer(), name, LedgerMetricsMXBean.class);

      assertThat(bean.getCompleteThrough())
          .containsExactly(Map.entry("default.orders", "2026-11-21T08:00:00Z"));
      assertThat(bean.getCompleteThroughAgeMs())
          .containsExactly(Map.entry("default.orders", 10_000L));
      assertThat(bean.getHeldBecause())
          .containsExactly(Map.entry("group:sales", "NO_MEMBER default.payments@payments"));
      assertThat(bean.getNewestCompletion())
          .containsExactly(Map.entry("default.orders", "2026-11-21T08:00:05Z"));
      assertThat(bean.getPendingSnapshots()).isEqualTo(2);
      assertThat(bean.getLastCycleAgeMs()).isEqualTo(1_000);
      assertThat(bean.getProblem()).isEmpty();
    }
    assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(name)).isFalse();
  }
}
