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
        "Whether the connector keeps a ledger, which records the time through which each table is "
            + "complete. docs/COMPLETENESS.md describes it.");
    keys.add(
        ConnectorConfig.LEDGER_DIR,
        ConfigDef.Type.STRING,
        "ledger",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "Directory of the ledgers, relative to the root of the store. It must be separate from "
            + "topics.dir and logs.dir. Connectors whose tables are in one group need the same "
            + "ledger.dir.");
    keys.add(
        ConnectorConfig.COMPLETENESS_INTERVAL_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(1_000, DAY_MS),
        Importance.MEDIUM,
        "Step, in milliseconds, by which the time through which a table is complete advances. The "
            + "end of each Hive partition is such a step as well.");
    keys.add(
        ConnectorConfig.COMPLETENESS_LATENESS_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(0, 30 * DAY_MS),
        Importance.HIGH,
        "Time from the end of each step until the connector requests Kafka's end offsets, in "
            + "milliseconds. Records that reach Kafka within this time are on time. Later records "
            + "land as well, and are listed as late. Choose a longer time than that for which the "
            + "producers retry (delivery.timeout.ms).");
    keys.add(
        ConnectorConfig.COMPLETENESS_IDLE,
        ConfigDef.Type.STRING,
        "advance",
        ValidString.in("advance", "hold"),
        Importance.MEDIUM,
        "Handling of a topic-partition without new records. advance: it does not delay "
            + "completeness. hold: a table is complete through a time only when each of its "
            + "topic-partitions has landed a record of this time or a later one. Choose this if "
            + "producers may be disconnected.");
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
        "Interval, in milliseconds, at which a task checks the ends of its topic-partitions. If "
            + "only offsets without a record follow the last record, for example transaction "
            + "markers, the log's next offset moves past them.");
    keys.add(
        ConnectorConfig.COMPLETENESS_HOLD_ON,
        ConfigDef.Type.LIST,
        "lost,deleted,unseen",
        ConfigDef.ValidList.in("lost", "deleted", "unseen", "dead-lettered"),
        Importance.MEDIUM,
        "Kinds of offsets that keep a table from being complete until an operator acknowledges "
            + "them. lost: Kafka deleted the records before they landed. deleted: the records were "
            + "deleted with their topic. unseen: the records landed in a Hive partition that has "
            + "another location in Hive. dead-lettered: the records are dead letters. Validation "
            + "rejects dead-lettered together with errors.tolerance=all and a transform: the "
            + "worker then drops the records on which the transform fails.");
    keys.add(
        ConnectorConfig.COMPLETENESS_SUCCESS_FILE,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.MEDIUM,
        "Whether a complete Hive partition gets a file _SUCCESS. It contains a manifest: the "
            + "numbers of records and files, and the number of offsets in each class (landed, "
            + "dead-lettered, skipped, not delivered, lost).");
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
        "Name of the record header that contains the id of the announced batch, in UTF-8 and at "
            + "most 64 bytes.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCHES_EXPIRE_DAYS,
        ConfigDef.Type.INT,
        7,
        Range.between(1, 365),
        Importance.LOW,
        "Days from the announcement of a batch until the ledger deletes the batch. The count of a "
            + "batch that is not announced is deleted this many days after its last record. The "
            + "connector ignores an announcement that is older than this number of days when the "
            + "connector reads it.");
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
            + "is the ledger's statement that the Hive partition is complete. A later completion "
            + "also counts the late records.");
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
        "Whether the connector creates a Hive partition for a complete span of time without "
            + "records: the directory, its _SUCCESS and its entry in Hive. This applies only to "
            + "tables that are partitioned by time, after the first complete Hive partition of the "
            + "table.");
    keys.add(
        ConnectorConfig.COMPLETENESS_EVENTS_TOPIC,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.TOPIC_OR_EMPTY,
        Importance.LOW,
        "Topic that gets an event for each batch and each completion; by default none. The topic "
            + "must exist, and the connector must not use it for anything else. "
            + "docs/COMPLETENESS.md lists the fields of events.");
    keys.add(
        ConnectorConfig.LEDGER_BATCHES_RETENTION_DAYS,
        ConfigDef.Type.INT,
        90,
        Range.between(1, 36_500),
        Importance.LOW,
        "Number of days for which rows of tidemark_batches and unsent events are kept.");
    keys.add(
        ConnectorConfig.WORKER_ISOLATION_LEVEL,
        ConfigDef.Type.STRING,
        "",
        ValidString.in("", "read_uncommitted", "read_committed"),
        Importance.LOW,
        "The isolation.level of the workers' consumers. Set this key if the worker does not permit "
            + "consumer.override.isolation.level. This key does not configure the consumers. Set "
            + "it to the same value as consumer.isolation.level in the worker's properties. With "
            + "read_uncommitted the records of aborted transactions land. Empty: not set.");
  }
}
