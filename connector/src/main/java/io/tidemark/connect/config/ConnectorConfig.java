package io.tidemark.connect.config;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.connect.hdfs.Keytab;
import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KeyColumns;
import io.tidemark.store.schema.SchemaCompatibility;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Compression;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * The connector's configuration: the names of its keys, and accessors for their values. A task has
 * only valid configurations. Validation reads any configuration: a wrong value is listed with its
 * error and counts as absent, so the key has its default. Immutable.
 *
 * <p>The class is long because it has the names of all keys.
 */
public final class ConnectorConfig {
  public static final String BYTE_ARRAY_CONVERTER =
      "org.apache.kafka.connect.converters.ByteArrayConverter";

  public static final String STORE_URL = "store.url";
  public static final String HADOOP_CONF_DIR = "hadoop.conf.dir";
  public static final String KERBEROS = "hdfs.authentication.kerberos";
  public static final String PRINCIPAL = "connect.hdfs.principal";
  public static final String KEYTAB = "connect.hdfs.keytab";
  public static final String NAME_NODE_PRINCIPAL = "hdfs.namenode.principal";
  public static final String TICKET_RENEW_PERIOD_MS = "kerberos.ticket.renew.period.ms";
  public static final String PROXY_USER = "hdfs.proxy.user";
  public static final Set<String> LOGIN =
      Set.of(KERBEROS, PRINCIPAL, KEYTAB, TICKET_RENEW_PERIOD_MS);

  public static final String TOPICS_DIR = "topics.dir";
  public static final String LOGS_DIR = "logs.dir";
  public static final String LOG_ID = "log.id";
  public static final String LOG_RETAINED_ENTRIES = "log.retained.entries";
  public static final String OFFSET_DIGITS = "filename.offset.zero.pad.width";

  public static final String OPERATOR_CONSENT = "operator.consent";

  public static final String VALUE_CONVERTER = "value.converter";

  public static final String KAFKA_BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
  public static final String KAFKA_PREFIX = "kafka.";
  public static final String CLUSTER_CHECK_TIMEOUT_MS = "cluster.check.timeout.ms";
  private static final String CONSUMER_GROUP = "consumer.override.group.id";

  public static final String REGISTRY_URL = "schema.registry.url";
  public static final String REGISTRY_API = "schema.registry.api";
  public static final String REGISTRY_ID_FORMAT = "schema.registry.id.format";
  public static final String REGISTRY_CACHE_SIZE = "schema.registry.cache.size";

  public static final String SCHEMA_MAX_BYTES = "schema.max.bytes";
  public static final String SCHEMA_MAX_TYPES = "schema.max.types";
  public static final String SCHEMA_MAX_FIELDS = "schema.max.fields";
  public static final String SCHEMA_MAX_BRANCHES = "schema.max.union.branches";
  public static final String SCHEMA_MAX_SYMBOLS = "schema.max.enum.symbols";
  public static final String PLAN_TIMEOUT_MS = "plan.timeout.ms";
  public static final String SCHEMA_COMPATIBILITY = "schema.compatibility";
  public static final String ON_SCHEMA_CONFLICT = "on.schema.conflict";

  public static final String BATCH_RECORDS = "batch.records";
  public static final String BATCH_BYTES = "batch.bytes";
  public static final String BATCH_OFFSET_RANGES = "batch.offset.ranges";
  public static final String BATCH_INTERVAL_MS = "batch.interval.ms";

  public static final String FLUSH_SIZE = "flush.size";
  public static final String ROTATE_INTERVAL_MS = "rotate.interval.ms";
  public static final String ROTATE_SCHEDULE_INTERVAL_MS = "rotate.schedule.interval.ms";
  public static final String FILE_SIZE_BYTES = "file.size.bytes";
  public static final String FILE_MIN_BYTES = "file.min.bytes";
  public static final String FILE_MAX_DELAY_MS = "file.max.delay.ms";
  public static final String AVRO_CODEC = "avro.codec";
  public static final String AVRO_CODEC_LEVEL = "avro.codec.level";
  public static final String AVRO_BLOCK_SIZE_BYTES = "avro.block.size.bytes";

