package io.tidemark.connect;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.FieldPartitioned;
import io.tidemark.connect.table.partition.PathFormat;
import io.tidemark.registry.config.InvalidRegistryConfigException;
import io.tidemark.registry.config.RegistryConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a configuration that look at a form or at several keys together. Their messages go
 * into the answer of the REST API beside those of the single keys, so that a user sees all that is
 * wrong at once.
 */
final class ConfigChecks {
  // stock-quotes, orders.v2
  private static final Pattern LOG_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");
  // warehouse/raw
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._=-]*(/[A-Za-z0-9][A-Za-z0-9._=-]*)*");
  // stock_quotes
  private static final Pattern HIVE_IDENTIFIER = Pattern.compile("[A-Za-z0-9_]{1,128}");

  static final ConfigDef.Validator NOT_BLANK =
      validator("a text that is not blank", text -> !text.isBlank());
  static final ConfigDef.Validator LOG_ID_FORM =
      validator(
          "letters, digits, '.', '_' and '-'",
          text -> text.isEmpty() || LOG_ID.matcher(text).matches());
  static final ConfigDef.Validator RELATIVE_PATH =
      validator(
          "a path like warehouse/raw, with no '/' in front", text -> PATH.matcher(text).matches());
  static final ConfigDef.Validator HIVE_NAME =
      validator(
          "letters, digits and '_', at most 128", text -> HIVE_IDENTIFIER.matcher(text).matches());
  static final ConfigDef.Validator PARTITIONER =
      validator(
          "one of Unpartitioned, HourlyPartitioner, DailyPartitioner, TimeBasedPartitioner, FieldPartitioner",
          text -> PartitionerName.of(text).isPresent());

  /**
   * Keys of other HDFS sinks that ask for something this connector does not do: what to set in
   * their place.
   */
  private static final Map<String, String> NOT_SUPPORTED =
      Map.of(
          "flush.size",
          "Files by record count are not supported. Set batch.records, which counts over all topic-partitions of a task",
          "rotate.interval.ms",
          "Rotation by record time is not supported. Set batch.interval.ms, which goes by the wall clock",
          "rotate.schedule.interval.ms",
          "Rotation by schedule is not supported. Set batch.interval.ms",
          "schema.compatibility",
          "Tables evolve by Avro's rules, without a mode. Remove this key",
          "connect.hdfs.principal",
          "Kerberos is not supported",
          "connect.hdfs.keytab",
          "Kerberos is not supported",
          "hdfs.namenode.principal",
          "Kerberos is not supported");

  private ConfigChecks() {}

  /** The properties with keys under their newer names. */
  static Map<String, String> withAliases(Map<String, String> properties) {
    Map<String, String> named = new HashMap<>(properties);
    String url = named.get("hdfs.url");
    if (url != null) {
      named.putIfAbsent(ConnectorConfig.STORE_URL, url);
    }
    return named;
  }

  /** Adds to a configuration's values what is wrong beyond their single forms. */
  static void check(Map<String, String> properties, Config config) {
    Errors errors = new Errors(config);
    Map<String, String> named = withAliases(properties);
    NOT_SUPPORTED.forEach(
        (key, cure) -> {
          if (named.containsKey(key)) {
            errors.add(key, cure + ".");
          }
        });
    if ("true".equalsIgnoreCase(named.get("hdfs.authentication.kerberos"))) {
      errors.add("hdfs.authentication.kerberos", "Kerberos is not supported.");
    }
    store(named, errors);
    log(named, errors);
    converter(named, errors);
    deadLetters(named, errors);
    registry(named, errors);
    codec(named, errors);
    partitions(named, errors);
    hive(named, errors);
    batchFitsMemory(named, errors);
  }

  private static void store(Map<String, String> named, Errors errors) {
    String url = named.get(ConnectorConfig.STORE_URL);
    if (url != null) {
      try {
        String scheme = new URI(url).getScheme();
        if (!"hdfs".equals(scheme) && !"file".equals(scheme)) {
          errors.add(
              ConnectorConfig.STORE_URL,
              "\""
                  + url
                  + "\" is not a store that the commit log can use: it needs a rename that is atomic and never "
                  + "replaces. Use hdfs://host:port, hdfs://nameservice or file:///directory.");
        }
      } catch (URISyntaxException e) {
        errors.add(
            ConnectorConfig.STORE_URL, "\"" + url + "\" is not a URL: " + e.getMessage() + ".");
      }
    }
    String directory = named.getOrDefault(ConnectorConfig.HADOOP_CONF_DIR, "");
    if (!directory.isEmpty() && !Files.isDirectory(Path.of(directory))) {
      errors.add(
          ConnectorConfig.HADOOP_CONF_DIR,
          "there is no directory "
              + directory
              + " on this worker. Put core-site.xml and hdfs-site.xml there on every "
              + "worker, or remove the key.");
    }
    String topics = named.getOrDefault(ConnectorConfig.TOPICS_DIR, "topics");
    String logs = named.getOrDefault(ConnectorConfig.LOGS_DIR, "logs");
    if ((topics + "/").startsWith(logs + "/") || (logs + "/").startsWith(topics + "/")) {
      errors.add(
          ConnectorConfig.LOGS_DIR,
          "logs.dir="
              + logs
              + " and topics.dir="
              + topics
              + " lie in each other. Choose directories apart, so that no "
              + "topic's table meets the logs.");
    }
  }

  private static void log(Map<String, String> named, Errors errors) {
    String name = named.get("name");
    if (named.getOrDefault(ConnectorConfig.LOG_ID, "").isEmpty()
        && name != null
        && !LOG_ID.matcher(name).matches()) {
      errors.add(
          ConnectorConfig.LOG_ID,
          "the connector's name \""
              + name
              + "\" cannot name its log's directory. Set log.id to a name of letters, "
              + "digits, '.', '_' and '-'.");
    }
  }

  private static void converter(Map<String, String> named, Errors errors) {
    String converter = named.get("value.converter");
    if (converter != null && !converter.equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          "value.converter",
          "\""
              + converter
              + "\" would decode the records, but they are landed as the bytes that they are. Set "
              + "value.converter="
              + ConnectorConfig.BYTE_ARRAY_CONVERTER
              + ".");
    }
  }

  private static void deadLetters(Map<String, String> named, Errors errors) {
    boolean configured = DeadLetterReporter.isConfigured(named);
    if (DeadLetterReporter.tolerant(named) && !configured) {
      errors.add(
          DeadLetterReporter.TOLERANCE,
          "errors.tolerance=all without a dead letter topic would drop records with no trace but a line in the log. Set "
              + "errors.deadletterqueue.topic.name, or errors.tolerance=none.");
    }
    if ("dead-letter".equals(named.get(ConnectorConfig.NULL_VALUES)) && !configured) {
      errors.add(
          ConnectorConfig.NULL_VALUES,
          "behavior.on.null.values=dead-letter needs a dead letter topic. Set errors.tolerance=all and "
              + "errors.deadletterqueue.topic.name.");
    }
  }

  private static void registry(Map<String, String> named, Errors errors) {
    try {
      RegistryConfig.parse(named);
    } catch (InvalidRegistryConfigException e) {
      boolean noUrl = named.getOrDefault(ConnectorConfig.REGISTRY_URL, "").isBlank();
      for (InvalidRegistryConfigException.Problem problem : e.problems()) {
        // That it is missing is told by the key's own check.
        if (!noUrl || !problem.key().equals(ConnectorConfig.REGISTRY_URL)) {
          errors.add(problem.key(), problem.toString());
        }
      }
    }
  }

  private static void codec(Map<String, String> named, Errors errors) {
    String codec = named.getOrDefault(ConnectorConfig.AVRO_CODEC, ConnectorConfig.DEFAULT_CODEC);
    String level = named.get(ConnectorConfig.AVRO_CODEC_LEVEL);
    if (level == null || !BlockCodec.NAMES.contains(codec)) {
      return;
    }
    try {
      BlockCodec.of(codec, Integer.parseInt(level.trim()));
    } catch (NumberFormatException e) {
      // Told by the key's own check.
      return;
    } catch (IllegalArgumentException e) {
      errors.add(
          ConnectorConfig.AVRO_CODEC_LEVEL,
          ConnectorConfig.AVRO_CODEC + "=" + codec + ": " + e.getMessage() + ".");
    }
  }

  private static void partitions(Map<String, String> named, Errors errors) {
    try {
      ZoneId.of(named.getOrDefault(ConnectorConfig.TIMEZONE, "UTC"));
    } catch (DateTimeException e) {
      errors.add(
          ConnectorConfig.TIMEZONE, e.getMessage() + ". Use a name like UTC or Europe/Berlin.");
    }
    Locale locale = Locale.forLanguageTag(named.getOrDefault(ConnectorConfig.LOCALE, "en-US"));
    if (locale.getLanguage().isEmpty()) {
      errors.add(
          ConnectorConfig.LOCALE,
          "\""
              + named.get(ConnectorConfig.LOCALE)
              + "\" is not a language tag. Use one like en-US.");
    }
    String partitioner = named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "Unpartitioned");
    if (PartitionerName.of(partitioner).equals(Optional.of(PartitionerName.FIELD))) {
      try {
        FieldPartitioned.parse(named.getOrDefault(ConnectorConfig.PARTITION_FIELD_NAME, ""));
      } catch (IllegalArgumentException e) {
        errors.add(ConnectorConfig.PARTITION_FIELD_NAME, partitioner + ": " + e.getMessage() + ".");
      }
    }
    if (!PartitionerName.of(partitioner).equals(Optional.of(PartitionerName.TIME_BASED))) {
      return;
    }
    String format = named.getOrDefault(ConnectorConfig.PATH_FORMAT, "");
    if (format.isEmpty()) {
      errors.add(
          ConnectorConfig.PATH_FORMAT,
          partitioner + " needs a path.format. Example: 'dt'=yyyy-MM-dd/'hour'=HH");
    } else {
      try {
        PathFormat.parse(format, locale);
      } catch (IllegalArgumentException e) {
        errors.add(ConnectorConfig.PATH_FORMAT, String.valueOf(e.getMessage()));
      }
    }
    Long duration = number(named, ConnectorConfig.PARTITION_DURATION_MS, -1);
    if (duration != null && duration <= 0) {
      errors.add(
          ConnectorConfig.PARTITION_DURATION_MS,
          partitioner + " needs a partition.duration.ms above 0. Example: 3600000 for hours.");
    }
  }

  private static void hive(Map<String, String> named, Errors errors) {
    String table = named.getOrDefault(ConnectorConfig.HIVE_TABLE_NAME, "${topic}");
    if (!HIVE_IDENTIFIER.matcher(table.replace("${topic}", "t")).matches()) {
      errors.add(
          ConnectorConfig.HIVE_TABLE_NAME,
          "\""
              + table
              + "\" is not a name that Hive takes: letters, digits and '_', with ${topic} for the topic.");
    }
    sameTables(named, table, errors);
    if (!table.contains("${topic}") && moreThanOneTopic(named)) {
      errors.add(
          ConnectorConfig.HIVE_TABLE_NAME,
          "several topics cannot land in the one table \""
              + table
              + "\". Use ${topic} in hive.table.name, or a connector "
              + "for each topic.");
    }
    if (!Boolean.parseBoolean(named.getOrDefault(ConnectorConfig.HIVE_INTEGRATION, "false"))) {
      return;
    }
    String uris = named.getOrDefault(ConnectorConfig.HIVE_METASTORE_URIS, "");
    if (uris.isBlank()) {
      errors.add(
          ConnectorConfig.HIVE_METASTORE_URIS,
          "hive.integration=true needs the Metastore's address. Example: thrift://host:9083");
    }
    for (String uri : uris.isBlank() ? new String[0] : uris.split(",", -1)) {
      try {
        URI parsed = new URI(uri.trim());
        if (!"thrift".equals(parsed.getScheme())
            || parsed.getHost() == null
            || parsed.getPort() <= 0) {
          errors.add(
              ConnectorConfig.HIVE_METASTORE_URIS,
              "\"" + uri.trim() + "\" is not like thrift://host:9083.");
        }
      } catch (URISyntaxException e) {
        errors.add(
            ConnectorConfig.HIVE_METASTORE_URIS,
            "\"" + uri.trim() + "\" is not like thrift://host:9083.");
      }
    }
  }

  /**
   * Topics of which Hive would have one table: it takes neither '.' nor '-', nor capital letters.
   */
  private static void sameTables(Map<String, String> named, String pattern, Errors errors) {
    Map<TableName, String> tables = new HashMap<>();
    for (String topic : named.getOrDefault("topics", "").split(",", -1)) {
      TableName table = TableName.of("default", pattern, topic.trim());
      String other = tables.put(table, topic.trim());
      if (other != null && pattern.contains("${topic}")) {
        errors.add(
            ConnectorConfig.HIVE_TABLE_NAME,
            "the topics "
                + other
                + " and "
                + topic.trim()
                + " would both be the Hive table "
                + table.table()
                + ". Give each a connector and a hive.table.name of its own.");
      }
    }
  }

  private static boolean moreThanOneTopic(Map<String, String> named) {
    return named.containsKey("topics.regex")
        || named.getOrDefault("topics", "").split(",").length > 1;
  }

  private static void batchFitsMemory(Map<String, String> named, Errors errors) {
    Long memory = number(named, ConnectorConfig.MEMORY_BYTES, 256L << 20);
    Long block = number(named, ConnectorConfig.AVRO_BLOCK_SIZE_BYTES, 64 << 10);
    if (memory != null && block != null && memory < 16 * block) {
      errors.add(
          ConnectorConfig.MEMORY_BYTES,
          "memory.bytes="
              + memory
              + " is less than 16 blocks of avro.block.size.bytes="
              + block
              + ". Raise the one or lower the other.");
    }
  }

  /** A key's number; null when its form is wrong, which is told by the key's own check. */
  private static @Nullable Long number(Map<String, String> named, String key, long defaultValue) {
    String text = named.get(key);
    if (text == null) {
      return defaultValue;
    }
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static ConfigDef.Validator validator(String form, Predicate<String> test) {
    return new ConfigDef.Validator() {
      @Override
      public void ensureValid(String name, Object value) {
        if (value != null && !test.test((String) value)) {
          throw new ConfigException(name, value, "expected " + form);
        }
      }

      @Override
      public String toString() {
        return form;
      }
    };
  }

  /** Adds messages to values, and values for keys that the definition does not have. */
  private static final class Errors {
    private final Map<String, ConfigValue> values = new LinkedHashMap<>();
    private final Config config;

    Errors(Config config) {
      this.config = config;
      config.configValues().forEach(value -> values.put(value.name(), value));
    }

    void add(String key, String message) {
      ConfigValue value =
          values.computeIfAbsent(
              key,
              name -> {
                ConfigValue added = new ConfigValue(name);
                config.configValues().add(added);
                return added;
              });
      value.addErrorMessage(message);
    }
  }
}
