package io.tidemark.connect;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.connect.pipeline.NullValues;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.registry.config.RegistryConfig;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** The connector's configuration: the names of its keys, and what is made of their values. */
final class ConnectorConfig extends AbstractConfig {
  static final String BYTE_ARRAY_CONVERTER =
      "org.apache.kafka.connect.converters.ByteArrayConverter";

  static final String STORE_URL = "store.url";
  static final String HADOOP_CONF_DIR = "hadoop.conf.dir";
  static final String TOPICS_DIR = "topics.dir";
  static final String LOGS_DIR = "logs.dir";
  static final String LOG_ID = "log.id";
  static final String LOG_RETAINED_ENTRIES = "log.retained.entries";
  static final String OFFSET_DIGITS = "filename.offset.zero.pad.width";

  static final String KAFKA_BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  static final String KAFKA_PREFIX = "kafka.";
  private static final String CONSUMER_GROUP = "consumer.override.group.id";

  static final String REGISTRY_URL = "schema.registry.url";
  static final String REGISTRY_API = "schema.registry.api";
  static final String REGISTRY_ID_FORMAT = "schema.registry.id.format";
  static final String REGISTRY_SUBJECT_TEMPLATE = "schema.registry.subject.template";
  static final String REGISTRY_SUBJECTS = "schema.registry.subjects";
  static final String REGISTRY_CACHE_FILE = "schema.registry.cache.file";
  static final String REGISTRY_CREDENTIALS_SOURCE = "basic.auth.credentials.source";
  static final String REGISTRY_USER_INFO = "basic.auth.user.info";
  static final String REGISTRY_REQUEST_TIMEOUT_MS = "schema.registry.request.timeout.ms";
  static final String REGISTRY_CACHE_SIZE = "schema.registry.cache.size";
  static final String REGISTRY_NOT_FOUND_TTL_MS = "schema.registry.not.found.ttl.ms";

  static final String BATCH_RECORDS = "batch.records";
  static final String BATCH_BYTES = "batch.bytes";
  static final String BATCH_OFFSET_RANGES = "batch.offset.ranges";
  static final String BATCH_INTERVAL_MS = "batch.interval.ms";

  static final String AVRO_CODEC = "avro.codec";
  static final String DEFAULT_CODEC = "snappy";
  static final String AVRO_CODEC_LEVEL = "avro.codec.level";
  static final String AVRO_BLOCK_SIZE_BYTES = "avro.block.size.bytes";

  static final String PARTITIONER_CLASS = "partitioner.class";
  static final String PARTITION_FIELD_NAME = "partition.field.name";
  static final String BATCH_HIVE_PARTITIONS = "batch.hive.partitions";
  static final String PATH_FORMAT = "path.format";
  static final String PARTITION_DURATION_MS = "partition.duration.ms";
  static final String LOCALE = "locale";
  static final String TIMEZONE = "timezone";
  static final String TIMESTAMP_EXTRACTOR = "timestamp.extractor";
  static final String TIMESTAMP_FIELD = "timestamp.field";

  static final String HIVE_INTEGRATION = "hive.integration";
  static final String HIVE_METASTORE_URIS = "hive.metastore.uris";
  static final String HIVE_DATABASE = "hive.database";
  static final String HIVE_TABLE_NAME = "hive.table.name";
  static final String HIVE_REGISTRATION_BACKLOG = "hive.registration.backlog";

  static final String MEMORY_BYTES = "memory.bytes";
  static final String STAGING_THREADS = "staging.threads";
  static final String STORAGE_THREADS = "storage.threads";
  static final String STORAGE_OPEN_FILES = "storage.open.files";
  static final String COMMIT_THREADS = "commit.threads";
  static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
  static final String SHUTDOWN_TIMEOUT_MS = "shutdown.timeout.ms";

  static final String NULL_VALUES = "behavior.on.null.values";
  static final String DEAD_LETTERS_IN_FLIGHT = "dead.letters.in.flight";
  static final String DEAD_LETTER_TIMEOUT_MS = "dead.letter.timeout.ms";

  /** Set by the connector for each of its tasks; not a key for users. */
  static final String TASK_ID = "tidemark.task.id";

  static final ConfigDef DEFINITION = ConfigDefinition.definition();

  ConnectorConfig(Map<String, String> properties) {
    super(DEFINITION, ConfigChecks.withAliases(properties), false);
  }

  /** The connector's name, which the framework gives. */
  String connectorName() {
    return originalsStrings().getOrDefault("name", "tidemark");
  }

  /** The registry, and how ids stand with the records. */
  RegistryConfig registry() {
    return RegistryConfig.parse(originalsStrings());
  }

  /** The consumer group that the framework reads with. */
  String consumerGroup() {
    return originalsStrings().getOrDefault(CONSUMER_GROUP, "connect-" + connectorName());
  }

  /** The name of the log. */
  String logId() {
    String configured = getString(LOG_ID);
    return configured.isEmpty() ? connectorName() : configured;
  }

  /** The directory of all logs. */
  StoragePath logsRoot() {
    return new StoragePath("/" + getString(LOGS_DIR));
  }

  /** The directory of all tables. */
  StoragePath topicsRoot() {
    return new StoragePath("/" + getString(TOPICS_DIR));
  }

  /** What a record without a value does. */
  NullValues nullValues() {
    return NullValues.valueOf(getString(NULL_VALUES).replace('-', '_').toUpperCase(Locale.ROOT));
  }

  /** The codec of Avro files, with its level. */
  BlockCodec codec() {
    String name = getString(AVRO_CODEC);
    Integer level = getInt(AVRO_CODEC_LEVEL);
    return level == null ? BlockCodec.of(name) : BlockCodec.of(name, level);
  }
}