  public static final String PARTITIONER_CLASS = "partitioner.class";
  public static final String PARTITION_FIELD_NAME = "partition.field.name";
  public static final String PARTITIONER_CONFIG_PREFIX = "partitioner.config.";
  public static final String BATCH_HIVE_PARTITIONS = "batch.hive.partitions";
  public static final String HIVE_PARTITIONS_MAX = "hive.partitions.per.day.max";
  public static final String PATH_FORMAT = "path.format";
  public static final String PARTITION_DURATION_MS = "partition.duration.ms";
  public static final String LOCALE = "locale";
  public static final String TIMEZONE = "timezone";
  public static final String TIMESTAMP_EXTRACTOR = "timestamp.extractor";
  public static final String TIMESTAMP_FIELD = "timestamp.field";
  public static final String TIMESTAMP_UNIT = "timestamp.unit";

  public static final String COLUMNS_KAFKA = "columns.kafka";
  public static final String COLUMNS_KAFKA_PREFIX = "columns.kafka.prefix";

  public static final String HIVE_INTEGRATION = "hive.integration";
  public static final String HIVE_METASTORE_URIS = "hive.metastore.uris";
  public static final String HIVE_METASTORE_TLS = "hive.metastore.use.SSL";
  public static final String HIVE_METASTORE_TRUST_STORE = "hive.metastore.truststore.path";
  public static final String HIVE_METASTORE_PRINCIPAL = "hive.metastore.kerberos.principal";
  public static final String HIVE_DATABASE = "hive.database";
  public static final String HIVE_TABLE_NAME = "hive.table.name";
  public static final String HIVE_TABLE_LOCATION = "hive.table.location";
  public static final String HIVE_TABLE_PROPERTIES = "hive.table.properties";
  public static final String DECIMAL_UNBOUNDED = "types.decimal.unbounded";

  public static final String TOPIC_MAP = "topic2table.map";
  public static final String TOPIC_CAPTURES = "topic.capture.groups.regex";
  public static final String RECORD_MAP = "record2table.map";
  public static final String FIELD_NAME = "field2table.field";
  public static final String FIELD_MAP = "field2table.map";
  public static final String UNROUTED = "behavior.on.unrouted.records";
  public static final String HIVE_REGISTRATION_BACKLOG = "hive.registration.backlog";

  public static final String RATE_RECORDS_PER_SECOND = "rate.records.per.second";
  public static final String MEMORY_BYTES = "memory.bytes";
  public static final String STAGING_THREADS = "staging.threads";
  public static final String STORAGE_THREADS = "storage.threads";
  public static final String STORAGE_OPEN_FILES = "storage.open.files";
  public static final String COMMIT_THREADS = "commit.threads";
  public static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
  public static final String ON_REFUSAL = "on.refusal";
  public static final String REFUSAL_DEADLINE_MS = "refusal.deadline.ms";
  public static final String SHUTDOWN_TIMEOUT_MS = "shutdown.timeout.ms";

  public static final String VALIDATION_CONNECT = "validation.connect";

  public static final String COLUMNS_KEY_FORMAT = "columns.key.format";
  public static final String NULL_VALUES = "behavior.on.null.values";
  public static final String DEAD_LETTERS_IN_FLIGHT = "dead.letters.in.flight";
  public static final String DEAD_LETTER_TIMEOUT_MS = "dead.letter.timeout.ms";

  public static final String COMPLETENESS_ENABLED = "completeness.enabled";
  public static final String LEDGER_DIR = "ledger.dir";
  public static final String COMPLETENESS_INTERVAL_MS = "completeness.interval.ms";
  public static final String COMPLETENESS_LATENESS_MS = "completeness.lateness.ms";
  public static final String COMPLETENESS_IDLE = "completeness.idle";
  public static final String COMPLETENESS_FLUSH = "completeness.flush";
  public static final String COMPLETENESS_END_CHECK_INTERVAL_MS =
      "completeness.end.check.interval.ms";
  public static final String COMPLETENESS_HOLD_ON = "completeness.hold.on";
  public static final String COMPLETENESS_SUCCESS_FILE = "completeness.success.file";
  public static final String COMPLETENESS_GROUPS = "completeness.groups";
  public static final String COMPLETENESS_BATCHES_TOPIC = "completeness.batches.topic";
  public static final String COMPLETENESS_BATCH_HEADER = "completeness.batch.header";
  public static final String COMPLETENESS_BATCHES_EXPIRE_DAYS = "completeness.batches.expire.days";
  public static final String COMPLETENESS_HIVE_DATABASE = "completeness.hive.database";
  public static final String COMPLETENESS_REVISION_INTERVAL_MS =
      "completeness.revision.interval.ms";
  public static final String COMPLETENESS_CLOCK_SKEW_MS = "completeness.clock.skew.ms";
  public static final String COMPLETENESS_EMPTY_PARTITIONS = "completeness.empty.partitions";
  public static final String COMPLETENESS_EVENTS_TOPIC = "completeness.events.topic";
  public static final String LEDGER_BATCHES_RETENTION_DAYS = "ledger.batches.retention.days";
  public static final String WORKER_ISOLATION_LEVEL = "worker.isolation.level";
  public static final String CONSUMER_ISOLATION_LEVEL = "consumer.override.isolation.level";

