package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of how a task works: its limits, and what it does about bad records. */
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
        "The records that a task takes in a second, over all its topic-partitions and on average: what a poll brings too"
            + " much is made up for by a pause. 0: no limit.");
    keys.add(
        ConnectorConfig.MEMORY_BYTES,
        ConfigDef.Type.LONG,
        256L << 20,
        Range.between(1 << 20, Long.MAX_VALUE),
        Importance.MEDIUM,
        "The memory of a task's records between Kafka and the store, in bytes. A file's blocks go to the store when "
            + "they are 4 MiB; at half of this memory those of the largest file do, at all of it the task pauses.");
    keys.add(
        ConnectorConfig.STAGING_THREADS,
        ConfigDef.Type.INT,
        Math.min(4, Runtime.getRuntime().availableProcessors()),
        Range.between(1, 256),
        Importance.MEDIUM,
        "Threads of a task that check, copy and compress. By default as many as there are cores, at most 4.");
    keys.add(
        ConnectorConfig.STORAGE_THREADS,
        ConfigDef.Type.INT,
        8,
        Range.between(1, 256),
        Importance.LOW,
        "Threads of a task that write and close files; so many files are closed at once.");
    keys.add(
        ConnectorConfig.STORAGE_OPEN_FILES,
        ConfigDef.Type.INT,
        64,
        Range.between(1, 10_000),
        Importance.LOW,
        "Files of a task that stay open before their flush, because they have grown large. Each reserves an HDFS "
            + "block of space.");
    keys.add(
        ConnectorConfig.COMMIT_THREADS,
        ConfigDef.Type.INT,
        8,
        Range.between(1, 256),
        Importance.LOW,
        "Threads of a task that claim logs, commit and publish; so many topic-partitions are committed at once.");
    keys.add(
        ConnectorConfig.RETRY_BACKOFF_MS,
        ConfigDef.Type.LONG,
        5_000L,
        Range.between(10, 600_000),
        Importance.LOW,
        "The longest pause between two tries of a service that is away, in milliseconds. The first pause is 100 ms."
            + " Where files cannot be staged it is the first pause, which then doubles up to a minute.");
    keys.add(
        ConnectorConfig.ON_REFUSAL,
        ConfigDef.Type.STRING,
        "hold-topic",
        ValidString.in("hold-topic", "stop-task"),
        Importance.MEDIUM,
        "What a task does when the tables of a topic cannot take what it has: a schema that contradicts the table's, a"
            + " blocked table, a Hive table or Hive partition that is not ours to change. hold-topic: no topic-partition"
            + " of that topic is read until an operator has acted, and all others land on. stop-task: the task fails.");
    keys.add(
        ConnectorConfig.REFUSAL_DEADLINE_MS,
        ConfigDef.Type.LONG,
        0L,
        Range.between(0, 604_800_000),
        Importance.LOW,
        "How long a service or a topic's table may refuse what does not pass by itself (access denied, a login refused, an"
            + " unknown host, a quota, a schema), in milliseconds. Then the task fails, with the cure. 0: it waits"
            + " until the refusal is lifted.");
    keys.add(
        ConnectorConfig.SHUTDOWN_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        3_000L,
        Range.between(0, 240_000),
        Importance.LOW,
        "How long a task that loses a topic-partition tries to flush it, in milliseconds; what is not committed by then "
            + "is read again by the next owner. Together with 1 s for the clients to close it must stay below the worker's "
            + "task.shutdown.graceful.timeout.ms (5 s), and well below the consumer's max.poll.interval.ms.");

    keys.group("Validation");
    keys.add(
        ConnectorConfig.VALIDATION_CONNECT,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.LOW,
        "Whether a configuration that is checked or deployed has the worker ask each service that it names, all at once "
            + "and for at most 5 s, so that a wrong address is an error under its key. The first question of a new worker "
            + "may take 20 s, because it loads the clients of HDFS, Hive and the registry. Set it to false to deploy while a "
            + "service is away.");

    keys.group("Bad records");
    keys.add(
        ConnectorConfig.NULL_VALUES,
        ConfigDef.Type.STRING,
        "fail",
        ValidString.in("fail", "ignore", "dead-letter", "write"),
        Importance.MEDIUM,
        "What a record without a value (a tombstone) does: fail stops the task; ignore leaves it out, and its offset "
            + "counts as skipped; dead-letter sends it to the dead letter topic; write makes it a row, for which all rows get "
            + "columns of the key and one that says whether the record deletes it (columns.key.format).");
    keys.add(
        ConnectorConfig.DEAD_LETTERS_IN_FLIGHT,
        ConfigDef.Type.INT,
        1_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Dead letters of a task that Kafka may not have acknowledged yet. When so many are on their way, the task takes "
            + "no records until half of them have arrived.");
    keys.add(
        ConnectorConfig.DEAD_LETTER_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        120_000L,
        Range.between(1_000, 86_400_000),
        Importance.LOW,
        "The longest that Kafka may take to acknowledge a dead letter, in milliseconds. Then the task stops, with nothing "
            + "of the record's batch committed.");
  }
}
