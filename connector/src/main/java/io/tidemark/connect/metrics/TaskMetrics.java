package io.tidemark.connect.metrics;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.connect.metrics.Metric.Unit;
import io.tidemark.connect.pipeline.PipelineLoad;
import io.tidemark.store.batch.RejectedRecord;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The MBean of one task. Thread-safe. */
public final class TaskMetrics implements AutoCloseable {
  static final String TYPE = "task-metrics";
  static final String ABOUT =
      "Health, buffers and time of one task since its start. Gauges of buffers are as of the end"
          + " of the last put(). CPU times cover only the threads named, and are 0 if the JVM does"
          + " not measure them. Other times are elapsed times, added up over all threads.";

  static final List<Metric<Source>> ALL =
      List.of(
          Metric.info(
              "Version",
              "The version of the plugin that runs the task; a snapshot's ends with the time and the"
                  + " id of its commit.",
              "During an upgrade it differs between workers.",
              Source::version),
          Metric.text(
              "Health",
              "WORKING; WAITING: a service does not respond, and the task retries; REFUSED: a "
                  + "service refuses the task, or a table refuses its records, until an operator "
                  + "acts.",
              "Read HeldBecause.",
              of -> of.now().health().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1 check the service that HeldBecause names; at 2 do what HeldBecause says.",
              of -> of.now().health().code()),
          Metric.text(
              "HeldBecause",
              "Why the task is paused, WAITING or REFUSED: the limit that is reached, with its "
                  + "value; and for each service the start of the wait, the cause, and what to do. "
                  + "Empty if the task is WORKING and not paused.",
              "Do what it says.",
              of -> of.now().pausedBecause()),
          Metric.counter(
              "HeldMs",
              Unit.MILLISECONDS,
              "Total time in which the task was paused, WAITING or REFUSED, up to now.",
              "Short pauses are normal in a busy task. If it grows most of the time, read "
                  + "HeldBecause.",
              of -> of.now().heldMs()),
          Metric.gauge(
              "HeldForMs",
              Unit.MILLISECONDS,
              "Time for which the task has been paused, WAITING or REFUSED; 0 if it is not.",
              "After some minutes read HeldBecause.",
              of -> of.now().heldForMs()),
          Metric.gauge(
              "MemoryBytes",
              Unit.BYTES,
              "Memory of the task's buffered records, limited by memory.bytes.",
              "At memory.bytes the task is paused: the store is slower than Kafka.",
              of -> of.now().memoryBytes()),
          Metric.gauge(
              "OpenFiles",
              Unit.FILES,
              "Files that are open before their flush: they have 4 MiB of blocks, or memory.bytes "
                  + "required it. Limited by storage.open.files.",
              "",
              of -> of.now().openFiles()),
          Metric.gauge(
              "FilesToRegister",
              Unit.FILES,
              "Files of published batches that wait for the Metastore, limited by"
                  + " hive.registration.backlog.",
              "If it grows, the Metastore is slow or unavailable: queries do not see the newest Hive"
                  + " partitions.",
              of -> of.now().filesToRegister()),
          Metric.gauge(
              "DeadLetters",
              Unit.RECORDS,
              "Dead letters that Kafka has not acknowledged yet, limited by dead.letters.in.flight.",
              "If it stays high, check the brokers of the dead letter topic.",
              of -> of.now().deadLetters()),
          deadLetters(
              "NoValue",
              RejectedRecord.Kind.NO_VALUE,
              "that have no value",
              "Set behavior.on.null.values=ignore if these tombstones are intended."),
          deadLetters(
              "NoSchemaId",
              RejectedRecord.Kind.NO_SCHEMA_ID,
              "whose value has no schema id",
              "A producer does not use the registry's serializer: correct the producer."),
          deadLetters(
              "UnknownSchema",
              RejectedRecord.Kind.UNKNOWN_SCHEMA,
              "whose schema id has no Avro schema in the registry",
              "Check that producer and connector use the same registry."),
          deadLetters(
              "Unrouted",
              RejectedRecord.Kind.UNROUTED,
              "that no routing rule assigns to a table",
              "If they should land, name a table for them in record2table.map."),
          deadLetters(
              "Damaged",
              RejectedRecord.Kind.DAMAGED,
              "whose datum does not match its schema",
              "A producer writes with another schema than the one that it names: correct the producer."),
          deadLetters(
              "Unresolvable",
              RejectedRecord.Kind.UNRESOLVABLE,
              "whose datum does not fit the table schema",
              "Correct the producer's schema: the dead letter's header contains the field."),
          deadLetters(
              "HivePartition",
              RejectedRecord.Kind.HIVE_PARTITION,
              "for which Tidemark cannot determine a Hive partition",
              "Check the field or time that determines the Hive partition."),
          Metric.gauge(
              "TopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "Topic-partitions of the task.",
              "",
              of -> of.now().topicPartitions()),
          Metric.gauge(
              "PausedTopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "Topic-partitions from which the task does not read at present: at a limit, while "
                  + "they are WAITING or REFUSED, or until their log is claimed.",
              "If it stays above 0, read HeldBecause.",
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
              "CPU time of the task's thread. TaskThreadCpuNanos minus PutCpuNanos is the CPU time "
                  + "of Connect: consumer, converters, SinkRecords.",
              "If it grows by one second per second, this thread is the limit: add tasks.",
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
              "CPU time of the threads that check and copy records and compress blocks.",
              "If it grows by staging.threads seconds per second, raise staging.threads or choose "
                  + "a faster codec.",
              of -> of.pools().staging().cpuNanos()),
          Metric.counter(
              "StagingNanos",
              Unit.NANOSECONDS,
              "Time in which the staging threads worked.",
              "",
              of -> of.pools().staging().busyNanos()),
          Metric.counter(
              "CodecNanos",
              Unit.NANOSECONDS,
              "Time in which the staging threads compressed blocks.",
              "",
              of -> of.codecNanos().getAsLong()),
          Metric.counter(
              "StoreCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the threads that write and close files in the store, without the threads of"
                  + " the store's client.",
              "",
              of -> of.pools().store().cpuNanos()),
          Metric.counter(
              "StoreNanos",
              Unit.NANOSECONDS,
              "Time in which the threads that write and close files worked: mostly they wait for the store.",
              "If it grows by storage.threads seconds per second, the store is the limit.",
              of -> of.pools().store().busyNanos()),
          Metric.counter(
              "CommitCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the threads that claim, append to the log, publish and register.",
              "",
              of -> of.pools().commit().cpuNanos() + of.pools().catalog().cpuNanos()),
          Metric.counter(
              "CommitNanos",
              Unit.NANOSECONDS,
              "Time in which the threads that commit and publish worked: mostly they wait for the"
                  + " store and the Metastore.",
              "",
              of -> of.pools().commit().busyNanos() + of.pools().catalog().busyNanos()),
          Metric.counter(
              "PlansCompiled",
              Unit.PLANS,
              "Compiled plans, for all tasks of the plugin in this worker. A plan converts records of one writer schema to the table schema.",
              "",
              of -> of.plans().statistics().compiled()),
          Metric.counter(
              "PlansInterpreted",
              Unit.PLANS,
              "Plans that are permanently interpreted, for all tasks: they could not be compiled."
                  + " They are slower, but correct.",
              "Report LastInterpretedPlan to the project.",
              of -> of.plans().statistics().interpreted()),
          Metric.gauge(
              "PlansWaiting",
              Unit.PLANS,
              "Plans that are interpreted until their compilation ends, for all tasks.",
              "",
              of -> of.plans().statistics().waiting()),
          Metric.counter(
              "PlanCompileNanos",
              Unit.NANOSECONDS,
              "Time of the compilation of plans, for all tasks.",
              "",
              of -> of.plans().statistics().compileNanos()),
          Metric.text(
              "LastInterpretedPlan",
              "The schemas of the last plan that is permanently interpreted, and the cause; empty if"
                  + " there is none.",
              "",
              of -> of.plans().statistics().lastFallBack().orElse("")));

  private final MetricBean<Source> bean;

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
   * @param version the version of the plugin
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

  /**
   * Creates the MBean of a task. The MBean's name contains the connector's name and the task's
   * number.
   */
  public TaskMetrics(String connector, int task, Source source) {
    this.bean =
        new MetricBean<>(MetricBean.name(TYPE, connector, ",task=" + task), ABOUT, ALL, source);
  }

  private static Metric<Source> deadLetters(
      String name, RejectedRecord.Kind kind, String which, String advice) {
    return Metric.counter(
        "DeadLetters" + name,
        Unit.RECORDS,
        "Records "
            + which
            + ", sent to the dead letter topic. Records that are read again after a restart count again.",
        advice,
        of -> of.deadLetters().applyAsLong(kind));
  }

  /** Registers the MBean. A failure is logged, and the task works without the MBean. */
  public void register() {
    bean.register();
  }

  @Override
  public void close() {
    bean.close();
  }
}
