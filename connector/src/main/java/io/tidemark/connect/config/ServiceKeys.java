package io.tidemark.connect.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of the services that a task needs: store, Kafka and schema registry. */
final class ServiceKeys {
  private ServiceKeys() {}

  static void define(ConfigGroups keys) {
    keys.group("Store");
    keys.add(
        ConnectorConfig.STORE_URL,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        null,
        Importance.HIGH,
        "URL of the file system for tables and logs: hdfs://host:port, hdfs://nameservice, or "
            + "file:///directory on a single machine. No other store is supported: the commit log "
            + "needs a rename that is atomic and never replaces. Alias: hdfs.url.");
    keys.add(
        ConnectorConfig.HADOOP_CONF_DIR,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "Directory with core-site.xml and hdfs-site.xml for the HDFS client. It must exist on "
            + "every worker.");
    keys.add(
        ConnectorConfig.TOPICS_DIR,
        ConfigDef.Type.STRING,
        "topics",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "Directory of the tables, relative to the root of the store: topics is the directory "
            + "/topics. By default the files of a table are in a subdirectory that is named after "
            + "the topic.");
    keys.add(
        ConnectorConfig.LOGS_DIR,
        ConfigDef.Type.STRING,
        "logs",
        ConfigForms.RELATIVE_PATH,
        Importance.MEDIUM,
        "Directory of the commit logs, relative to the root of the store.");
    keys.add(
        ConnectorConfig.LOG_ID,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.LOG_ID_FORM,
        Importance.LOW,
        "Name of this connector's commit log; by default the connector's name. The log decides "
            + "which records have landed. Do not change the name: existing tables belong to the "
            + "former log and reject any other log.");
    keys.add(
        ConnectorConfig.LOG_RETAINED_ENTRIES,
        ConfigDef.Type.INT,
        100,
        Range.between(1, 10_000),
        Importance.LOW,
        "Number of log entries that are kept for each topic-partition. When there are twice as "
            + "many, the older entries are merged into a checkpoint and deleted.");
    keys.add(
        ConnectorConfig.OPERATOR_CONSENT,
        ConfigDef.Type.STRING,
        "",
        ConfigForms.UUIDS,
        Importance.LOW,
        "UUIDs, separated by commas, of steps that an operator permits. Some errors describe such "
            + "a step and print its UUID. The step may duplicate or omit records. A UUID permits only "
            + "this one step in one situation of one log, so it need not be removed afterwards.");
    keys.add(
        ConnectorConfig.OFFSET_DIGITS,
        ConfigDef.Type.INT,
        10,
        Range.between(1, 19),
        Importance.LOW,
        "Minimum number of digits of an offset in a file's name.");

    keys.group("Kafka");
    keys.add(
        ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        ConfigForms.NOT_BLANK,
        Importance.HIGH,
        "Brokers for the task's own client. They must belong to the cluster that the worker's "
            + "consumer reads from. The client requests the ids of topics, their first and last "
            + "offsets, the end offsets of leader epochs, and the consumer group's offsets. It "
            + "needs the ACL DESCRIBE on the topics and the group. It also reads the end of a "
            + "topic, to detect that only transaction markers are there (ACL: READ on the topics). "
            + "Without READ all records still land. But if a topic-partition ends in a transaction "
            + "marker, the log's next offset remains below Kafka's end offset. The Health of this "
            + "topic-partition is then REFUSED, and its table is not complete. The prefix kafka. "
            + "passes other client settings, such as kafka.security.protocol.");
    keys.add(
        ConnectorConfig.CLUSTER_PROOF_TIMEOUT_MS,
        ConfigDef.Type.LONG,
        120_000L,
        Range.between(1_000, 3_600_000),
        Importance.LOW,
        "Timeout, in milliseconds, of the check that kafka.bootstrap.servers is the worker's "
            + "cluster. The check is part of the claim of a topic-partition's log. The check reads "
            + "the offset of the consumer group from the cluster of kafka.bootstrap.servers. This "
            + "offset must be equal to the one that the worker's consumer has committed. If the "
            + "offsets still differ at the timeout, the task fails: the two use different "
            + "clusters.");

    keys.group("Schema registry");
    keys.add(
        ConnectorConfig.REGISTRY_URL,
        ConfigDef.Type.STRING,
        NO_DEFAULT_VALUE,
        ConfigForms.NOT_BLANK,
        Importance.HIGH,
        "URLs of the registry, separated by commas. If one does not respond, the client uses the "
            + "next. REGISTRY.md has further keys of the client, for OAuth, TLS and a proxy.");
    keys.add(
        ConnectorConfig.REGISTRY_API,
        ConfigDef.Type.STRING,
        "confluent",
        null,
        Importance.MEDIUM,
        "API of the registry: confluent, or avro-1124 (schema-repo).");
    keys.add(
        ConnectorConfig.REGISTRY_ID_FORMAT,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.MEDIUM,
        "Encoding of a record's schema id. confluent: in front of the value, or in the header "
            + "__value_schema_id, which requires header.converter to be the ByteArrayConverter. "
            + "subject-int32, subject-uint16-text or subject-varint-text: ids of avro-1124. "
            + "single-object: Avro's fingerprint. By default confluent, or subject-int32 with "
            + "avro-1124.");
    keys.add(
        ConnectorConfig.REGISTRY_SUBJECT_TEMPLATE,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "Subject of a topic's ids in a registry of avro-1124. ${topic} is the topic's name. By "
            + "default ${topic}.");
    keys.add(
        ConnectorConfig.REGISTRY_SUBJECTS,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "For single-object: the subjects, separated by commas, whose schemas are identified by "
            + "their fingerprints.");
    keys.add(
        ConnectorConfig.REGISTRY_CACHE_FILE,
        ConfigDef.Type.STRING,
        "",
        null,
        Importance.LOW,
        "File on each worker that caches schemas, so that a worker can start while the registry is "
            + "unavailable. Use a different file for each registry.");
    keys.add(
        ConnectorConfig.REGISTRY_CREDENTIALS_SOURCE,
        ConfigDef.Type.STRING,
        "URL",
        ValidString.in("URL", "USER_INFO"),
        Importance.MEDIUM,
        "Source of the registry's user and password: URL (http://user:password@host) or USER_INFO.");
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
        "Maximum duration of one request to the registry, in milliseconds.");
    keys.add(
        ConnectorConfig.REGISTRY_CACHE_SIZE,
        ConfigDef.Type.INT,
        1_000,
        Range.between(1, 1_000_000),
        Importance.LOW,
        "Maximum number of schemas that a worker caches for each registry. Also the maximum number "
            + "of bindings that a task caches for each topic. A binding is the prepared conversion "
            + "from a writer schema to a table.");
    keys.add(
        ConnectorConfig.REGISTRY_NOT_FOUND_TTL_MS,
        ConfigDef.Type.LONG,
        30_000L,
        Range.between(0, 3_600_000),
        Importance.LOW,
        "Time for which the client caches that a schema id is unknown, in milliseconds.");
  }
}
