package io.tidemark.connect.metrics;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.connect.health.HealthState;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The MBean of one task. Safe for use by many threads. */
public final class TaskMetrics implements TaskMetricsMXBean, AutoCloseable {
  private final TaskThread thread;
  private final Pools pools;
  private final LongSupplier codecNanos;
  private final CompiledPlans plans;
  private final Supplier<Load> load;
  private final RegisteredBean bean;

  /**
   * The threads of a task.
   *
   * @param staging check, copy and compress
   * @param store write and close files
   * @param commit claim, append to the log and publish
   * @param catalog register
   */
  public record Pools(
      MeasuredPool staging, MeasuredPool store, MeasuredPool commit, MeasuredPool catalog) {}

  /**
   * How full a task is; the attributes of these names tell more.
   *
   * @param pausedBecause empty when no limit is reached and no service waited for
   */
  public record Load(
      HealthState health,
      String pausedBecause,
      long pausedMs,
      long memoryBytes,
      int openFiles,
      int filesToRegister,
      int deadLetters,
      int topicPartitions,
      int pausedTopicPartitions) {}

  /** Makes the bean of a task, by its connector's name and its number. */
  public TaskMetrics(
      String connector,
      int task,
      TaskThread thread,
      Pools pools,
      LongSupplier codecNanos,
      CompiledPlans plans,
      Supplier<Load> load) {
    this.thread = thread;
    this.pools = pools;
    this.codecNanos = codecNanos;
    this.plans = plans;
    this.load = load;
    this.bean =
        new RegisteredBean(
            this,
            TaskMetricsMXBean.class,
            RegisteredBean.name("task-metrics", connector, ",task=" + task));
  }

  /** Makes it readable by JMX. A failure is logged: the task does its work without. */
  public void register() {
    bean.register();
  }

  @Override
  public void close() {
    bean.close();
  }

  @Override
  public long getTaskThreadCpuNanos() {
    return thread.cpuNanos();
  }

  @Override
  public long getPutCpuNanos() {
    return thread.putCpuNanos();
  }

  @Override
  public long getPutNanos() {
    return thread.putNanos();
  }

  @Override
  public long getStagingCpuNanos() {
    return pools.staging().cpuNanos();
  }

  @Override
  public long getStagingNanos() {
    return pools.staging().busyNanos();
  }

  @Override
  public long getCodecNanos() {
    return codecNanos.getAsLong();
  }

  @Override
  public long getStoreCpuNanos() {
    return pools.store().cpuNanos();
  }

  @Override
  public long getStoreNanos() {
    return pools.store().busyNanos();
  }

  @Override
  public long getCommitCpuNanos() {
    return pools.commit().cpuNanos() + pools.catalog().cpuNanos();
  }

  @Override
  public long getCommitNanos() {
    return pools.commit().busyNanos() + pools.catalog().busyNanos();
  }

  @Override
  public long getHeldMs() {
    return load.get().pausedMs();
  }

  @Override
  public String getHealth() {
    return load.get().health().name();
  }

  @Override
  public String getHeldBecause() {
    return load.get().pausedBecause();
  }

  @Override
  public long getMemoryBytes() {
    return load.get().memoryBytes();
  }

  @Override
  public int getOpenFiles() {
    return load.get().openFiles();
  }

  @Override
  public int getFilesToRegister() {
    return load.get().filesToRegister();
  }

  @Override
  public int getDeadLetters() {
    return load.get().deadLetters();
  }

  @Override
  public int getTopicPartitions() {
    return load.get().topicPartitions();
  }

  @Override
  public int getPausedTopicPartitions() {
    return load.get().pausedTopicPartitions();
  }

  @Override
  public long getPlansCompiled() {
    return plans.statistics().compiled();
  }

  @Override
  public long getPlansInterpreted() {
    return plans.statistics().interpreted();
  }

  @Override
  public long getPlansWaiting() {
    return plans.statistics().waiting();
  }

  @Override
  public long getPlanCompileNanos() {
    return plans.statistics().compileNanos();
  }

  @Override
  public String getLastInterpretedPlan() {
    return plans.statistics().lastFallBack().orElse("");
  }
}
