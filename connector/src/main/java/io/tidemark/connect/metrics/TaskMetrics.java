package io.tidemark.connect.metrics;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.connect.metrics.Metric.Unit;
import io.tidemark.connect.pipeline.PipelineLoad;
import io.tidemark.store.batch.RejectedRecord;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The metrics of one task. */
public final class TaskMetrics {
  static final BeanType<Source> TYPE =
      new BeanType<Source>(
          "task-metrics",
          List.of("connector", "task"),
          List.of(
              Metric.info("Version", Source::version),
              Metric.text("Health", of -> of.now().health().name()),
              Metric.gauge("HealthCode", Unit.STATE, of -> of.now().health().code()),
              Metric.text("HeldBecause", of -> of.now().pausedBecause()),
              Metric.counter("HeldMs", Unit.MILLISECONDS, of -> of.now().heldMs()),
              Metric.gauge("HeldForMs", Unit.MILLISECONDS, of -> of.now().heldForMs()),
              Metric.gauge("MemoryBytes", Unit.BYTES, of -> of.now().memoryBytes()),
              Metric.gauge("OpenFiles", Unit.FILES, of -> of.now().openFiles()),
              Metric.gauge("FilesToRegister", Unit.FILES, of -> of.now().filesToRegister()),
              Metric.gauge("DeadLetters", Unit.RECORDS, of -> of.now().deadLetters()),
              deadLetters("NoValue", RejectedRecord.Kind.NO_VALUE),
              deadLetters("NoSchemaId", RejectedRecord.Kind.NO_SCHEMA_ID),
              deadLetters("UnknownSchema", RejectedRecord.Kind.UNKNOWN_SCHEMA),
              deadLetters("Unrouted", RejectedRecord.Kind.UNROUTED),
              deadLetters("Damaged", RejectedRecord.Kind.DAMAGED),
              deadLetters("Unresolvable", RejectedRecord.Kind.UNRESOLVABLE),
              deadLetters("HivePartition", RejectedRecord.Kind.HIVE_PARTITION),
              Metric.gauge(
                  "TopicPartitions", Unit.TOPIC_PARTITIONS, of -> of.now().topicPartitions()),
              Metric.gauge(
                  "PausedTopicPartitions",
                  Unit.TOPIC_PARTITIONS,
                  of -> of.now().pausedTopicPartitions()),
              Metric.gauge("BatchIntervalMs", Unit.MILLISECONDS, of -> of.batchIntervalMs()),
              Metric.counter("TaskThreadCpuNanos", Unit.NANOSECONDS, of -> of.thread().cpuNanos()),
              Metric.counter("PutCpuNanos", Unit.NANOSECONDS, of -> of.thread().putCpuNanos()),
              Metric.counter("PutNanos", Unit.NANOSECONDS, of -> of.thread().putNanos()),
              Metric.counter(
                  "StagingCpuNanos", Unit.NANOSECONDS, of -> of.pools().staging().cpuNanos()),
              Metric.counter(
                  "StagingNanos", Unit.NANOSECONDS, of -> of.pools().staging().busyNanos()),
              Metric.counter("CodecNanos", Unit.NANOSECONDS, of -> of.codecNanos().getAsLong()),
              Metric.counter(
                  "StoreCpuNanos", Unit.NANOSECONDS, of -> of.pools().store().cpuNanos()),
              Metric.counter("StoreNanos", Unit.NANOSECONDS, of -> of.pools().store().busyNanos()),
              Metric.counter(
                  "CommitCpuNanos",
                  Unit.NANOSECONDS,
                  of -> of.pools().commit().cpuNanos() + of.pools().catalog().cpuNanos()),
              Metric.counter(
                  "CommitNanos",
                  Unit.NANOSECONDS,
                  of -> of.pools().commit().busyNanos() + of.pools().catalog().busyNanos()),
              Metric.counter("PlansCompiled", Unit.PLANS, of -> of.plans().statistics().compiled()),
              Metric.counter(
                  "PlansInterpreted", Unit.PLANS, of -> of.plans().statistics().interpreted()),
              Metric.gauge("PlansWaiting", Unit.PLANS, of -> of.plans().statistics().waiting()),
              Metric.counter(
                  "PlanCompileNanos",
                  Unit.NANOSECONDS,
                  of -> of.plans().statistics().compileNanos()),
              Metric.text(
                  "LastInterpretedPlan", of -> of.plans().statistics().lastFallBack().orElse(""))));

  private TaskMetrics() {}

  /**
   * The threads of a task.
   *
   * @param staging the threads that check, copy and compress
   * @param store the threads that write and close files
   * @param commit the threads that claim, append to the log and publish
   * @param catalog the threads that register Hive partitions
   */
  public record Pools(
      MeasuredPool staging, MeasuredPool store, MeasuredPool commit, MeasuredPool catalog) {}

  /**
   * The objects from which the metrics of a task are read.
   *
   * @param deadLetters returns the number of dead letters of a kind
   */
  public record Source(
      String version,
      TaskThread thread,
      Pools pools,
      LongSupplier codecNanos,
      CompiledPlans plans,
      Supplier<PipelineLoad> load,
      ToLongFunction<RejectedRecord.Kind> deadLetters,
      long batchIntervalMs) {

    PipelineLoad now() {
      return load.get();
    }
  }

  private static Metric<Source> deadLetters(String name, RejectedRecord.Kind kind) {
    return Metric.counter(
        "DeadLetters" + name, Unit.RECORDS, of -> of.deadLetters().applyAsLong(kind));
  }

  public static MetricBean<?> bean(String connector, int task, Source source) {
    return new MetricBean<>(TYPE, source, connector, task);
  }
}
