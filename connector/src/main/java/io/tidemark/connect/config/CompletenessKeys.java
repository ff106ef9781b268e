package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of completeness: whether and when the connector reports that data is complete. */
final class CompletenessKeys {
  private static final long DAY_MS = 86_400_000;

  private CompletenessKeys() {}

  static void define(ConfigGroups keys) {
    keys.group("Completeness");
    keys.add(
        ConnectorConfig.COMPLETENESS_ENABLED,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.HIGH,
        "Whether the connector keeps a ledger, which records up to which time each table is "
            + "complete. docs/COMPLETENESS.md describes it.");
    keys.add(
        ConnectorConfig.LEDGER_DIR,
        ConfigDef.Type.STRING,
        "ledger",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "Directory of the ledgers, relative to the root of the store. It must be separate from "
            + "topics.dir and logs.dir. Connectors whose tables are in one group need the same.");
    keys.add(
        ConnectorConfig.COMPLETENESS_INTERVAL_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(1_000, DAY_MS),
        Importance.MEDIUM,
        "Interval of the instants through which a table can be complete, in milliseconds: the "
            + "completeness of a table advances in steps of this length. The ends of Hive "
            + "partitions are such instants as well.");
    keys.add(
        ConnectorConfig.COMPLETENESS_LATENESS_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(0, 30 * DAY_MS),
        Importance.HIGH,
        "Time from each such instant until the connector requests Kafka's end offsets, in "
            + "milliseconds. Records that reach Kafka within this time count. Later records land "
            + "as well, and are listed as late. Choose more than the time for which the producers "
            + "retry.");
    keys.add(
        ConnectorConfig.COMPLETENESS_IDLE,
        ConfigDef.Type.STRING,
        "advance",
        ValidString.in("advance", "hold"),
        Importance.MEDIUM,
        "Handling of a topic-partition without new records. advance: its table can be complete. "
            + "hold: the table waits until each topic-partition has landed a record of the instant "
            + "or later; use it if producers may be disconnected.");
    keys.add(
        ConnectorConfig.COMPLETENESS_FLUSH,
        ConfigDef.Type.STRING,
        "partition-end",
        ValidString.in("partition-end", "none"),
        Importance.MEDIUM,
        "Additional flush for completeness. partition-end: a task flushes 5 s after the end of a "
            + "Hive partition plus completeness.lateness.ms, so that the Hive partition is soon "
            + "complete. none: a task flushes only by batch.records, batch.bytes and "
            + "batch.interval.ms.");
    keys.add(
        ConnectorConfig.COMPLETENESS_TAIL_INTERVAL_MS,
        ConfigDef.Type.LONG,
        60_000L,
        Range.between(1_000, DAY_MS),
        Importance.LOW,
        "Interval at which a task checks with Kafka whether the offsets after the last record are "
            + "only such that are never delivered, for example transaction markers, in "
            + "milliseconds.");
    keys.add(
        ConnectorConfig.COMPLETENESS_HOLD_ON,
        ConfigDef.Type.LIST,
        "lost,deleted,unseen",
        ConfigDef.ValidList.in("lost", "deleted", "unseen", "dead-lettered"),
        Importance.MEDIUM,
        "Kinds of offsets that keep a table from being complete until an operator acknowledges "
            + "them. lost: Kafka deleted the records before they landed. deleted: the records were "
            + "deleted with their topic. unseen: the records landed in a Hive partition that has "
            + "another location in Hive. dead-lettered: the records are dead letters.");
    keys.add(
        ConnectorConfig.COMPLETENESS_SUCCESS_FILE,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.MEDIUM,
        "Whether a complete Hive partition gets a file _SUCCESS. It contains a manifest, which "
            + "lists the numbers of records and files and the offsets by class.");
    keys.add(
        ConnectorConfig.COMPLETENESS_GROUPS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "Groups of tables that are complete together, separated by ';'. Example: "
            + "sales=default.orders,default.payments@payments. Here the second table belongs to "
            + "another connector, with the log payments.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCHES_TOPIC,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.TOPIC_OR_EMPTY,
        Importance.MEDIUM,
        "Topic on which producers announce how many records a batch has; empty if they announce "
            + "none. docs/COMPLETENESS.md, \"Announced batches\", has the form of announcements.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCH_HEADER,
        ConfigDef.Type.STRING,
        "tidemark.batch",
        ConfigForms.NOT_BLANK,
        Importance.LOW,
        "Header of a record that has the id of its announced batch, in UTF-8 and at most 64 bytes.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCHES_EXPIRE_DAYS,
        ConfigDef.Type.INT,
        7,
        Range.between(1, 365),
        Importance.LOW,
        "Days after which the ledger deletes an announced batch, or the count of a batch that is "
            + "not announced.");
    keys.add(
        ConnectorConfig.COMPLETENESS_HIVE_DATABASE,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.HIVE_NAME_OR_EMPTY,
        Importance.LOW,
        "Hive database of the ledger's tables; by default hive.database.");
    keys.add(
        ConnectorConfig.COMPLETENESS_REVISION_INTERVAL_MS,
        ConfigDef.Type.LONG,
        3_600_000L,
        Range.between(1_000, 30 * DAY_MS),
        Importance.LOW,
        "Minimum time between two completions of one Hive partition, in milliseconds. A completion "
            + "is the recorded statement that the Hive partition is complete; a later one also "
            + "counts the records that came late.");
    keys.add(
        ConnectorConfig.COMPLETENESS_CLOCK_SKEW_MS,
        ConfigDef.Type.LONG,
        60_000L,
        Range.between(1_000, DAY_MS),
        Importance.LOW,
        "Maximum difference between the worker's clock and the store's, in milliseconds. While the "
            + "difference is larger, completeness does not advance.");
    keys.add(
        ConnectorConfig.COMPLETENESS_EMPTY_PARTITIONS,
        ConfigDef.Type.BOOLEAN,
        false,
        null,
        Importance.LOW,
        "Whether a Hive partition that is complete without a record is created: its directory, its "
            + "_SUCCESS and its entry in Hive. Only for tables partitioned by time, and only after "
            + "their first complete Hive partition.");
    keys.add(
        ConnectorConfig.COMPLETENESS_EVENTS_TOPIC,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.TOPIC_OR_EMPTY,
        Importance.LOW,
        "Topic that gets an event for each batch and each completion; by default none. The topic "
            + "must exist, and the connector must not use it for anything else. "
            + "docs/COMPLETENESS.md has the schema.");
    keys.add(
        ConnectorConfig.LEDGER_BATCHES_RETENTION_DAYS,
        ConfigDef.Type.INT,
        90,
        Range.between(1, 36_500),
        Importance.LOW,
        "Days for which rows of tidemark_batches are kept, and events that cannot be sent.");
    keys.add(
        ConnectorConfig.WORKER_ISOLATION_LEVEL,
        ConfigDef.Type.STRING,
        "",
        ValidString.in("", "read_uncommitted", "read_committed"),
        Importance.LOW,
        "Value of isolation.level of the workers' consumers, if consumer.override.isolation.level "
            + "is not permitted. With read_committed the connector expects no records of aborted "
            + "transactions.");
  }
}