  static final String ERRORS_TOLERANCE = "errors.tolerance";
  public static final String DEAD_LETTER_TOPIC = "errors.deadletterqueue.topic.name";

  /** The number of a task. The connector sets it for each of its tasks; not a key for users. */
  public static final String TASK_ID = "tidemark.task.id";

  public static final ConfigDef DEFINITION = ConfigDefinition.definition();

  private final Map<String, String> given;
  private final Map<String, Object> values = new HashMap<>();
  private final Map<String, String> wrong = new LinkedHashMap<>();

  /** Throws a {@link ConfigException} if a value is wrong or missing. */
  public ConnectorConfig(Map<String, String> properties) {
    this(withAliases(properties), null);
    if (!wrong.isEmpty()) {
      throw new ConfigException(wrong.values().iterator().next());
    }
  }

  private ConnectorConfig(Map<String, String> given, @Nullable ConnectorConfig like) {
    this.given = Map.copyOf(given);
    for (ConfigKey key : DEFINITION.configKeys().values()) {
      String text = given.get(key.name);
      if (like != null && Objects.equals(text, like.given.get(key.name))) {
        Optional.ofNullable(like.values.get(key.name)).ifPresent(it -> values.put(key.name, it));
        Optional.ofNullable(like.wrong.get(key.name)).ifPresent(it -> wrong.put(key.name, it));
      } else {
        read(key, text);
      }
    }
  }

  private void read(ConfigKey key, @Nullable String text) {
    Object value = key.defaultValue;
    if (text != null) {
      try {
        Object parsed = ConfigDef.parseType(key.name, text, key.type);
        if (key.validator != null) {
          key.validator.ensureValid(key.name, parsed);
        }
        value = parsed;
      } catch (ConfigException e) {
        wrong.put(key.name, String.valueOf(e.getMessage()));
      }
    } else if (!key.hasDefault()) {
      wrong.put(
          key.name,
          "Missing required configuration \"%s\" which has no default value.".formatted(key.name));
    }
    if (value != null && value != ConfigDef.NO_DEFAULT_VALUE) {
      values.put(key.name, value);
    }
  }

  /** Reads a configuration that may have errors. */
  public static ConnectorConfig unchecked(Map<String, String> properties) {
    return new ConnectorConfig(withAliases(properties), null);
  }

  /** This configuration with other properties. Only the values that differ are parsed. */
  ConnectorConfig with(Map<String, String> properties) {
    return properties.equals(given) ? this : new ConnectorConfig(properties, this);
  }

  /** The properties with aliases under their own names, and without null values. */
  private static Map<String, String> withAliases(Map<String, String> properties) {
    Map<String, String> named = new HashMap<>(properties);
    named.values().removeIf(Objects::isNull);
    String url = named.get("hdfs.url");
    if (url != null) {
      named.putIfAbsent(STORE_URL, url);
    }
    return named;
  }

  /** The properties as they were given, including those of Kafka Connect. */
  public Map<String, String> given() {
    return given;
  }

