package io.tidemark.connect.metrics;

/**
 * Where the time of one task goes, since it was started. Registered as {@code
 * tidemark.connect:type=task-metrics,connector=NAME,task=NUMBER}.
 *
 * <p>Times and counts of plans only grow, but for {@code PlansWaiting}; the others tell how full
 * the task is, as of the end of its last put(). CPU time is that of the threads named, in
 * nanoseconds, and 0 on a JVM that does not measure it. The other times are elapsed time, added up
 * over all threads that work at once.
 */
public interface TaskMetricsMXBean {

  /** CPU time of the task's thread: the framework's (consumer, converters, records) and put(). */
  long getTaskThreadCpuNanos();

  /** CPU time of put() alone. */
  long getPutCpuNanos();

  /** Time in put(). */
  long getPutNanos();

  /** CPU time of the threads that check and copy records and compress blocks. */
  long getStagingCpuNanos();

  /** Time in which those threads were at work. */
  long getStagingNanos();

  /** Time in which those threads compressed. */
  long getCodecNanos();

  /** CPU time of the threads that write and close files in the store, without its client's own. */
  long getStoreCpuNanos();

  /** Time in which those threads were at work: mostly it is the store's. */
  long getStoreNanos();

  /** CPU time of the threads that claim, append to the log, publish and register. */
  long getCommitCpuNanos();

  /** Time in which those threads were at work: mostly it is that of the store and the catalog. */
  long getCommitNanos();

  /**
   * Time in which the task took no records because a limit was reached (memory, a flush under way,
   * the catalog's backlog), in milliseconds; counted when it can take them again.
   */
  long getHeldMs();

  /**
   * {@code WORKING}; {@code WAITING} while a service does not answer, which passes by itself;
   * {@code REFUSED} while one refuses until an operator changes something.
   */
  String getHealth();

  /**
   * Which limit is reached, and how far, so that the task takes no records; and which services it
   * waits for, since when, why, and what to do. Empty when it is held by nothing.
   */
  String getHeldBecause();

  /** The memory of the task's records, which {@code memory.bytes} bounds. */
  long getMemoryBytes();

  /** Files that stay open for the sake of memory, which {@code storage.open.files} bounds. */
  int getOpenFiles();

  /**
   * Files of published batches that wait for the Metastore, which {@code hive.registration.backlog}
   * bounds.
   */
  int getFilesToRegister();

  /** Dead letters that wait for Kafka, which {@code dead.letters.in.flight} bounds. */
  int getDeadLetters();

  /** The topic-partitions of the task. */
  int getTopicPartitions();

  /** Those of them whose records it does not take now: for a limit, or a service that is away. */
  int getPausedTopicPartitions();

  /** Plans whose class was made, for all tasks of the plugin in this worker. */
  long getPlansCompiled();

  /** Plans that are interpreted for good, for all tasks: no class could be made of them. */
  long getPlansInterpreted();

  /** Plans that are interpreted until their class is made, for all tasks. */
  long getPlansWaiting();

  /** How long the making of classes took, for all tasks. */
  long getPlanCompileNanos();

  /** The schemas of the last plan that is interpreted for good, and why; empty if there is none. */
  String getLastInterpretedPlan();
}
