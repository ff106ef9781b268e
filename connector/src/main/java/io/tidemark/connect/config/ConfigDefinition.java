package io.tidemark.connect.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LIST;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.PASSWORD;

import io.tidemark.avro.file.BlockCodec;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ValidList;

/**
 * Defines every key with its default and its bounds, in the groups of CONFIG.md. Their descriptions
 * are in {@code keys.txt}.
 */
final class ConfigDefinition {
  private static final long DAY_MS = 86_400_000;

  private ConfigDefinition() {}

  static ConfigDef definition() {
    var keys = new ConfigGroups();
    services(keys);
    tables(keys);
    task(keys);
    completeness(keys);
    return keys.definition().defineInternal(ConnectorConfig.TASK_ID, INT, 0, LOW);
  }

  private static void services(ConfigGroups keys) {
    keys.group("Store");
    keys.required(ConnectorConfig.STORE_URL, null);
    keys.text(ConnectorConfig.HADOOP_CONF_DIR, "", MEDIUM);
    keys.text(ConnectorConfig.TOPICS_DIR, "topics", ConfigForms.RELATIVE_PATH, MEDIUM);
    keys.text(ConnectorConfig.LOGS_DIR, "logs", ConfigForms.RELATIVE_PATH, MEDIUM);
    keys.text(ConnectorConfig.LOG_ID, "", ConfigForms.LOG_ID_FORM, LOW);
    keys.count(ConnectorConfig.LOG_RETAINED_ENTRIES, 100, 1, 10_000, LOW);
    keys.text(ConnectorConfig.OPERATOR_CONSENT, "", ConfigForms.UUIDS, LOW);
    keys.count(ConnectorConfig.OFFSET_DIGITS, 10, 1, 19, LOW);

    keys.group("Kafka");
    keys.required(ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS, ConfigForms.NOT_BLANK);
    keys.number(ConnectorConfig.CLUSTER_CHECK_TIMEOUT_MS, 120_000, 1_000, 3_600_000, LOW);

    keys.group("Schema registry");
    keys.required(ConnectorConfig.REGISTRY_URL, ConfigForms.NOT_BLANK);
    keys.text(ConnectorConfig.REGISTRY_API, "confluent", MEDIUM);
    keys.text(ConnectorConfig.REGISTRY_ID_FORMAT, "", MEDIUM);
    keys.text(ConnectorConfig.REGISTRY_SUBJECT_TEMPLATE, "", LOW);
    keys.text(ConnectorConfig.REGISTRY_SUBJECTS, "", LOW);
    keys.text(ConnectorConfig.REGISTRY_CACHE_FILE, "", LOW);
    keys.choice(ConnectorConfig.REGISTRY_CREDENTIALS_SOURCE, "URL", MEDIUM, "URL", "USER_INFO");
    keys.add(ConnectorConfig.REGISTRY_USER_INFO, PASSWORD, "", null, MEDIUM);
    keys.number(ConnectorConfig.REGISTRY_REQUEST_TIMEOUT_MS, 10_000, 100, 600_000, LOW);
    keys.count(ConnectorConfig.REGISTRY_CACHE_SIZE, 1_000, 1, 1_000_000, LOW);
    keys.number(ConnectorConfig.REGISTRY_NOT_FOUND_TTL_MS, 30_000, 0, 3_600_000, LOW);
  }

