package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of a task: its limits, and its handling of bad records. */
final class TaskKeys {
  private TaskKeys() {}

  static void define(ConfigGroups keys) {
    keys.group("Limits");
    keys.add(
        ConnectorConfig.RATE_RECORDS_PER_SECOND,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, 1_000_000_000),
        Importance.LOW,
        "Maximum number of records per second of one task, over all its topic-partitions. This is "
            + "an average: one poll may bring more records, and the task is then paused for "
            + "longer. 0: no limit.");
    keys.add(
        ConnectorConfig.MEMORY_BYTES,
        ConfigDef.Type.LONG,
        256L << 20,
        Range.between(1 << 20, Long.MAX_VALUE),
        Importance.MEDIUM,
        "Maximum memory of a task's records between Kafka and the store, in bytes (default: 256 "
            + "MiB). The blocks of a file are written to the store when they have 4 MiB. When "
            + "blocks of unfinished files use half of the maximum, the blocks of the largest file "
            + "are written early. When they use three quarters, the task flushes all batches. At "
            + "the maximum the task is paused until a quarter is free. The value must be at least "
            + "16 times avro.block.size.bytes.");
    keys.add(
        ConnectorConfig.STAGING_THREADS,
        ConfigDef.Type.INT,
        Math.min(4, Runtime.getRuntime().availableProcessors()),
        Range.between(1, 256),
        Importance.MEDIUM,
        "Number of a task's threads that check, copy and compress records. By default the number "
            + "of cores, at most 4.");
    keys.add(
        ConnectorConfig.STORAGE_THREADS,
        ConfigDef.Type.INT,
        8,
        Range.between(1, 256),
        Importance.LOW,
        "Number of threads with which a task writes and closes files. This is also the maximum "
            + "number of files that are closed at the same time.");
    keys.add(
        ConnectorConfig.STORAGE_OPEN_FILES,
        ConfigDef.Type.INT,
        64,
        Range.between(1, 10_000),
        Importance.LOW,
        "Maximum number of files of a task that are open before their flush. A file is opened "
            + "early when its blocks have 4 MiB, or when memory.bytes requires that they are "
            + "written. Each open file reserves an HDFS block of space.");
    keys.add(
        ConnectorConfig.COMMIT_THREADS,
        ConfigDef.Type.INT,
        8,
        Range.between(1, 256),
        Importance.LOW,
        "Number of threads with which a task claims logs, commits and publishes. This is also the "
            + "maximum number of topic-partitions that are committed at the same time.");
    keys.add(
        ConnectorConfig.RETRY_BACKOFF_MS,
        ConfigDef.Type.LONG,
        5_000L,
        Range.between(10, 600_000),
        Importance.LOW,
        "Maximum pause between two attempts to reach an unavailable service, in milliseconds. The "
            + "first pause is 100 ms. Exception: after a failure to stage files, the first pause "
            + "is this value, and each further pause is twice as long, up to a minute.");
    keys.add(
        ConnectorConfig.ON_REFUSAL,
        ConfigDef.Type.STRING,
        "hold-topic",
        ValidString.in("hold-topic", "stop-task"),
        Importance.MEDIUM,
        "Reaction of a task if a topic's tables refuse its records. Examples: a schema contradicts "
            + "the table's, no rule names a table, or a Hive table or Hive partition does not "
            + "belong to this connector. Further examples: a foreign file has the name of the next "
            + "file, or the registry has another schema for an id in use. hold-topic: the topic "
            + "becomes REFUSED, and the task reads no further records of it until an operator has "
            + "acted. All other topics continue to land, unless refusal.deadline.ms ends the task. "
            + "stop-task: the task fails. If another log owns the table's directory, the task "
            + "fails with both values.");
    keys.add(
        ConnectorConfig.REFUSAL_DEADLINE_MS,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, 604_800_000),
        Importance.LOW,
        "Time after which a task that is REFUSED fails, in milliseconds. Examples of causes: "
            + "access denied, a rejected login, an unknown host, a quota, or a schema that a "
            + "topic's table refuses. The task also fails if only one topic is REFUSED; its other "
            + "topics then do not land either. The error says what to do. 0: no limit; the task "
            + "continues when an operator has removed the cause. If the name node's host is "
            + "unknown when a task starts, the task fails at once.");
    keys.add(
        ConnectorConfig.SHUTDOWN_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        3_000L,
        Range.between(0, 240_000),
        Importance.LOW,
        "Maximum time for the last flush of a topic-partition that is revoked from a task, by a "
            + "rebalance or a stop, in milliseconds. Records that are not committed by then are "
            + "read again by the next owner. This value plus 1 s, for closing the clients, must be "
            + "below the worker's task.shutdown.graceful.timeout.ms (5 s), and well below the "
            + "consumer's max.poll.interval.ms.");

    keys.group("Validation");
    keys.add(
        ConnectorConfig.VALIDATION_CONNECT,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.LOW,
        "Whether validation and deployment of a configuration test each service that it names. The "
            + "worker connects to all of them concurrently, for at most 5 s, so that a wrong "
            + "address is an error under its key. The first test of a new worker may take 20 s, "
            + "because it loads the clients of HDFS, Hive and the registry. Set this key to false "
            + "to deploy while a service is unavailable.");

    keys.group("Bad records");
    keys.add(
        ConnectorConfig.NULL_VALUES,
        ConfigDef.Type.STRING,
        "fail",
        ValidString.in("fail", "ignore", "dead-letter", "write"),
        Importance.MEDIUM,
        "Handling of a record without a value (a tombstone). fail: the task fails. ignore: the "
            + "record is left out, and its offset counts as skipped. dead-letter: it is sent to "
            + "the dead letter topic. write: it becomes a row. The table then has the key's "
            + "columns, and the column kafka_deleted, which is true for tombstones; see "
            + "columns.key.format.");
    keys.add(
        ConnectorConfig.DEAD_LETTERS_IN_FLIGHT,
        ConfigDef.Type.INT,
        1_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Maximum number of a task's dead letters that Kafka has not acknowledged yet. At this "
            + "number the task is paused until half of them are acknowledged.");
    keys.add(
        ConnectorConfig.DEAD_LETTER_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        120_000L,
        Range.between(1_000, 86_400_000),
        Importance.LOW,
        "Maximum time until Kafka acknowledges a dead letter, in milliseconds. After it the task "
            + "fails, and nothing of the record's batch is committed.");
  }
}
