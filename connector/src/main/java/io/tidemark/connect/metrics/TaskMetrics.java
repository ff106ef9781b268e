package io.tidemark.connect.metrics;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.metrics.Metric.Unit;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The MBean of one task. Safe for use by many threads. */
public final class TaskMetrics implements AutoCloseable {
  static final String TYPE = "task-metrics";
  static final String ABOUT =
      "Health, limits and times of one task since it was started. Limits are as of the end of the"
          + " last put(). CPU times cover the named threads only; they are 0 on a JVM that does not"
          + " measure them. Other times are elapsed times, summed over all threads.";

  static final List<Metric<Source>> ALL =
      List.of(
          Metric.text(
              "Health",
              "WORKING; WAITING for a service that does not answer, which is transient; REFUSED by"
                  + " a service until an operator changes something.",
              "See HeldBecause.",
              of -> of.now().health().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1, check the service that HeldBecause names. At 2, apply the cure in HeldBecause.",
              of -> of.now().health().code()),
          Metric.text(
              "HeldBecause",
              "Why the task is paused or waits: the limit that is reached, with its value; each"
                  + " service that the task waits for, with the start of the wait, the cause and"
                  + " the cure. Empty while the task is not paused and waits for no service.",
              "Apply the cure that it contains.",
              of -> of.now().heldBecause()),
          Metric.counter(
              "HeldMs",
              Unit.MILLISECONDS,
              "Time for which the task was paused by a limit or waited for a service, the present"
                  + " pause or wait included.",
              "Short pauses are normal in a busy task. When the task is paused most of the time,"
                  + " read HeldBecause.",
              of -> of.now().heldMs()),
          Metric.gauge(
              "HeldForMs",
              Unit.MILLISECONDS,
              "Duration of the task's present pause or wait; 0 when there is none.",
              "Beyond some minutes, read HeldBecause.",
              of -> of.now().heldForMs()),
          Metric.gauge(
              "MemoryBytes",
              Unit.BYTES,
              "Memory that the task's records take; memory.bytes is the limit.",
              "At memory.bytes the task is paused: the store is slower than Kafka.",
              of -> of.now().memoryBytes()),
          Metric.gauge(
              "OpenFiles",
              Unit.FILES,
              "Files that are open in the store before their flush because they are large;"
                  + " storage.open.files is the limit.",
              "",
              of -> of.now().openFiles()),
          Metric.gauge(
              "FilesToRegister",
              Unit.FILES,
              "Files of published batches that wait for registration in the Metastore;"
                  + " hive.registration.backlog is the limit.",
              "When it grows, the Metastore is slow or unavailable, and queries do not see the"
                  + " newest Hive partitions.",
              of -> of.now().filesToRegister()),
          Metric.gauge(
              "DeadLetters",
              Unit.RECORDS,
              "Dead letters that Kafka has not acknowledged yet; dead.letters.in.flight is the"
                  + " limit.",
              "When it stays high, check the brokers of the dead letter topic.",
              of -> of.now().deadLetters()),
          deadLetters(
              "NoValue",
              RejectedRecord.Kind.NO_VALUE,
              "that have no value",
              "If tombstones are intended, set behavior.on.null.values=ignore."),
          deadLetters(
              "NoSchemaId",
              RejectedRecord.Kind.NO_SCHEMA_ID,
              "whose value has no schema id",
              "A producer writes without the registry's serializer. Correct the producer."),
          deadLetters(
              "UnknownSchema",
              RejectedRecord.Kind.UNKNOWN_SCHEMA,
              "for whose schema id the registry has no Avro schema",
              "Check that the producer and the connector use the same registry."),
          deadLetters(
              "Unrouted",
              RejectedRecord.Kind.UNROUTED,
              "for which no routing rule names a table",
              "If they belong in a table, name it in record2table.map."),
          deadLetters(
              "Damaged",
              RejectedRecord.Kind.DAMAGED,
              "whose datum does not match its schema",
              "A producer writes with another schema than the one that its schema id names."
                  + " Correct the producer."),
          deadLetters(
              "Unresolvable",
              RejectedRecord.Kind.UNRESOLVABLE,
              "whose datum cannot be converted to the table's schema",
              "Correct the producer's schema. A header of the dead letter names the field."),
          deadLetters(
              "HivePartition",
              RejectedRecord.Kind.HIVE_PARTITION,
              "for which no Hive partition can be computed",
              "Check the field or the time from which the Hive partition is computed."),
          Metric.gauge(
              "TopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "Topic-partitions of the task.",
              "",
              of -> of.now().topicPartitions()),
          Metric.gauge(
              "PausedTopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "Paused topic-partitions of the task: a limit is reached, or a service is"
                  + " unavailable.",
              "When it stays above 0, read HeldBecause.",
              of -> of.now().pausedTopicPartitions()),
          Metric.gauge(
              "BatchIntervalMs",
              Unit.MILLISECONDS,
              "The setting batch.interval.ms, for alerts that compare with it.",
              "",
              of -> of.batchIntervalMs()),
          Metric.counter(
              "TaskThreadCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the task's thread. Connect spends the part that is not in PutCpuNanos:"
                  + " consumer, converters, SinkRecords.",
              "When it grows by a second each second, this thread is the limit. Add tasks.",
              of -> of.thread().cpuNanos()),
          Metric.counter(
              "PutCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of put() alone.",
              "",
              of -> of.thread().putCpuNanos()),
          Metric.counter(
              "PutNanos", Unit.NANOSECONDS, "Time in put().", "", of -> of.thread().putNanos()),
          Metric.counter(
              "StagingCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the staging threads, which check and copy records and compress blocks.",
              "When it grows by staging.threads seconds each second, raise staging.threads, or use"
                  + " a faster codec.",
              of -> of.pools().staging().cpuNanos()),
          Metric.counter(
              "StagingNanos",
              Unit.NANOSECONDS,
              "Time for which the staging threads worked.",
              "",
              of -> of.pools().staging().busyNanos()),
          Metric.counter(
              "CodecNanos",
              Unit.NANOSECONDS,
              "Time for which the staging threads compressed.",
              "",
              of -> of.codecNanos().getAsLong()),
          Metric.counter(
              "StoreCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the store threads, which write and close files in the store. The"
                  + " threads of the store's client are not included.",
              "",
              of -> of.pools().store().cpuNanos()),
          Metric.counter(
              "StoreNanos",
              Unit.NANOSECONDS,
              "Time for which the store threads worked. Most of it they wait for the store.",
              "When it grows by storage.threads seconds each second, the store is the limit.",
              of -> of.pools().store().busyNanos()),
          Metric.counter(
              "CommitCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the commit threads, which claim, append to the log, publish and"
                  + " register.",
              "",
              of -> of.pools().commit().cpuNanos() + of.pools().catalog().cpuNanos()),
          Metric.counter(
              "CommitNanos",
              Unit.NANOSECONDS,
              "Time for which the commit threads worked. Most of it they wait for the store and"
                  + " the Metastore.",
              "",
              of -> of.pools().commit().busyNanos() + of.pools().catalog().busyNanos()),
          Metric.counter(
              "PlansCompiled",
              Unit.PLANS,
              "Plans that were compiled to a class, for all tasks of the plugin in this worker. A"
                  + " plan converts records of one writer schema to the table's schema.",
              "",
              of -> of.plans().statistics().compiled()),
          Metric.counter(
              "PlansInterpreted",
              Unit.PLANS,
              "Plans that could not be compiled, for all tasks. They are interpreted permanently,"
                  + " which is slower but correct.",
              "Report the text of LastInterpretedPlan as a bug.",
              of -> of.plans().statistics().interpreted()),
          Metric.gauge(
              "PlansWaiting",
              Unit.PLANS,
              "Plans that are interpreted until they are compiled, for all tasks.",
              "",
              of -> of.plans().statistics().waiting()),
          Metric.counter(
              "PlanCompileNanos",
              Unit.NANOSECONDS,
              "Time that the compilation of plans took, for all tasks.",
              "",
              of -> of.plans().statistics().compileNanos()),
          Metric.text(
              "LastInterpretedPlan",
              "Schemas of the last plan that could not be compiled, and the reason; empty if there"
                  + " is none.",
              "",
              of -> of.plans().statistics().lastFallBack().orElse("")));

