package io.tidemark.connect.metrics;

import io.tidemark.avro.codegen.CompiledPlans;
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
              Metric.text("Version", Source::version),
              Metric.text("Health", of -> of.now().health().name()),
              Metric.number("HealthCode", of -> of.now().health().code()),
              Metric.text("HeldBecause", of -> of.now().pausedBecause()),
              Metric.number("HeldMs", of -> of.now().heldMs()),
              Metric.number("HeldForMs", of -> of.now().heldForMs()),
              Metric.number("MemoryBytes", of -> of.now().memoryBytes()),
              Metric.number("OpenFiles", of -> of.now().openFiles()),
              Metric.number("FilesToRegister", of -> of.now().filesToRegister()),
              Metric.number("DeadLetters", of -> of.now().deadLetters()),
              deadLetters("NoValue", RejectedRecord.Kind.NO_VALUE),
              deadLetters("NoSchemaId", RejectedRecord.Kind.NO_SCHEMA_ID),
              deadLetters("UnknownSchema", RejectedRecord.Kind.UNKNOWN_SCHEMA),
              deadLetters("Unrouted", RejectedRecord.Kind.UNROUTED),
              deadLetters("SchemaConflict", RejectedRecord.Kind.SCHEMA_CONFLICT),
              deadLetters("Damaged", RejectedRecord.Kind.DAMAGED),
              deadLetters("Unresolvable", RejectedRecord.Kind.UNRESOLVABLE),
              deadLetters("HivePartition", RejectedRecord.Kind.HIVE_PARTITION),
              Metric.number("TopicPartitions", of -> of.now().topicPartitions()),
              Metric.number("PausedTopicPartitions", of -> of.now().pausedTopicPartitions()),
              Metric.number("BatchIntervalMs", of -> of.batchIntervalMs()),
              Metric.number("TaskThreadCpuNanos", of -> of.thread().cpuNanos()),
              Metric.number("PutCpuNanos", of -> of.thread().putCpuNanos()),
              Metric.number("PutNanos", of -> of.thread().putNanos()),
              Metric.number("StagingCpuNanos", of -> of.staging().cpuNanos()),
              Metric.number("StagingNanos", of -> of.staging().busyNanos()),
              Metric.number("CodecNanos", of -> of.codecNanos().getAsLong()),
              Metric.number("StoreCpuNanos", of -> of.store().cpuNanos()),
              Metric.number("StoreNanos", of -> of.store().busyNanos()),
              Metric.number(
                  "CommitCpuNanos", of -> of.commit().cpuNanos() + of.catalog().cpuNanos()),
              Metric.number(
                  "CommitNanos", of -> of.commit().busyNanos() + of.catalog().busyNanos()),
              Metric.number("PlansCompiled", of -> of.plans().statistics().compiled()),
              Metric.number("PlansInterpreted", of -> of.plans().statistics().interpreted()),
              Metric.number("PlansWaiting", of -> of.plans().statistics().waiting()),
              Metric.number("PlanCompileNanos", of -> of.plans().statistics().compileNanos()),
              Metric.text(
                  "LastInterpretedPlan", of -> of.plans().statistics().lastFallBack().orElse(""))));

  private TaskMetrics() {}

  public record Source(
      String version,
      TaskThread thread,
      MeasuredPool staging,
      MeasuredPool store,
      MeasuredPool commit,
      MeasuredPool catalog,
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
    return Metric.number("DeadLetters" + name, of -> of.deadLetters().applyAsLong(kind));
  }

  public static MetricBean<?> bean(String connector, int task, Source source) {
    return new MetricBean<>(TYPE, source, connector, task);
  }
}
