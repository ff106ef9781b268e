package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.pipeline.PipelineLoad;
import io.tidemark.store.batch.RejectedRecord;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TaskMetricsTest {
  private static final ObjectName TASK = TaskMetrics.TYPE.objectName("quotes", 3);

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final MeasuredPool pool = new MeasuredPool(2, Thread::new);
  private final TaskThread thread = new TaskThread();

  @AfterEach
  void stopPool() {
    pool.shutdown();
  }

  @Test
  void timesAreReadByJmx() throws Exception {
    try (MetricBean<?> metrics = metrics("quotes")) {
      metrics.register();
      long before = number("StagingCpuNanos");

      thread.putBegins();
      CompletableFuture.runAsync(TaskMetricsTest::work, pool).join();
      work();
      thread.putEnds();

      assertThat(number("PutCpuNanos"))
          .isPositive()
          .isLessThanOrEqualTo(number("TaskThreadCpuNanos"));
      assertThat(number("PutNanos")).isPositive();
      assertThat(number("StagingCpuNanos")).isGreaterThan(before);
      assertThat(number("HeldMs")).isEqualTo(42);
      assertThat(number("HeldForMs")).isEqualTo(41);
      assertThat(number("HealthCode")).isEqualTo(1);
      assertThat(number("BatchIntervalMs")).isEqualTo(600_000);
      assertThat(number("DeadLettersDamaged")).isEqualTo(3);
      assertThat(server.getAttribute(TASK, "Health")).isEqualTo("WAITING");
      assertThat(server.getAttribute(TASK, "HeldBecause")).isEqualTo("full");
    }
  }

  @Test
  void attributeHasItsDescriptionAndUnit() throws Exception {
    try (MetricBean<?> metrics = metrics("quotes")) {
      metrics.register();
      for (MBeanAttributeInfo each : server.getMBeanInfo(TASK).getAttributes()) {
        assertThat(each.getDescription()).as(each.getName()).endsWith(".");
        if (each.getType().equals("long")) {
          assertThat(each.getDescriptor().getFieldValue("units")).as(each.getName()).isNotNull();
          assertThat(each.getDescriptor().getFieldValue("metricType"))
              .as(each.getName())
              .isIn("counter", "gauge");
        }
      }
    }
  }

  private long number(String attribute) throws JMException {
    return (long) server.getAttribute(TASK, attribute);
  }

  @Test
  void laterTaskTakesTheNameAndKeepsIt() throws Exception {
    ObjectName name = new ObjectName("tidemark.connect:type=task-metrics,connector=\"a,b\",task=3");
    MetricBean<?> earlier = metrics("a,b");
    MetricBean<?> later = metrics("a,b");
    earlier.register();
    later.register();

    earlier.close();
    assertThat(server.isRegistered(name)).isTrue();
    later.close();
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void planWithoutAClassIsToldWithItsReason() throws JMException {
    var plans =
        new CompiledPlans(
            task -> {
              throw new RejectedExecutionException("full");
            },
            1,
            CompilerOptions.NONE);
    Schema schema = Schema.create(Schema.Type.LONG);
    try (MetricBean<?> metrics = metrics("quotes", plans)) {
      metrics.register();
      assertThat(server.getAttribute(TASK, "LastInterpretedPlan")).isEqualTo("");

      plans.runner(Planner.plan(schema, schema, List.of()));

      assertThat(number("PlansInterpreted")).isEqualTo(1);
      assertThat((String) server.getAttribute(TASK, "LastInterpretedPlan"))
          .startsWith("long as long: ")
          .endsWith("full");
      assertThat(number("PlansCompiled")).isZero();
      assertThat(number("PlansWaiting")).isZero();
      assertThat(number("PlanCompileNanos")).isZero();
    }
  }

  private MetricBean<?> metrics(String connector) {
    return metrics(connector, CompiledPlans.shared());
  }

  private MetricBean<?> metrics(String connector, CompiledPlans plans) {
    return TaskMetrics.bean(
        connector,
        3,
        new TaskMetrics.Source(
            "1.2.3",
            thread,
            pool,
            pool,
            pool,
            pool,
            () -> 0,
            plans,
            () -> new PipelineLoad(HealthState.WAITING, "full", 42, 41, 7, 6, 5, 4, 3, 2),
            kind -> kind == RejectedRecord.Kind.DAMAGED ? 3 : 0,
            600_000));
  }

  /** Uses some CPU time. */
  private static void work() {
    double sum = 0;
    for (int i = 1; i < 2_000_000; i++) {
      sum += Math.sqrt(i);
    }
    assertThat(sum).isPositive();
  }
}
