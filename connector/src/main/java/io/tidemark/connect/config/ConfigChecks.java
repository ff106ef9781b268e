package io.tidemark.connect.config;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.registry.config.InvalidRegistryConfigException;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.store.PrintableText;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a configuration that concern several keys, or more than the syntax of one value.
 * The REST API returns their errors together with those of single values, all at once.
 */
public final class ConfigChecks {
  private static final Set<String> ISOLATION_LEVELS = Set.of("read_committed", "read_uncommitted");

  /** Keys whose values may contain a user and a password. */
  private static final List<String> URLS =
      List.of(
          ConnectorConfig.STORE_URL,
          ConnectorConfig.REGISTRY_URL,
          ConnectorConfig.HIVE_METASTORE_URIS);

  private ConfigChecks() {}

  /** Adds the errors of these checks to a configuration's values. */
  public static void check(ConnectorConfig config, Config answer) {
    ConfigErrors errors = ConfigErrors.into(answer);
    ScopedSettings scoped = new ScopedSettings(config);
    oneMessageForEachMistake(answer);
    keys(config.given(), errors);
    store(config, errors);
    log(config, errors);
    framework(config, errors);
    TransformChecks.check(config, errors);
    deadLetters(config, errors);
    schemaConflicts(config, errors);
    registry(config.given(), errors);
    codec(config, errors);
    SchemaMapping unused = TableSettings.mapping(config, errors);
    TableChecks.partitions(config, errors);
    TableChecks.kafkaColumns(config, errors);
    TableChecks.keyedRows(config, scoped, errors);
    TableChecks.hive(config, errors);
    new RoutingChecks(config, scoped, NamedTopics.of(config), errors).check();
    batchFitsMemory(config, errors);
    smallFiles(config, errors);
    completeness(config, errors);
    hidePasswords(answer);
  }

  /** Returns the warnings about a valid configuration, each with its key in front. */
  public static List<String> warnings(ConnectorConfig config) {
    List<String> warnings = new ArrayList<>(HdfsSinkKeys.warnings(config.given()));
    HdfsSinkKeys.otherDefaults(config.given())
        .forEach((key, text) -> warnings.add(key + " " + text));
    return warnings;
  }

  /** Rejects unknown keys, and keys of Confluent's sink that Tidemark does not support. */
  private static void keys(Map<String, String> named, ConfigErrors errors) {
    Map<String, String> refused = HdfsSinkKeys.refused(named);
    refused.forEach(errors::add);
    if (!refused.isEmpty()) {
      // Also keys whose defaults differ from Confluent's: alone, they are only logged as warnings.
      HdfsSinkKeys.otherDefaults(named).forEach(errors::add);
    }
    UnknownKeys.check(named, errors);
  }

  /** Removes the range error of a value that has a syntax error already. */
  private static void oneMessageForEachMistake(Config config) {
    for (ConfigValue value : config.configValues()) {
      List<String> messages = value.errorMessages();
      if (messages.size() > 1) {
        messages.removeIf(message -> message.startsWith("Invalid value null for configuration"));
      }
    }
  }

  /** Hides passwords in URLs: the response repeats the values, with placeholders replaced. */
  private static void hidePasswords(Config config) {
    for (ConfigValue value : config.configValues()) {
      if (URLS.contains(value.name()) && value.value() instanceof String url) {
        value.value(PrintableText.withoutCredentials(url));
      }
    }
  }

  private static void store(ConnectorConfig config, ConfigErrors errors) {
    Optional.ofNullable(config.given().get(ConnectorConfig.STORE_URL))
        .flatMap(StoreUrl::problem)
        .ifPresent(problem -> errors.add(ConnectorConfig.STORE_URL, problem));
    LocalFiles.problems(config).forEach(errors::add);
    KerberosChecks.check(config, errors);
    String directory = config.text(ConnectorConfig.HADOOP_CONF_DIR);
    if (!directory.isEmpty()
        && !new File(directory, "core-site.xml").isFile()
        && !new File(directory, "hdfs-site.xml").isFile()) {
      errors.add(
          ConnectorConfig.HADOOP_CONF_DIR,
          "the directory %s has neither core-site.xml nor hdfs-site.xml, or does not exist on this worker. Create it with these files on every worker, or remove the key."
              .formatted(directory));
    }
    apart(ConnectorConfig.LOGS_DIR, ConnectorConfig.TOPICS_DIR, config, errors);
    apart(ConnectorConfig.LEDGER_DIR, ConnectorConfig.TOPICS_DIR, config, errors);
    apart(ConnectorConfig.LEDGER_DIR, ConnectorConfig.LOGS_DIR, config, errors);
    location(config, errors);
  }