  private static void tables(ConfigGroups keys) {
    keys.group("Batches");
    keys.number(ConnectorConfig.BATCH_RECORDS, 1_000_000, 1, 1_000_000_000, HIGH);
    keys.number(ConnectorConfig.BATCH_BYTES, 4L << 30, 1, Long.MAX_VALUE, MEDIUM);
    keys.count(ConnectorConfig.BATCH_OFFSET_RANGES, 50_000, 1, 200_000, LOW);
    keys.number(ConnectorConfig.BATCH_INTERVAL_MS, 600_000, 100, 86_400_000, HIGH);
    keys.number(ConnectorConfig.ROTATE_SCHEDULE_INTERVAL_MS, -1, -1, 86_400_000, LOW);

    keys.group("Files");
    keys.number(ConnectorConfig.FLUSH_SIZE, 0, 0, 1_000_000_000, MEDIUM);
    keys.number(ConnectorConfig.ROTATE_INTERVAL_MS, -1, -1, Long.MAX_VALUE, LOW);
    keys.number(ConnectorConfig.FILE_SIZE_BYTES, 0, 0, Long.MAX_VALUE, MEDIUM);
    keys.choice(
        ConnectorConfig.AVRO_CODEC,
        ConnectorConfig.DEFAULT_CODEC,
        MEDIUM,
        BlockCodec.NAMES.toArray(String[]::new));
    keys.add(ConnectorConfig.AVRO_CODEC_LEVEL, INT, null, null, LOW);
    keys.count(ConnectorConfig.AVRO_BLOCK_SIZE_BYTES, 64 << 10, 1 << 10, 64 << 20, LOW);

    keys.group("Hive partitions");
    keys.text(ConnectorConfig.PARTITIONER_CLASS, "Unpartitioned", ConfigForms.PARTITIONER, MEDIUM);
    keys.text(ConnectorConfig.PARTITION_FIELD_NAME, "", MEDIUM);
    keys.count(ConnectorConfig.BATCH_HIVE_PARTITIONS, 5_000, 1, 1_000_000, LOW);
    keys.text(ConnectorConfig.PATH_FORMAT, "", MEDIUM);
    keys.add(ConnectorConfig.PARTITION_DURATION_MS, LONG, -1L, null, MEDIUM);
    keys.text(ConnectorConfig.LOCALE, "en-US", LOW);
    keys.text(ConnectorConfig.TIMEZONE, "UTC", MEDIUM);
    keys.text(
        ConnectorConfig.TIMESTAMP_EXTRACTOR, "Record", ConfigForms.TIMESTAMP_EXTRACTOR, MEDIUM);
    keys.text(ConnectorConfig.TIMESTAMP_FIELD, "timestamp", ConfigForms.NOT_BLANK, MEDIUM);

    keys.group("Columns of Kafka");
    keys.text(ConnectorConfig.COLUMNS_KAFKA, "", ConfigForms.KAFKA_COLUMNS, LOW);
    keys.text(ConnectorConfig.COLUMNS_KAFKA_PREFIX, "kafka_", ConfigForms.COLUMN_PREFIX, LOW);
    keys.choice(ConnectorConfig.COLUMNS_KEY_FORMAT, "avro", LOW, "avro", "string");

    keys.group("Routing");
    keys.text(ConnectorConfig.TOPIC_MAP, "", ConfigForms.NAME_MAP, MEDIUM);
    keys.text(ConnectorConfig.TOPIC_CAPTURES, "", ConfigForms.REGEX, MEDIUM);
    keys.text(ConnectorConfig.RECORD_MAP, "", ConfigForms.NAME_MAP, MEDIUM);
    keys.text(ConnectorConfig.FIELD_NAME, "", MEDIUM);
    keys.text(ConnectorConfig.FIELD_MAP, "", ConfigForms.NAME_MAP, MEDIUM);
    keys.choice(ConnectorConfig.UNROUTED, "fail", MEDIUM, "fail", "dead-letter");

    keys.group("Hive");
    keys.flag(ConnectorConfig.HIVE_INTEGRATION, false, HIGH);
    keys.text(ConnectorConfig.HIVE_METASTORE_URIS, "", HIGH);
    keys.text(ConnectorConfig.HIVE_DATABASE, "default", ConfigForms.HIVE_DATABASE, MEDIUM);
    keys.text(ConnectorConfig.HIVE_TABLE_NAME, "${topic}", ConfigForms.NOT_BLANK, MEDIUM);
    keys.text(ConnectorConfig.HIVE_TABLE_LOCATION, "", ConfigForms.LOCATION_OR_EMPTY, MEDIUM);
    keys.text(ConnectorConfig.HIVE_TABLE_PROPERTIES, "", ConfigForms.HIVE_TABLE_PROPERTIES, LOW);
    keys.count(ConnectorConfig.HIVE_REGISTRATION_BACKLOG, 10_000, 1, 1_000_000, LOW);
  }