  /** The properties that begin with a prefix, without the prefix, and without config providers. */
  public Map<String, String> givenWithPrefix(String prefix) {
    return given.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix))
        .filter(each -> !UnknownKeys.PROVIDERS.matcher(each.getKey()).matches())
        .collect(
            Collectors.toMap(
                each -> each.getKey().substring(prefix.length()), Map.Entry::getValue));
  }

  /** The settings of the connector's own Kafka clients. A ConfigException if one is refused. */
  public Map<String, Object> kafkaClient() {
    given.forEach(
        (key, value) ->
            KafkaClientKeys.problem(key, value)
                .ifPresent(
                    problem -> {
                      throw new ConfigException(key + " " + problem);
                    }));
    return new HashMap<>(givenWithPrefix(KAFKA_PREFIX));
  }

  /** Whether keys name config providers, which validation refuses. */
  public boolean hasConfigProviders() {
    return given.keySet().stream().anyMatch(key -> UnknownKeys.PROVIDERS.matcher(key).matches());
  }

  /** The errors of wrong and missing values, by key. */
  Map<String, String> wrong() {
    return Collections.unmodifiableMap(wrong);
  }

  /**
   * Returns a property as text: as it was given, even if it is wrong, or its default. Empty if
   * there is no default, and for absent keys of Kafka Connect.
   */
  String text(String key) {
    String text = given.get(key);
    ConfigKey defined = DEFINITION.configKeys().get(key);
    if (text != null || defined == null || !defined.hasDefault()) {
      return text == null ? "" : text;
    }
    String byDefault = ConfigDef.convertToString(defined.defaultValue, defined.type);
    return byDefault == null ? "" : byDefault;
  }

  public String getString(String key) {
    return (String) value(key);
  }

  public boolean getBoolean(String key) {
    return (Boolean) value(key);
  }

  public int getInt(String key) {
    return (Integer) value(key);
  }

  public long getLong(String key) {
    return (Long) value(key);
  }

  public List<String> getList(String key) {
    return ((List<?>) value(key)).stream().map(String::valueOf).toList();
  }

  private Object value(String key) {
    Object value = values.get(key);
    if (value == null) {
      throw new ConfigException(wrong.getOrDefault(key, key + " has no value"));
    }
    return value;
  }

  /** Whether the worker passes over records that its converters or transforms reject. */
  boolean toleratesErrors() {
    return text(ERRORS_TOLERANCE).equalsIgnoreCase("all");
  }

  public boolean hasDeadLetterTopic() {
    return toleratesErrors() && !text(DEAD_LETTER_TOPIC).isBlank();
  }

  /** The largest request of the producer of dead letters, in bytes; by default Kafka's default. */
  public long deadLetterMaxBytes() {
    Long given = ConfigChecks.number(this, "producer.override.max.request.size");
    return given == null ? 1_048_576 : given;
  }

  /** Whether the worker may drop records before the connector receives them: a transform fails. */
  public boolean workerMayDrop() {
    return toleratesErrors() && !text("transforms").isBlank();
  }

  public String connectorName() {
    return given.getOrDefault("name", "tidemark");
  }

  public RegistryConfig registry() {
    return RegistryConfig.parse(given);
  }

  private Optional<String> present(String key) {
    return Optional.of(getString(key).strip()).filter(text -> !text.isEmpty());
  }

  /** Hadoop's settings by keys of this configuration. A ConfigException if one is refused. */
  public Map<String, String> hadoopSettings() {
    Map<String, String> settings = HadoopClientKeys.settings(given);
    present(NAME_NODE_PRINCIPAL)
        .ifPresent(principal -> settings.put("dfs.namenode.kerberos.principal", principal));
    return settings;
  }

  /** The user as which the connector calls HDFS and the Metastore. */
  public HadoopUser hadoopUser() {
    return new HadoopUser(
        getBoolean(KERBEROS)
            ? Optional.of(
                Keytab.of(
                    getString(PRINCIPAL),
                    getString(KEYTAB),
                    Duration.ofMillis(getLong(TICKET_RENEW_PERIOD_MS))))
            : Optional.empty(),
        present(PROXY_USER));
  }

  /** Empty if the tables are not registered in Hive. */
  public Optional<MetastoreSettings> metastore() {
    return getBoolean(HIVE_INTEGRATION)
        ? Optional.of(
            MetastoreSettings.of(
                getString(HIVE_METASTORE_URIS),
                new MetastoreAccess(hadoopUser(), present(HIVE_METASTORE_PRINCIPAL), tls())))
        : Optional.empty();
  }

  private Optional<TlsSettings> tls() {
    return getBoolean(HIVE_METASTORE_TLS)
        ? Optional.of(new TlsSettings(store("keystore"), store("truststore"), true, List.of()))
        : Optional.empty();
  }

  private Optional<TlsStore> store(String kind) {
    String prefix = "hive.metastore." + kind;
    Secret password = new Secret(((Password) value(prefix + ".password")).value());
    return present(prefix + ".path")
        .map(
            path ->
                new TlsStore.OfFile(
                    Path.of(path),
                    TlsStore.Type.parse(getString(prefix + ".type")),
                    password,
                    Secret.NONE));
  }

  public String consumerGroup() {
    return given.getOrDefault(CONSUMER_GROUP, "connect-" + connectorName());
  }

  public CompletenessSettings completeness() {
    return new CompletenessSettings(this);
  }

  public String logId() {
    String configured = getString(LOG_ID);
    return configured.isEmpty() ? connectorName() : configured;
  }

  public StoragePath logsRoot() {
    return directory(LOGS_DIR);
  }

  public StoragePath topicsRoot() {
    return directory(TOPICS_DIR);
  }

  StoragePath directory(String key) {
    return new StoragePath("/" + ConfigForms.withoutEnd(getString(key)));
  }

  public Map<String, String> hiveTableProperties() {
    return HiveTableProperties.parse(getString(HIVE_TABLE_PROPERTIES));
  }

  public OperatorConsent consent() {
    return new OperatorConsent(ConfigForms.uuids(getString(OPERATOR_CONSENT)));
  }

  public SchemaLimits schemaLimits() {
    return new SchemaLimits(
        getInt(SCHEMA_MAX_BYTES),
        getInt(SCHEMA_MAX_TYPES),
        getInt(SCHEMA_MAX_FIELDS),
        getInt(SCHEMA_MAX_BRANCHES),
        getInt(SCHEMA_MAX_SYMBOLS),
        getLong(PLAN_TIMEOUT_MS));
  }

  public SchemaRules schemaRules() {
    return new SchemaRules(
        SchemaCompatibility.valueOf(getString(SCHEMA_COMPATIBILITY)),
        getString(ON_SCHEMA_CONFLICT).equals("dead-letter"));
  }

  /** The end of the name of the table for records whose schema conflicts. */
  Optional<String> conflictSuffix() {
    return conflictPart(1);
  }

  /** The end of the name of the view over both tables. */
  Optional<String> conflictView() {
    return conflictPart(3);
  }

  private Optional<String> conflictPart(int index) {
    String[] parts = text(ON_SCHEMA_CONFLICT).split("[:,]", -1);
    return index < parts.length ? Optional.of(parts[index]) : Optional.empty();
  }

  public Optional<KafkaColumns> kafkaColumns() {
    Set<KafkaColumns.Column> columns = KafkaColumns.parse(getString(COLUMNS_KAFKA));
    return columns.isEmpty()
        ? Optional.empty()
        : Optional.of(new KafkaColumns(columns, getString(COLUMNS_KAFKA_PREFIX)));
  }

  public Optional<KeyColumns> keyColumns() {
    return nullValues() == NullValues.WRITE
        ? Optional.of(
            new KeyColumns(
                KeyColumns.Format.valueOf(constant(COLUMNS_KEY_FORMAT)),
                getString(COLUMNS_KAFKA_PREFIX)))
        : Optional.empty();
  }

  /** Whether the time of a record is the time at which the task received it. */
  public boolean byWallclock() {
    return getString(TIMESTAMP_EXTRACTOR).equals("Wallclock");
  }

  public NullValues nullValues() {
    return NullValues.valueOf(constant(NULL_VALUES));
  }

  /** If false, {@link #onRefusal} applies to the topic of records without a table. */
  public boolean unroutedAreDeadLetters() {
    return getString(UNROUTED).equals("dead-letter");
  }

  public OnRefusal onRefusal() {
    return OnRefusal.valueOf(constant(ON_REFUSAL));
  }

  /** Example: {@code DEAD_LETTER} for the value dead-letter. */
  private String constant(String key) {
    return getString(key).replace('-', '_').toUpperCase(Locale.ROOT);
  }

  public Compression compression() {
    return new Compression(
        getString(AVRO_CODEC),
        values.containsKey(AVRO_CODEC_LEVEL)
            ? OptionalInt.of(getInt(AVRO_CODEC_LEVEL))
            : OptionalInt.empty());
  }
}
