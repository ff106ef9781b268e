package io.tidemark.connect.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import io.tidemark.avro.file.BlockCodec;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * Every key with its default, its bounds and its text, in the groups in which they are shown. It is
 * long because it is a list, which is read and searched best in one place.
 */
final class ConfigDefinition {
  private ConfigDefinition() {}

  static ConfigDef definition() {
    var keys = new ConfigGroups();
    keys.group("Store");
    keys.add(
        ConnectorConfig.STORE_URL,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        null,
        Importance.HIGH,
        "Where tables and logs are kept: hdfs://host:port, hdfs://nameservice, or file:///directory on a single machine. "
            + "No other store is supported: the commit log needs a rename that is atomic and never replaces. Alias: hdfs.url.");
    keys.add(
        ConnectorConfig.HADOOP_CONF_DIR,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "A directory with core-site.xml and hdfs-site.xml for the HDFS client, on every worker.");
    keys.add(
        ConnectorConfig.TOPICS_DIR,
        ConfigDef.Type.STRING,
        "topics",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "The directory in the store below which every table has its root, named after the topic.");
    keys.add(
        ConnectorConfig.LOGS_DIR,
        ConfigDef.Type.STRING,
        "logs",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "The directory in the store below which commit logs are kept.");
    keys.add(
        ConnectorConfig.LOG_ID,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.LOG_ID_FORM,
        Importance.LOW,
        "The name of this connector's log, by default the connector's name. It decides what has landed: under another "
            + "name everything is landed again.");
    keys.add(
        ConnectorConfig.LOG_RETAINED_ENTRIES,
        ConfigDef.Type.INT,
        100,
        Range.between(1, 10_000),
        Importance.LOW,
        "How many of the last entries of a topic-partition's log stay. When there are twice as many, the older ones are "
            + "folded into a checkpoint.");
    keys.add(
        ConnectorConfig.OPERATOR_CONSENT,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.UUIDS,
        Importance.LOW,
        "The steps that an operator has agreed to: the UUIDs, separated by commas, that the errors about them print. Such a "
            + "step may double records, leave them out, or keep them out of Hive; its error says which. A UUID names one "
            + "situation of one log and agrees to nothing else, so it may stay here.");
    keys.add(
        ConnectorConfig.OFFSET_DIGITS,
        ConfigDef.Type.INT,
        10,
        Range.between(1, 19),
        Importance.LOW,
        "The least digits of an offset in a file's name.");

    keys.group("Kafka");
    keys.add(
        ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        ConfigForms.NOT_BLANK,
        Importance.HIGH,
        "The brokers of the cluster that the topics are in, for a client of the task's own: it asks for the ids of topics, "
            + "their first and last offsets, where a leader epoch ended, and where the consumer group stands (ACL: DESCRIBE on "
            + "the topics, the cluster and the group). They must be those of the worker's consumer. Other client settings can be "
            + "given with the prefix kafka., such as kafka.security.protocol.");
    keys.add(
        ConnectorConfig.CLUSTER_PROOF_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        120_000L,
        Range.between(1_000, 3_600_000),
        Importance.LOW,
        "How long a claim waits until the consumer group of kafka.bootstrap.servers shows what the worker's consumer has "
            + "committed, in milliseconds. Then the task stops: the two speak to different clusters.");

    keys.group("Schema registry");
    keys.add(
        ConnectorConfig.REGISTRY_URL,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        ConfigForms.NOT_BLANK,
        Importance.HIGH,
        "URLs of the registry, separated by commas; the next one is tried when one does not answer. More keys of its client, as "
            + "for OAuth, TLS and a proxy, are in REGISTRY.md.");
    keys.add(
        ConnectorConfig.REGISTRY_API,
        ConfigDef.Type.STRING,
        "confluent",
        null,
        Importance.MEDIUM,
        "The API that the registry speaks: confluent, or avro-1124 (schema-repo).");
    keys.add(
        ConnectorConfig.REGISTRY_ID_FORMAT,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "How the schema id stands with a record: confluent (in front of the value, or in the header __value_schema_id, which "
            + "needs header.converter to be the ByteArrayConverter); subject-int32, subject-uint16-text or "
            + "subject-varint-text (ids of avro-1124); single-object (Avro's fingerprint). By default confluent, or "
            + "subject-int32 with avro-1124.");
    keys.add(
        ConnectorConfig.REGISTRY_SUBJECT_TEMPLATE,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "The subject of a topic's ids in a registry of avro-1124, with ${topic} for the topic; by default ${topic}.");
    keys.add(
        ConnectorConfig.REGISTRY_SUBJECTS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "The subjects, separated by commas, whose schemas are known by their fingerprints, for single-object.");
    keys.add(
        ConnectorConfig.REGISTRY_CACHE_FILE,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "A file on each worker in which the schemas are kept, so that a worker starts while the registry is away; one for each "
            + "registry.");
    keys.add(
        ConnectorConfig.REGISTRY_CREDENTIALS_SOURCE,
        ConfigDef.Type.STRING,
        "URL",
        ValidString.in("URL", "USER_INFO"),
        Importance.MEDIUM,
        "Where the registry's user and password come from: URL (http://user:password@host) or USER_INFO.");
    keys.add(
        ConnectorConfig.REGISTRY_USER_INFO,
        ConfigDef.Type.PASSWORD,
        "",
        null,
        Importance.MEDIUM,
        "user:password for the registry, with basic.auth.credentials.source=USER_INFO.");
    keys.add(
        ConnectorConfig.REGISTRY_REQUEST_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        10_000L,
        Range.between(100, 600_000),
        Importance.LOW,
        "The longest that one request to the registry may take, in milliseconds.");
    keys.add(
        ConnectorConfig.REGISTRY_CACHE_SIZE,
        ConfigDef.Type.INT,
        1_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "The most schemas that a worker keeps of a registry, and the most bindings that a task keeps of a topic.");
    keys.add(
        ConnectorConfig.REGISTRY_NOT_FOUND_TTL_MS,
        ConfigDef.Type.LONG,
        30_000L,
        Range.between(0, 3_600_000),
        Importance.LOW,
        "For how long an unknown schema id is not asked for again, in milliseconds.");

    keys.group("Batches");
    keys.add(
        ConnectorConfig.BATCH_RECORDS,
        ConfigDef.Type.LONG,
        1_000_000L,
        Range.between(1, 1_000_000_000),
        Importance.HIGH,
        "Records of a flush, over all topic-partitions of a task. Each topic-partition's part of it is one batch.");
    keys.add(
        ConnectorConfig.BATCH_BYTES,
        ConfigDef.Type.LONG,
        4L << 30,
        Range.between(1, Long.MAX_VALUE),
        Importance.MEDIUM,
        "Bytes of a flush, as Kafka delivers them (uncompressed values).");
    keys.add(
        ConnectorConfig.BATCH_OFFSET_RANGES,
        ConfigDef.Type.INT,
        50_000,
        Range.between(1, 200_000),
        Importance.LOW,
        "Ranges of offsets in a batch that do not land, each listed in its log entry: gaps of transactions and of "
            + "compaction, tombstones that are left out, and dead letters. With so many the task flushes, which bounds "
            + "the entry to about a megabyte.");
    keys.add(
        ConnectorConfig.BATCH_INTERVAL_MS,
        ConfigDef.Type.LONG,
        600_000L,
        Range.between(100, 86_400_000),
        Importance.HIGH,
        "The longest that a record waits for its flush, in milliseconds since it came, whatever its own"
            + " timestamp says and however the clock is set.");

    keys.group("Files");
    keys.add(
        ConnectorConfig.AVRO_CODEC,
        ConfigDef.Type.STRING,
        ConnectorConfig.DEFAULT_CODEC,
        ValidString.in(BlockCodec.NAMES.toArray(String[]::new)),
        Importance.MEDIUM,
        "The codec of Avro files. Readers need Avro 1.9 or newer for zstandard, and org.tukaani:xz on their class path for "
            + "xz; Hive 4.0.1 reads all others as it is.");
    keys.add(
        ConnectorConfig.AVRO_CODEC_LEVEL,
        ConfigDef.Type.INT,
        null,
        null,
        Importance.LOW,
        "The codec's level: deflate 0 to 9 or -1 (6), zstandard -131072 to 22, bzip2 1 to 9, xz 0 to 9; a higher one "
            + "makes smaller files for more CPU. By default deflate -1, zstandard 3, bzip2 9, xz 6. null and snappy have "
            + "none.");
    keys.add(
        ConnectorConfig.AVRO_BLOCK_SIZE_BYTES,
        ConfigDef.Type.INT,
        64 << 10,
        Range.between(1 << 10, 64 << 20),
        Importance.LOW,
        "The size at which a block of an Avro file is complete, in bytes before compression.");

    keys.group("Hive partitions");
    keys.add(
        ConnectorConfig.PARTITIONER_CLASS,
        ConfigDef.Type.STRING,
        "Unpartitioned",
        ConfigForms.PARTITIONER,
        Importance.MEDIUM,
        "How a table is partitioned: Unpartitioned, HourlyPartitioner, DailyPartitioner, TimeBasedPartitioner (which needs "
            + "path.format and partition.duration.ms) or FieldPartitioner (which needs partition.field.name). A name with a "
            + "package in front is accepted by its last part.");
    keys.add(
        ConnectorConfig.PARTITION_FIELD_NAME,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With FieldPartitioner: the fields whose values are the Hive partition, separated by commas in the order of the "
            + "directories, dotted where they are nested: region,stop.line makes region=west/stop_line=U7. Strings, enums, "
            + "numbers, booleans, decimals, dates and timestamps; each value as Hive casts it to a string, the type of all "
            + "partition columns. Null and empty are __HIVE_DEFAULT_PARTITION__, as in Hive.");
    keys.add(
        ConnectorConfig.BATCH_HIVE_PARTITIONS,
        ConfigDef.Type.INT,
        5_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "The most Hive partitions that a batch may touch, each a file of its own. Beyond, the task stops, with nothing of "
            + "the batch committed.");
    keys.add(
        ConnectorConfig.PATH_FORMAT,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner: the Hive partition of a time, in Joda-Time's pattern letters, such as "
            + "'dt'=yyyy-MM-dd/'hour'=HH. YYYY is the year of era, as there, never the week year.");
    keys.add(
        ConnectorConfig.PARTITION_DURATION_MS,
        ConfigDef.Type.LONG,
        -1L,
        null,
        Importance.MEDIUM,
        "With TimeBasedPartitioner: the length of a Hive partition, in milliseconds; times are rounded down to it.");
    keys.add(
        ConnectorConfig.LOCALE,
        ConfigDef.Type.STRING,
        "en-US",
        null,
        Importance.LOW,
        "The locale of path.format, such as en-US.");
    keys.add(
        ConnectorConfig.TIMEZONE,
        ConfigDef.Type.STRING,
        "UTC",
        null,
        Importance.MEDIUM,
        "The time zone of path.format, such as UTC or Europe/Berlin.");
    keys.add(
        ConnectorConfig.TIMESTAMP_EXTRACTOR,
        ConfigDef.Type.STRING,
        "Record",
        ValidString.in("Record", "RecordField"),
        Importance.MEDIUM,
        "The event time: Record (the record's timestamp in Kafka) or RecordField (timestamp.field).");
    keys.add(
        ConnectorConfig.TIMESTAMP_FIELD,
        ConfigDef.Type.STRING,
        "timestamp",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "With RecordField: the field, dotted where it is nested: a long (milliseconds, or by its logical type), a date, "
            + "or a string in ISO-8601.");

    keys.group("Hive");
    keys.add(
        ConnectorConfig.HIVE_INTEGRATION,
        ConfigDef.Type.BOOLEAN,
        false,
        null,
        Importance.HIGH,
        "Whether tables and Hive partitions are registered in the Hive Metastore.");
    keys.add(
        ConnectorConfig.HIVE_METASTORE_URIS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.HIGH,
        "URIs of the Metastore, separated by commas, such as thrift://host:9083.");
    keys.add(
        ConnectorConfig.HIVE_DATABASE,
        ConfigDef.Type.STRING,
        "default",
        ConfigForms.HIVE_NAME,
        Importance.MEDIUM,
        "The Hive database; it is made where missing.");
    keys.add(
        ConnectorConfig.HIVE_TABLE_NAME,
        ConfigDef.Type.STRING,
        "${topic}",
        ConfigForms.NOT_BLANK,
        Importance.MEDIUM,
        "The Hive table; ${topic} stands for the topic's name, with characters that Hive does not take as _; a name of more than 128 characters is cut and ends in a hash.");
    keys.add(
        ConnectorConfig.HIVE_REGISTRATION_BACKLOG,
        ConfigDef.Type.INT,
        10_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Files of published batches that may wait for the Metastore while it is away, about 1 KB of memory each; beyond, "
            + "the task pauses.");

    keys.group("Limits");
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
        ConnectorConfig.SHUTDOWN_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        3_000L,
        Range.between(0, 240_000),
        Importance.LOW,
        "How long a task that loses a topic-partition tries to flush it, in milliseconds; what is not committed by then "
            + "is read again by the next owner. Together with 1 s for the clients to close it must stay below the worker's "
            + "task.shutdown.graceful.timeout.ms (5 s), and well below the consumer's max.poll.interval.ms.");

    keys.group("Bad records");
    keys.add(
        ConnectorConfig.NULL_VALUES,
        ConfigDef.Type.STRING,
        "fail",
        ValidString.in("fail", "ignore", "dead-letter"),
        Importance.MEDIUM,
        "What a record without a value (a tombstone) does: fail stops the task; ignore leaves it out, and its offset "
            + "counts as skipped; dead-letter sends it to the dead letter topic.");
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
    return keys.definition()
        .defineInternal(ConnectorConfig.TASK_ID, ConfigDef.Type.INT, 0, Importance.LOW);
  }
}