  private final RegisteredBean bean;

  /**
   * The thread pools of a task.
   *
   * @param staging checks, copies and compresses records
   * @param store writes and closes files
   * @param commit claims, appends to the log and publishes
   * @param catalog registers
   */
  public record Pools(
      MeasuredPool staging, MeasuredPool store, MeasuredPool commit, MeasuredPool catalog) {}

  /**
   * The values of the attributes of the same names, at one time.
   *
   * @param heldBecause empty when no limit is reached and no service is waited for
   */
  public record Load(
      HealthState health,
      String heldBecause,
      long heldMs,
      long heldForMs,
      long memoryBytes,
      int openFiles,
      int filesToRegister,
      int deadLetters,
      int topicPartitions,
      int pausedTopicPartitions) {}

  /**
   * The objects from which the metrics of a task are read.
   *
   * @param deadLetters returns the number of dead letters of a kind
   */
  public record Source(
      TaskThread thread,
      Pools pools,
      LongSupplier codecNanos,
      CompiledPlans plans,
      Supplier<Load> load,
      ToLongFunction<RejectedRecord.Kind> deadLetters,
      long batchIntervalMs) {

    Load now() {
      return load.get();
    }
  }

  /** Creates the MBean of a task, which is named by its connector's name and its number. */
  public TaskMetrics(String connector, int task, Source source) {
    this.bean =
        new RegisteredBean(
            new MetricBean<>(ABOUT, ALL, source),
            RegisteredBean.name(TYPE, connector, ",task=" + task));
  }

  private static Metric<Source> deadLetters(
      String name, RejectedRecord.Kind kind, String which, String advice) {
    return Metric.counter(
        "DeadLetters" + name,
        Unit.RECORDS,
        "Records "
            + which
            + ", sent to the dead letter topic. Records that are read again are counted again.",
        advice,
        of -> of.deadLetters().applyAsLong(kind));
  }

  /** Registers the MBean. A failure is logged, and the task works without it. */
  public void register() {
    bean.register();
  }

  @Override
  public void close() {
    bean.close();
  }
}
