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
      "One task, since it was started: how it is, how full it is as of the end of its last put(),"
          + " and where its time goes. CPU time is that of the threads named, and 0 on a JVM that"
          + " does not measure it. Other times are elapsed time, added up over all threads.";

  static final List<Metric<Source>> ALL =
      List.of(
          Metric.text(
              "Health",
              "WORKING; WAITING for a service that does not answer, which passes by itself; REFUSED"
                  + " by one until an operator changes something.",
              "See HeldBecause.",
              of -> of.now().health().name()),
          Metric.gauge(
              "HealthCode",
              Unit.STATE,
              "Health as a number: 0 is WORKING, 1 is WAITING, 2 is REFUSED.",
              "At 1 look at the service that HeldBecause names; at 2 do what it says.",
              of -> of.now().health().code()),
          Metric.text(
              "HeldBecause",
              "Which limit is reached, and how far, so that the task takes no records; and which"
                  + " services it waits for, since when, why, and what to do. Empty when nothing"
                  + " holds it.",
              "Do what it says.",
              of -> of.now().heldBecause()),
          Metric.counter(
              "HeldMs",
              Unit.MILLISECONDS,
              "How long the task was held by a limit or waited for a service, the present time"
                  + " included.",
              "Moments of it are normal in a busy task. When most of the time is held, look at"
                  + " HeldBecause.",
              of -> of.now().heldMs()),
          Metric.gauge(
              "HeldForMs",
              Unit.MILLISECONDS,
              "How long that lasts now; 0 when nothing holds the task.",
              "Beyond some minutes look at HeldBecause.",
              of -> of.now().heldForMs()),
          Metric.gauge(
              "MemoryBytes",
              Unit.BYTES,
              "The memory of the task's records, which memory.bytes bounds.",
              "At memory.bytes the task takes no records: the store is slower than Kafka.",
              of -> of.now().memoryBytes()),
          Metric.gauge(
              "OpenFiles",
              Unit.FILES,
              "Files that stay open for the sake of memory, which storage.open.files bounds.",
              "",
              of -> of.now().openFiles()),
          Metric.gauge(
              "FilesToRegister",
              Unit.FILES,
              "Files of published batches that wait for the Metastore, which"
                  + " hive.registration.backlog bounds.",
              "When it grows, the Metastore is slow or away: queries do not see the newest Hive"
                  + " partitions.",
              of -> of.now().filesToRegister()),
          Metric.gauge(
              "DeadLetters",
              Unit.RECORDS,
              "Dead letters that wait for Kafka, which dead.letters.in.flight bounds.",
              "When it stays high, look at the dead letter topic's brokers.",
              of -> of.now().deadLetters()),
          deadLetters(
              "NoValue",
              RejectedRecord.Kind.NO_VALUE,
              "that have no value",
              "Set behavior.on.null.values=ignore if tombstones are meant."),
          deadLetters(
              "NoSchemaId",
              RejectedRecord.Kind.NO_SCHEMA_ID,
              "whose value has no schema id",
              "A producer writes without the registry's serializer: correct it."),
          deadLetters(
              "UnknownSchema",
              RejectedRecord.Kind.UNKNOWN_SCHEMA,
              "whose schema id the registry does not know as one of Avro",
              "Look whether producer and connector use the same registry."),
          deadLetters(
              "Unrouted",
              RejectedRecord.Kind.UNROUTED,
              "that no rule leads to a table",
              "Name a table for them in record2table.map, if they are meant to land."),
          deadLetters(
              "Damaged",
              RejectedRecord.Kind.DAMAGED,
              "whose datum is not what its schema says",
              "A producer writes with another schema than it names: correct it."),
          deadLetters(
              "Unresolvable",
              RejectedRecord.Kind.UNRESOLVABLE,
              "whose datum the table's schema cannot hold",
              "Correct the producer's schema: the dead letter's header names the field."),
          deadLetters(
              "HivePartition",
              RejectedRecord.Kind.HIVE_PARTITION,
              "of which no Hive partition can be made",
              "Look at the field or time that the Hive partition is made from."),
          Metric.gauge(
              "TopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "The topic-partitions of the task.",
              "",
              of -> of.now().topicPartitions()),
          Metric.gauge(
              "PausedTopicPartitions",
              Unit.TOPIC_PARTITIONS,
              "Those of them whose records it does not take now: for a limit, or a service that is"
                  + " away.",
              "When it stays above 0, look at HeldBecause.",
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
              "CPU time of the task's thread. What put() does not take of it is the framework's:"
                  + " consumer, converters, SinkRecords.",
              "When it grows by a second each second, one thread is the limit: add tasks.",
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
              "When they are the limit, raise staging.threads, or take a faster codec.",
              of -> of.pools().staging().cpuNanos()),
          Metric.counter(
              "StagingNanos",
              Unit.NANOSECONDS,
              "Time in which those threads were at work.",
              "",
              of -> of.pools().staging().busyNanos()),
          Metric.counter(
              "CodecNanos",
              Unit.NANOSECONDS,
              "Time in which those threads compressed.",
              "",
              of -> of.codecNanos().getAsLong()),
          Metric.counter(
              "StoreCpuNanos",
              Unit.NANOSECONDS,
              "CPU time of the threads that write and close files in the store, without its client's"
                  + " own.",
              "",
              of -> of.pools().store().cpuNanos()),
          Metric.counter(
              "StoreNanos",
              Unit.NANOSECONDS,
              "Time in which those threads were at work: mostly they wait for the store.",
              "When it grows by storage.threads seconds each second, the store is the limit.",
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
              "Time in which those threads were at work: mostly they wait for the store and the"
                  + " Metastore.",
              "",
              of -> of.pools().commit().busyNanos() + of.pools().catalog().busyNanos()),
          Metric.counter(
              "PlansCompiled",
              Unit.PLANS,
              "Plans whose class was made, for all tasks of the plugin in this worker.",
              "",
              of -> of.plans().statistics().compiled()),
          Metric.counter(
              "PlansInterpreted",
              Unit.PLANS,
              "Plans that are interpreted for good, for all tasks: no class could be made of them,"
                  + " which is slower but works.",
              "Report LastInterpretedPlan.",
              of -> of.plans().statistics().interpreted()),
          Metric.gauge(
              "PlansWaiting",
              Unit.PLANS,
              "Plans that are interpreted until their class is made, for all tasks.",
              "",
              of -> of.plans().statistics().waiting()),
          Metric.counter(
              "PlanCompileNanos",
              Unit.NANOSECONDS,
              "How long the making of classes took, for all tasks.",
              "",
              of -> of.plans().statistics().compileNanos()),
          Metric.text(
              "LastInterpretedPlan",
              "The schemas of the last plan that is interpreted for good, and why; empty if there is"
                  + " none.",
              "",
              of -> of.plans().statistics().lastFallBack().orElse("")));

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
   * @param heldBecause empty when no limit is reached and no service waited for
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
   * What the metrics of a task are read from.
   *
   * @param deadLetters how many of a kind there were
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

  /** Makes the bean of a task, by its connector's name and its number. */
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
            + ", sent to the dead letter topic; those that are read again count again.",
        advice,
        of -> of.deadLetters().applyAsLong(kind));
  }

  /** Makes it readable by JMX. A failure is logged: the task does its work without. */
  public void register() {
    bean.register();
  }

  @Override
  public void close() {
    bean.close();
  }
}
