package io.tidemark.registry.kafka;

import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.confluent.SubjectNameStrategy;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.WireFormat;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a serializer and a deserializer have in common; {@code docs/REGISTRY.md} lists
 * all settings.
 *
 * @param useLatest the newest schema of the subject is used
 * @param rawBytes a top-level {@code bytes} is written without its length, as by Confluent's
 *     serializer
 * @param disabledRules names of rules, and types between underscores, which are not executed
 */
record SerdeSettings(
    RegistryConfig registry,
    SubjectNameStrategy strategy,
    boolean isKey,
    boolean useLatest,
    boolean rawBytes,
    Set<String> disabledRules) {

  static final String USE_LATEST = "use.latest.version";
  private static final String TOP_LEVEL_BYTES = "top.level.bytes";

  SerdeSettings {
    disabledRules = Set.copyOf(disabledRules);
  }

  /**
   * Parses the settings.
   *
   * @throws ConfigException with all problems of the registry's settings, or one of these settings
   */
  static SerdeSettings parse(Map<String, ?> settings, boolean isKey, ConfluentKeys.Role role) {
    RegistryConfig registry;
    try {
      registry = RegistryConfig.parse(settings);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
    ConfluentKeys.requireSupported(settings, isKey, role);
    String strategyKey = ofRecord(isKey, "subject.name.strategy");
    Object strategy = settings.get(strategyKey);
    return new SerdeSettings(
        registry,
        strategy == null ? SubjectNameStrategy.TOPIC_NAME : strategy(strategyKey, strategy),
        isKey,
        flag(settings, USE_LATEST, false),
        rawBytes(settings, registry.idFormat()),
        disabledRules(settings));
  }

  /** Returns the key of a setting that differs for keys and values of records. */
  static String ofRecord(boolean isKey, String name) {
    return (isKey ? "key." : "value.") + name;
  }

  /** Returns the name of the record's header for the id. */
  String header() {
    return isKey ? WireFormat.KEY_HEADER : WireFormat.VALUE_HEADER;
  }

  private static SubjectNameStrategy strategy(String key, Object value) {
    try {
      return SubjectNameStrategy.parse(className(value));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key + ": " + e.getMessage());
    }
  }

  /** Confluent's wire format has raw bytes; other formats have Avro's encoding of any datum. */
  private static boolean rawBytes(Map<String, ?> settings, IdFormat ids) {
    @Nullable String value = text(settings, TOP_LEVEL_BYTES);
    if (value == null) {
      return ids == IdFormat.CONFLUENT;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "raw" -> true;
      case "avro" -> false;
      default -> throw new ConfigException(TOP_LEVEL_BYTES, value, "use raw or avro");
    };
  }

  private static Set<String> disabledRules(Map<String, ?> settings) {
    Set<String> names = new HashSet<>();
    for (String key : settings.keySet()) {
      if (ConfluentKeys.isSwitchOfRules(key) && flag(settings, key, false)) {
        names.add(ConfluentKeys.ruleOf(key));
      }
    }
    return names;
  }

  /** Returns a setting as text, or null if it is not set or empty. */
  static @Nullable String text(Map<String, ?> settings, String key) {
    Object value = settings.get(key);
    String text = value == null ? "" : className(value).strip();
    return text.isEmpty() ? null : text;
  }

  /** Returns a class's name, or the text of another value. */
  private static String className(Object value) {
    return value instanceof Class<?> type ? type.getName() : value.toString();
  }

  /** Returns a setting that is true or false in any case, as Kafka's settings. */
  static boolean flag(Map<String, ?> settings, String key, boolean byDefault) {
    @Nullable String value = text(settings, key);
    if (value == null) {
      return byDefault;
    }
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new ConfigException(key, value, "use true or false");
    }
    return value.equalsIgnoreCase("true");
  }
}
