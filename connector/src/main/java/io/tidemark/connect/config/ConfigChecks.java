package io.tidemark.connect.config;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.registry.config.InvalidRegistryConfigException;
import io.tidemark.registry.config.RegistryConfig;
import java.io.File;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a configuration that look at several keys together, or deeper than at a key's form.
 * Their messages go into the answer of the REST API beside those of the single keys, so that a user
 * sees all that is wrong at once.
 */
public final class ConfigChecks {
  /**
   * Keys of other HDFS sinks that ask for something this connector does not do: what to set in
   * their place.
   */
  private static final Map<String, String> NOT_SUPPORTED =
      Map.of(
          "flush.size",
          "Files by record count are not supported. Set batch.records, which counts over all topic-partitions of a task",
          "rotate.interval.ms",
          "Rotation by record time is not supported. Set batch.interval.ms, which counts from when a record came",
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

  /** The only format of other HDFS sinks that is this one's too, with a package in front or not. */
  private static final String AVRO_FORMAT = "AvroFormat";

  /** Keys whose values may have a user and a password in them. */
  private static final List<String> URLS =
      List.of(
          ConnectorConfig.STORE_URL,
          ConnectorConfig.REGISTRY_URL,
          ConnectorConfig.HIVE_METASTORE_URIS);

  private ConfigChecks() {}

  /** The properties with keys under their newer names, but for those that are null in JSON. */
  public static Map<String, String> withAliases(Map<String, String> properties) {
    Map<String, String> named = new HashMap<>(properties);
    named.values().removeIf(Objects::isNull);
    String url = named.get("hdfs.url");
    if (url != null) {
      named.putIfAbsent(ConnectorConfig.STORE_URL, url);
    }
    return named;
  }

  /** Adds to a configuration's values what is wrong beyond their single forms. */
  public static void check(Map<String, String> properties, Config config) {
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
    format(named, errors);
    deadLetters(named, errors);
    registry(named, errors);
    codec(named, errors);
    TableChecks.partitions(named, errors);
    TableChecks.hive(named, errors);
    batchFitsMemory(named, errors);
    completeness(named, errors);
    hidePasswords(config);
  }

  /**
   * The answer repeats the values, and where the worker has config providers it is these that have
   * put the passwords there.
   */
  private static void hidePasswords(Config config) {
    for (ConfigValue value : config.configValues()) {
      if (URLS.contains(value.name()) && value.value() instanceof String url) {
        value.value(StoreUrl.shown(url));
      }
    }
  }

  private static void store(Map<String, String> named, Errors errors) {
    Optional.ofNullable(named.get(ConnectorConfig.STORE_URL))
        .flatMap(StoreUrl::problem)
        .ifPresent(problem -> errors.add(ConnectorConfig.STORE_URL, problem));
    String directory = named.getOrDefault(ConnectorConfig.HADOOP_CONF_DIR, "");
    if (!directory.isEmpty() && !new File(directory).isDirectory()) {
      errors.add(
          ConnectorConfig.HADOOP_CONF_DIR,
          "there is no directory "
              + directory
              + " on this worker. Put core-site.xml and hdfs-site.xml there on every "
              + "worker, or remove the key.");
    }
    String topics = named.getOrDefault(ConnectorConfig.TOPICS_DIR, "topics");
    String logs = named.getOrDefault(ConnectorConfig.LOGS_DIR, "logs");
    String ledger = named.getOrDefault(ConnectorConfig.LEDGER_DIR, "ledger");
    apart(ConnectorConfig.LOGS_DIR, logs, ConnectorConfig.TOPICS_DIR, topics, errors);
    apart(ConnectorConfig.LEDGER_DIR, ledger, ConnectorConfig.TOPICS_DIR, topics, errors);
    apart(ConnectorConfig.LEDGER_DIR, ledger, ConnectorConfig.LOGS_DIR, logs, errors);
  }

  private static void apart(
      String key, String directory, String otherKey, String other, Errors errors) {
    if ((directory + "/").startsWith(other + "/") || (other + "/").startsWith(directory + "/")) {
      errors.add(
          key,
          "%s=%s and %s=%s lie in each other. Choose directories apart, so that what the one holds never meets what the other does."
              .formatted(key, directory, otherKey, other));
    }
  }

  private static void log(Map<String, String> named, Errors errors) {
    String name = named.get("name");
    if (named.getOrDefault(ConnectorConfig.LOG_ID, "").isEmpty()
        && name != null
        && !ConfigForms.isLogId(name)) {
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

  private static void format(Map<String, String> named, Errors errors) {
    String format = named.getOrDefault("format.class", AVRO_FORMAT);
    if (!format.substring(format.lastIndexOf('.') + 1).equals(AVRO_FORMAT)) {
      errors.add(
          "format.class", "\"" + format + "\" is not written: files are Avro's. Remove the key.");
    }
  }

  private static void deadLetters(Map<String, String> named, Errors errors) {
    boolean configured = DeadLetterSettings.isConfigured(named);
    if (DeadLetterSettings.tolerant(named) && !configured) {
      errors.add(
          DeadLetterSettings.TOLERANCE,
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

  private static void completeness(Map<String, String> named, Errors errors) {
    try {
      CompletenessSettings.groups(named.getOrDefault(ConnectorConfig.COMPLETENESS_GROUPS, ""));
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.COMPLETENESS_GROUPS, e.getMessage() + ".");
    }
    String batches = named.getOrDefault(ConnectorConfig.COMPLETENESS_BATCHES_TOPIC, "");
    if (!batches.isEmpty()
        && List.of(named.getOrDefault("topics", "").split("\\s*,\\s*", -1)).contains(batches)) {
      errors.add(
          ConnectorConfig.COMPLETENESS_BATCHES_TOPIC,
          batches
              + " is one of the topics that the connector lands, and announcements are no Avro. Announce batches on a topic "
              + "of their own.");
    }
    boolean holdsOnDeadLetters =
        List.of(named.getOrDefault(ConnectorConfig.COMPLETENESS_HOLD_ON, "").split("\\s*,\\s*", -1))
            .contains("dead-lettered");
    if (holdsOnDeadLetters && DeadLetterSettings.frameworkMayDrop(named)) {
      errors.add(
          ConnectorConfig.COMPLETENESS_HOLD_ON,
          "dead-lettered cannot be held on here: with errors.tolerance=all the worker drops records that a transform "
              + "fails on before the connector sees them. Take dead-lettered out, or the transforms, or set "
              + "errors.tolerance=none.");
    }
    EventsTopicChecks.check(named, errors);
    String override = named.getOrDefault(ConnectorConfig.CONSUMER_ISOLATION_LEVEL, "");
    String worker = named.getOrDefault(ConnectorConfig.WORKER_ISOLATION_LEVEL, "");
    if (!override.isBlank() && !worker.isBlank() && !override.trim().equals(worker)) {
      errors.add(
          ConnectorConfig.WORKER_ISOLATION_LEVEL,
          "worker.isolation.level=%s, but consumer.override.isolation.level=%s is what the consumers have. Remove worker.isolation.level."
              .formatted(worker, override.trim()));
    }
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
  static @Nullable Long number(Map<String, String> named, String key, long defaultValue) {
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

  /** Adds messages to values, and values for keys that the definition does not have. */
  static final class Errors {
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