  /** Rejects a table location that overlaps with one of the connector's other directories. */
  static void location(ConnectorConfig config, ConfigErrors errors) {
    String location = config.text(ConnectorConfig.HIVE_TABLE_LOCATION);
    if (!location.startsWith("/")) {
      return;
    }
    String path = ConfigForms.withoutEnd(location).substring(1);
    for (String key :
        List.of(ConnectorConfig.TOPICS_DIR, ConnectorConfig.LOGS_DIR, ConnectorConfig.LEDGER_DIR)) {
      String other = ConfigForms.withoutEnd(config.text(key));
      if (mayMeet(path.split("/", -1), other.split("/", -1))) {
        inEachOther(ConnectorConfig.HIVE_TABLE_LOCATION, location, key, other, errors);
      }
    }
  }

  /** Whether the paths may be equal or one in the other, for any values of the placeholders. */
  private static boolean mayMeet(String[] template, String[] path) {
    for (int i = 0; i < Math.min(template.length, path.length); i++) {
      String component = Pattern.quote(template[i]);
      String any = ConfigForms.PLACEHOLDER.matcher(component).replaceAll("\\\\E.+\\\\Q");
      if (!path[i].matches(any)) {
        return false;
      }
    }
    return true;
  }

  private static void apart(
      String key, String otherKey, ConnectorConfig config, ConfigErrors errors) {
    String directory = ConfigForms.withoutEnd(config.text(key));
    String other = ConfigForms.withoutEnd(config.text(otherKey));
    if ((directory + "/").startsWith(other + "/") || (other + "/").startsWith(directory + "/")) {
      inEachOther(key, directory, otherKey, other, errors);
    }
  }

  private static void inEachOther(
      String key, String directory, String otherKey, String other, ConfigErrors errors) {
    errors.add(
        key,
        "%s=%s and %s=%s overlap. Choose directories apart: neither may be in the other."
            .formatted(key, directory, otherKey, other));
  }

  private static void log(ConnectorConfig config, ConfigErrors errors) {
    String name = config.given().get("name");
    boolean used = config.text(ConnectorConfig.LOG_ID).isEmpty();
    if (used && name != null && !ConfigForms.IS_LOG_ID.test(name)) {
      errors.add(
          ConnectorConfig.LOG_ID,
          "the connector's name \"%s\" cannot be the name of its log's directory. Set log.id to a name of letters, digits, '.', '_' and '-'."
              .formatted(name));
    }
  }

