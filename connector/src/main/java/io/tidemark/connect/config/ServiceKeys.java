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
        "The name of this connector's log, by default the connector's name. It decides what has landed. Keep it: "
            + "under another name the tables that stand are refused, because they belong to the former log.");
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
            + "the topics and the group), and whether only markers lie at the end of a topic (ACL: READ on the "
            + "topics; without it such a topic-partition stays behind its end). They must be those of the worker's consumer. Other client settings can be "
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
  }
}