  private static void task(ConfigGroups keys) {
    keys.group("Limits");
    keys.number(ConnectorConfig.RATE_RECORDS_PER_SECOND, 0, 0, 1_000_000_000, LOW);
    keys.number(ConnectorConfig.MEMORY_BYTES, 256L << 20, 1 << 20, Long.MAX_VALUE, MEDIUM);
    keys.count(
        ConnectorConfig.STAGING_THREADS,
        Math.min(4, Runtime.getRuntime().availableProcessors()),
        1,
        256,
        MEDIUM);
    keys.count(ConnectorConfig.STORAGE_THREADS, 8, 1, 256, LOW);
    keys.count(ConnectorConfig.STORAGE_OPEN_FILES, 64, 1, 10_000, LOW);
    keys.count(ConnectorConfig.COMMIT_THREADS, 8, 1, 256, LOW);
    keys.number(ConnectorConfig.RETRY_BACKOFF_MS, 5_000, 10, 600_000, LOW);
    keys.choice(ConnectorConfig.ON_REFUSAL, "hold-topic", MEDIUM, "hold-topic", "stop-task");
    keys.number(ConnectorConfig.REFUSAL_DEADLINE_MS, 0, 0, 604_800_000, LOW);
    keys.number(ConnectorConfig.SHUTDOWN_TIMEOUT_MS, 3_000, 0, 240_000, LOW);

    keys.group("Validation");
    keys.flag(ConnectorConfig.VALIDATION_CONNECT, true, LOW);

    keys.group("Bad records");
    keys.choice(
        ConnectorConfig.NULL_VALUES, "fail", MEDIUM, "fail", "ignore", "dead-letter", "write");
    keys.count(ConnectorConfig.DEAD_LETTERS_IN_FLIGHT, 1_000, 1, 1_000_000, LOW);
    keys.number(ConnectorConfig.DEAD_LETTER_TIMEOUT_MS, 120_000, 1_000, 86_400_000, LOW);
  }

  private static void completeness(ConfigGroups keys) {
    keys.group("Completeness");
    keys.flag(ConnectorConfig.COMPLETENESS_ENABLED, true, HIGH);
    keys.text(ConnectorConfig.LEDGER_DIR, "ledger", ConfigForms.RELATIVE_PATH, MEDIUM);
    keys.number(ConnectorConfig.COMPLETENESS_INTERVAL_MS, 300_000, 1_000, DAY_MS, MEDIUM);
    keys.number(ConnectorConfig.COMPLETENESS_LATENESS_MS, 300_000, 0, 30 * DAY_MS, HIGH);
    keys.choice(ConnectorConfig.COMPLETENESS_IDLE, "advance", MEDIUM, "advance", "hold");
    keys.choice(
        ConnectorConfig.COMPLETENESS_FLUSH, "partition-end", MEDIUM, "partition-end", "none");
    keys.number(ConnectorConfig.COMPLETENESS_END_CHECK_INTERVAL_MS, 60_000, 1_000, DAY_MS, LOW);
    keys.add(
        ConnectorConfig.COMPLETENESS_HOLD_ON,
        LIST,
        "lost,deleted,unseen",
        ValidList.in("lost", "deleted", "unseen", "dead-lettered"),
        MEDIUM);
    keys.flag(ConnectorConfig.COMPLETENESS_SUCCESS_FILE, true, MEDIUM);
    keys.text(ConnectorConfig.COMPLETENESS_GROUPS, "", MEDIUM);
    keys.text(ConnectorConfig.COMPLETENESS_BATCHES_TOPIC, "", ConfigForms.TOPIC_OR_EMPTY, MEDIUM);
    keys.text(
        ConnectorConfig.COMPLETENESS_BATCH_HEADER, "tidemark.batch", ConfigForms.NOT_BLANK, LOW);
    keys.count(ConnectorConfig.COMPLETENESS_BATCHES_EXPIRE_DAYS, 7, 1, 365, LOW);
    keys.text(ConnectorConfig.COMPLETENESS_HIVE_DATABASE, "", ConfigForms.HIVE_NAME_OR_EMPTY, LOW);
    keys.number(
        ConnectorConfig.COMPLETENESS_REVISION_INTERVAL_MS, 3_600_000, 1_000, 30 * DAY_MS, LOW);
    keys.number(ConnectorConfig.COMPLETENESS_CLOCK_SKEW_MS, 60_000, 1_000, DAY_MS, LOW);
    keys.flag(ConnectorConfig.COMPLETENESS_EMPTY_PARTITIONS, false, LOW);
    keys.text(ConnectorConfig.COMPLETENESS_EVENTS_TOPIC, "", ConfigForms.TOPIC_OR_EMPTY, LOW);
    keys.count(ConnectorConfig.LEDGER_BATCHES_RETENTION_DAYS, 90, 1, 36_500, LOW);
    keys.choice(
        ConnectorConfig.WORKER_ISOLATION_LEVEL, "", LOW, "", "read_uncommitted", "read_committed");
  }
}