  /** Requires values of keys whose defaults come from the worker: it cannot read these. */
  private static void framework(ConnectorConfig config, ConfigErrors errors) {
    String converter = config.text(ConnectorConfig.VALUE_CONVERTER);
    String toSet =
        "Set %s=%s."
            .formatted(ConnectorConfig.VALUE_CONVERTER, ConnectorConfig.BYTE_ARRAY_CONVERTER);
    if (converter.isBlank()) {
      errors.add(
          ConnectorConfig.VALUE_CONVERTER,
          "is not set. The worker's default may decode the records, but Tidemark needs their raw bytes. "
              + toSet);
    } else if (!converter.trim().equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          ConnectorConfig.VALUE_CONVERTER,
          "\"%s\" may change the records, but Tidemark needs their raw bytes. %s"
              .formatted(converter, toSet));
    }
    String override = config.text(ConnectorConfig.CONSUMER_ISOLATION_LEVEL);
    String worker = config.text(ConnectorConfig.WORKER_ISOLATION_LEVEL);
    if (override.isBlank() && worker.isBlank()) {
      errors.add(
          ConnectorConfig.CONSUMER_ISOLATION_LEVEL,
          "is not set. By Kafka's default, read_uncommitted, records of aborted transactions would land. Set consumer.override.isolation.level=read_committed. If the worker permits no consumer.override., set worker.isolation.level to the value of consumer.isolation.level in the worker's properties.");
    } else if (!override.isBlank() && !worker.isBlank() && !override.trim().equals(worker)) {
      errors.add(
          ConnectorConfig.WORKER_ISOLATION_LEVEL,
          "worker.isolation.level=%s, but the consumers use consumer.override.isolation.level=%s. Remove worker.isolation.level."
              .formatted(worker, override.trim()));
    } else if (!override.isBlank() && !ISOLATION_LEVELS.contains(override.trim())) {
      errors.add(
          ConnectorConfig.CONSUMER_ISOLATION_LEVEL,
          "\"%s\" is not an isolation level of Kafka. Set read_committed."
              .formatted(override.trim()));
    }
  }

  private static void deadLetters(ConnectorConfig config, ConfigErrors errors) {
    boolean configured = config.hasDeadLetterTopic();
    if (config.toleratesErrors() && !configured) {
      errors.add(
          ConnectorConfig.ERRORS_TOLERANCE,
          "errors.tolerance=all without a dead letter topic would drop records, with only a line in the log. Set errors.deadletterqueue.topic.name, or errors.tolerance=none.");
    }
    for (String key : List.of(ConnectorConfig.NULL_VALUES, ConnectorConfig.UNROUTED)) {
      if (config.text(key).equals("dead-letter") && !configured) {
        errors.add(
            key,
            "%s=dead-letter needs a dead letter topic. Set errors.tolerance=all and errors.deadletterqueue.topic.name."
                .formatted(key));
      }
    }
  }

  /** Rejects dead letters without a topic for them, and a second table where there can be none. */
  static void schemaConflicts(ConnectorConfig config, ConfigErrors errors) {
    String value = config.text(ConnectorConfig.ON_SCHEMA_CONFLICT);
    if (value.equals("dead-letter") && !config.hasDeadLetterTopic()) {
      errors.add(
          ConnectorConfig.ON_SCHEMA_CONFLICT,
          "%s=dead-letter needs a dead letter topic. Set errors.tolerance=all and errors.deadletterqueue.topic.name."
              .formatted(ConnectorConfig.ON_SCHEMA_CONFLICT));
    }
    boolean rows = config.text(ConnectorConfig.NULL_VALUES).equals("write");
    if (config.conflictSuffix().isPresent()
        && (rows || !config.text(ConnectorConfig.FIELD_MAP).isBlank())) {
      errors.add(
          ConnectorConfig.ON_SCHEMA_CONFLICT,
          "%s: a record with another schema cannot choose a second table, because %s. Set hold-topic or dead-letter, or remove that key."
              .formatted(
                  value,
                  rows
                      ? ConnectorConfig.NULL_VALUES + "=write needs one table"
                      : ConnectorConfig.FIELD_MAP + " chooses the table by a value"));
    }
  }

  private static void registry(Map<String, String> named, ConfigErrors errors) {
    try {
      RegistryConfig.parse(named);
    } catch (InvalidRegistryConfigException e) {
      boolean noUrl = named.getOrDefault(ConnectorConfig.REGISTRY_URL, "").isBlank();
      for (InvalidRegistryConfigException.Problem problem : e.problems()) {
        // If the URL is missing, the key's own check reports that.
        if (!noUrl || !problem.key().equals(ConnectorConfig.REGISTRY_URL)) {
          boolean unknown =
              named.containsKey(problem.key()) && !RegistryConfig.keys().contains(problem.key());
          errors.add(
              problem.key(),
              unknown
                  ? problem + " The nearest is " + UnknownKeys.nearest(problem.key()) + "."
                  : problem.toString());
        }
      }
    }
  }

  static void codec(ConnectorConfig config, ConfigErrors errors) {
    String codec = config.text(ConnectorConfig.AVRO_CODEC);
    String level = config.text(ConnectorConfig.AVRO_CODEC_LEVEL);
    if (level.isEmpty() || !BlockCodec.NAMES.contains(codec)) {
      return;
    }
    try {
      BlockCodec.of(codec, Integer.parseInt(level.trim()));
    } catch (NumberFormatException e) {
      return; // Reported by the key's own check.
    } catch (IllegalArgumentException e) {
      errors.add(
          ConnectorConfig.AVRO_CODEC_LEVEL,
          "%s=%s: %s.".formatted(ConnectorConfig.AVRO_CODEC, codec, e.getMessage()));
    }
  }

  private static void completeness(ConnectorConfig config, ConfigErrors errors) {
    ConfigForms.problem(
            config.text(ConnectorConfig.COMPLETENESS_GROUPS), CompletenessSettings::groups)
        .ifPresent(problem -> errors.add(ConnectorConfig.COMPLETENESS_GROUPS, problem + "."));
    String batches = config.text(ConnectorConfig.COMPLETENESS_BATCHES_TOPIC);
    if (!batches.isEmpty() && NamedTopics.of(config).contains(batches)) {
      errors.add(
          ConnectorConfig.COMPLETENESS_BATCHES_TOPIC,
          "%s is one of the connector's topics, and announcements are not Avro records. Announce batches on a topic of their own."
              .formatted(batches));
    }
    holdOn(config, errors);
    events(config, errors);
  }

  /** Rejects {@code dead-lettered} if the worker may drop records before it passes them on. */
  static void holdOn(ConnectorConfig config, ConfigErrors errors) {
    boolean holdsOnDeadLetters =
        List.of(config.text(ConnectorConfig.COMPLETENESS_HOLD_ON).split("\\s*,\\s*", -1))
            .contains("dead-lettered");
    if (holdsOnDeadLetters && config.workerMayDrop()) {
      errors.add(
          ConnectorConfig.COMPLETENESS_HOLD_ON,
          "dead-lettered has no effect on some records: with errors.tolerance=all the worker drops a record on which a transform fails, before the connector sees it. Remove dead-lettered or the transforms, or set errors.tolerance=none.");
    }
  }

  private static void events(ConnectorConfig config, ConfigErrors errors) {
    String key = ConnectorConfig.COMPLETENESS_EVENTS_TOPIC;
    String topic = config.text(key);
    if (topic.isEmpty()) {
      return;
    }
    if (NamedTopics.of(config).contains(topic)) {
      errors.add(
          key,
          "the connector would land its own events: %s is one of the topics that it reads. Choose another topic, or remove it from topics or topics.regex."
              .formatted(topic));
    }
    if (topic.equals(config.text(ConnectorConfig.DEAD_LETTER_TOPIC).trim())) {
      errors.add(
          key, "%s is also the dead letter topic. Give each a topic of its own.".formatted(topic));
    }
    if ("false".equalsIgnoreCase(config.text(ConnectorConfig.COMPLETENESS_ENABLED).trim())) {
      errors.add(
          key,
          "events are sent from the ledger, and completeness.enabled=false disables the ledger. Set completeness.enabled=true, or remove this key.");
    }
  }

  private static void batchFitsMemory(ConnectorConfig config, ConfigErrors errors) {
    Long memory = number(config, ConnectorConfig.MEMORY_BYTES);
    Long block = number(config, ConnectorConfig.AVRO_BLOCK_SIZE_BYTES);
    if (memory != null && block != null && memory < 16 * block) {
      errors.add(
          ConnectorConfig.MEMORY_BYTES,
          "memory.bytes=%d is less than 16 blocks of avro.block.size.bytes=%d. Raise memory.bytes or lower avro.block.size.bytes."
              .formatted(memory, block));
    }
  }

  private static void smallFiles(ConnectorConfig config, ConfigErrors errors) {
    Long least = number(config, ConnectorConfig.FILE_MIN_BYTES);
    Long delay = number(config, ConnectorConfig.FILE_MAX_DELAY_MS);
    Long interval = number(config, ConnectorConfig.BATCH_INTERVAL_MS);
    if (least != null && least > 0 && delay != null && interval != null && delay < interval) {
      errors.add(
          ConnectorConfig.FILE_MAX_DELAY_MS,
          "file.max.delay.ms=%d is less than batch.interval.ms=%d, so file.min.bytes has no effect. Raise file.max.delay.ms or lower batch.interval.ms."
              .formatted(delay, interval));
    }
  }

  /** Returns a key's number; null if it is not a number, which the key's own check reports. */
  static @Nullable Long number(ConnectorConfig config, String key) {
    return ConfigForms.value(config.text(key).trim(), Long::valueOf).orElse(null);
  }
}
