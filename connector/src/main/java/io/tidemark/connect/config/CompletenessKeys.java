package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of completeness: what the connector says about what has arrived, and when. */
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
        "Whether the connector keeps a ledger of what is complete, described in docs/COMPLETENESS.md.");
    keys.add(
        ConnectorConfig.LEDGER_DIR,
        ConfigDef.Type.STRING,
        "ledger",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "The directory in the store below which ledgers are kept, apart from topics.dir and logs.dir. Connectors whose "
            + "tables are in one group need the same.");
    keys.add(
        ConnectorConfig.COMPLETENESS_INTERVAL_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(1_000, DAY_MS),
        Importance.MEDIUM,
        "The time between two instants through which a table can be complete, in milliseconds. The ends of Hive "
            + "partitions are such instants as well.");
    keys.add(
        ConnectorConfig.COMPLETENESS_LATENESS_MS,
        ConfigDef.Type.LONG,
        300_000L,
        Range.between(0, 30 * DAY_MS),
        Importance.HIGH,
        "How long after such an instant Kafka is asked for its end offsets, in milliseconds. Records that reach Kafka "
            + "within this time count; later ones land all the same, and are listed as late. Take more than the producers "
            + "retry for.");
    keys.add(
        ConnectorConfig.COMPLETENESS_IDLE,
        ConfigDef.Type.STRING,
        "advance",
        ValidString.in("advance", "hold"),
        Importance.MEDIUM,
        "What a topic-partition without new records does: advance lets its table be complete; hold waits until each "
            + "topic-partition has landed a record of the instant or later, for producers that may be cut off.");
    keys.add(
        ConnectorConfig.COMPLETENESS_FLUSH,
        ConfigDef.Type.STRING,
        "partition-end",
        ValidString.in("partition-end", "none"),
        Importance.MEDIUM,
        "Whether a task flushes when a Hive partition has ended (partition-end: end, lateness and 5 s), so that it is soon "
            + "complete, or only by batch.records, batch.bytes and batch.interval.ms (none).");
    keys.add(
        ConnectorConfig.COMPLETENESS_TAIL_INTERVAL_MS,
        ConfigDef.Type.LONG,
        60_000L,
        Range.between(1_000, DAY_MS),
        Importance.LOW,
        "How often a task asks Kafka whether what follows the last record is only what is never delivered, such as "
            + "markers of transactions, in milliseconds.");
    keys.add(
        ConnectorConfig.COMPLETENESS_HOLD_ON,
        ConfigDef.Type.LIST,
        "lost,deleted,unseen",
        ConfigDef.ValidList.in("lost", "deleted", "unseen", "dead-lettered"),
        Importance.MEDIUM,
        "The kinds of offsets that keep a table from being complete until an operator acknowledges them: lost (Kafka "
            + "removed them before they landed), deleted (with their topic), unseen (landed in a Hive partition that stands "
            + "elsewhere in Hive), dead-lettered.");
    keys.add(
        ConnectorConfig.COMPLETENESS_SUCCESS_FILE,
        ConfigDef.Type.BOOLEAN,
        true,
        null,
        Importance.MEDIUM,
        "Whether a complete Hive partition gets a file _SUCCESS with its manifest.");
    keys.add(
        ConnectorConfig.COMPLETENESS_GROUPS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "Groups of tables that are complete together, separated by ';'. Example: "
            + "sales=default.orders,default.payments@payments, where the second table is the log payments' of another "
            + "connector.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCHES_TOPIC,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.TOPIC_OR_EMPTY,
        Importance.MEDIUM,
        "The topic on which producers announce how many records a batch has; empty where they announce none. "
            + "docs/COMPLETENESS.md, \"Announced batches\", shows what they send.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCH_HEADER,
        ConfigDef.Type.STRING,
        "tidemark.batch",
        ConfigForms.NOT_BLANK,
        Importance.LOW,
        "The header of a record that has the id of its batch, in UTF-8 and at most 64 bytes.");
    keys.add(
        ConnectorConfig.COMPLETENESS_BATCHES_EXPIRE_DAYS,
        ConfigDef.Type.INT,
        7,
        Range.between(1, 365),
        Importance.LOW,
        "How many days an announced batch is remembered, and the count of one that is not announced.");
    keys.add(
        ConnectorConfig.COMPLETENESS_HIVE_DATABASE,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.HIVE_NAME_OR_EMPTY,
        Importance.LOW,
        "The Hive database of the ledger's tables, by default hive.database.");
    keys.add(
        ConnectorConfig.COMPLETENESS_REVISION_INTERVAL_MS,
        ConfigDef.Type.LONG,
        3_600_000L,
        Range.between(1_000, 30 * DAY_MS),
        Importance.LOW,
        "The least time between two completions of one Hive partition, in milliseconds: records that came late are "
            + "counted by a later completion.");
    keys.add(
        ConnectorConfig.COMPLETENESS_CLOCK_SKEW_MS,
        ConfigDef.Type.LONG,
        60_000L,
        Range.between(1_000, DAY_MS),
        Importance.LOW,
        "How far the worker's clock and the store's may be apart, in milliseconds. Beyond it nothing is called complete "
            + "until they agree.");
    keys.add(
        ConnectorConfig.COMPLETENESS_EMPTY_PARTITIONS,
        ConfigDef.Type.BOOLEAN,
        false,
        null,
        Importance.LOW,
        "Whether a Hive partition that is complete without a record is made: its directory, _SUCCESS and its place in Hive. "
            + "For tables by time, from when their first Hive partition is complete.");
    keys.add(
        ConnectorConfig.COMPLETENESS_EVENTS_TOPIC,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.TOPIC_OR_EMPTY,
        Importance.LOW,
        "The topic that gets an event for each batch and each completion, by default none. It must exist, and be none of "
            + "the connector's own. docs/COMPLETENESS.md has the schema.");
    keys.add(
        ConnectorConfig.LEDGER_BATCHES_RETENTION_DAYS,
        ConfigDef.Type.INT,
        90,
        Range.between(1, 36_500),
        Importance.LOW,
        "How many days the rows of tidemark_batches stay, and events that cannot be sent.");
    keys.add(
        ConnectorConfig.WORKER_ISOLATION_LEVEL,
        ConfigDef.Type.STRING,
        "",
        ValidString.in("", "read_uncommitted", "read_committed"),
        Importance.LOW,
        "What isolation.level the workers' consumers have, where consumer.override.isolation.level may not be set. "
            + "With read_committed the records of aborted transactions are known not to come.");
  }
}
