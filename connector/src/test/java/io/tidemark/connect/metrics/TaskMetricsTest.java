package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.health.HealthState;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TaskMetricsTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final MeasuredPool pool = new MeasuredPool(2, Thread::new);
  private final TaskThread thread = new TaskThread();

  @AfterEach
  void stopPool() {
    pool.shutdown();
  }

  @Test
  void timesAreReadByJmx() throws Exception {
    try (TaskMetrics metrics = metrics("quotes")) {
      metrics.register();
      TaskMetricsMXBean bean =
          JMX.newMXBeanProxy(
              server,
              new ObjectName("tidemark.connect:type=task-metrics,connector=quotes,task=3"),
              TaskMetricsMXBean.class);
      long before = bean.getStagingCpuNanos();

      thread.putBegins();
      CompletableFuture.runAsync(TaskMetricsTest::work, pool).join();
      work();
      thread.putEnds();

      assertThat(bean.getPutCpuNanos())
          .isPositive()
          .isLessThanOrEqualTo(bean.getTaskThreadCpuNanos());
      assertThat(bean.getPutNanos()).isPositive();
      assertThat(bean.getStagingCpuNanos()).isGreaterThan(before);
      assertThat(bean.getHeldMs()).isEqualTo(42);
      assertThat(bean.getHealth()).isEqualTo("WAITING");
      assertThat(bean.getHeldBecause()).isEqualTo("full");
    }
  }

  @Test
  void laterTaskTakesTheNameAndKeepsIt() throws Exception {
    ObjectName name = new ObjectName("tidemark.connect:type=task-metrics,connector=\"a,b\",task=3");
    TaskMetrics earlier = metrics("a,b");
    TaskMetrics later = metrics("a,b");
    earlier.register();
    later.register();

    earlier.close();
    assertThat(server.isRegistered(name)).isTrue();
    later.close();
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void planWithoutAClassIsToldWithItsReason() {
    var plans =
        new CompiledPlans(
            task -> {
              throw new RejectedExecutionException("full");
            },
            1,
            CompilerOptions.NONE);
    Schema schema = Schema.create(Schema.Type.LONG);
    try (TaskMetrics metrics = metrics("quotes", plans)) {
      assertThat(metrics.getLastInterpretedPlan()).isEmpty();

      plans.runner(Planner.plan(schema, schema, List.of()));

      assertThat(metrics.getPlansInterpreted()).isEqualTo(1);
      assertThat(metrics.getLastInterpretedPlan()).startsWith("long as long: ").endsWith("full");
      assertThat(metrics.getPlansCompiled()).isZero();
      assertThat(metrics.getPlansWaiting()).isZero();
      assertThat(metrics.getPlanCompileNanos()).isZero();
    }
  }

  private TaskMetrics metrics(String connector) {
    return metrics(connector, CompiledPlans.shared());
  }

  private TaskMetrics metrics(String connector, CompiledPlans plans) {
    return new TaskMetrics(
        connector,
        3,
        thread,
        new TaskMetrics.Pools(pool, pool, pool, pool),
        () -> 0,
        plans,
        () -> new TaskMetrics.Load(HealthState.WAITING, "full", 42, 7, 6, 5, 4, 3, 2));
  }

  /** Takes some CPU time. */
  private static void work() {
    double sum = 0;
    for (int i = 1; i < 2_000_000; i++) {
      sum += Math.sqrt(i);
    }
    assertThat(sum).isPositive();
  }
}
