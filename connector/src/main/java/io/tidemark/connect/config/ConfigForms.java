package io.tidemark.connect.config;

import io.tidemark.store.schema.KafkaColumns;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The validators of single values of a configuration. */
final class ConfigForms {
  // stock-quotes, orders.v2
  private static final Pattern LOG_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");
  // warehouse/raw
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._=-]*(/[A-Za-z0-9][A-Za-z0-9._=-]*)*");
  // stock_quotes
  private static final Pattern HIVE_IDENTIFIER = Pattern.compile("[A-Za-z0-9_]{1,128}");

  // ${topic}
  static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  // ${1}
  static final Pattern GROUP = Pattern.compile("\\$\\{[0-9]{1,3}}");

  // orders.v2
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  // 8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  // kafka_
  private static final Pattern COLUMN_START = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  // com.example.ByCustomer
  private static final Pattern CLASS =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_$]*)+");

  static final ConfigDef.Validator NOT_BLANK =
      validator("a text that is not blank", text -> !text.isBlank());
  static final ConfigDef.Validator LOG_ID_FORM =
      validator("letters, digits, '.', '_' and '-'", text -> text.isEmpty() || isLogId(text));
  static final ConfigDef.Validator RELATIVE_PATH =
      validator(
          "a path like warehouse/raw, with no '/' in front",
          text -> PATH.matcher(withoutEnd(text)).matches());
  static final ConfigDef.Validator LOCATION_OR_EMPTY =
      validator(
          "an absolute path in the store like /warehouse/${database}.db/${table}",
          text -> text.isEmpty() || isLocation(text));
  static final ConfigDef.Validator HIVE_DATABASE =
      validator(
          "letters, digits and '_', at most 128, with ${1} for a group",
          text -> isHiveName(GROUP.matcher(text).replaceAll("t")));
  static final ConfigDef.Validator NAME_MAP =
      read("name:table, separated by commas", NameMap::parse);
  static final ConfigDef.Validator REGEX =
      validator("a regular expression of Java", text -> value(text, Pattern::compile).isPresent());
  static final ConfigDef.Validator PARTITIONER =
      validator(
          "one of " + PartitionerName.NAMES + ", or a class's full name",
          text -> PartitionerName.of(text).isPresent() || isClassOfTheUsers(text),
          text ->
              "is not a partitioner. Set one of "
                  + PartitionerName.NAMES
                  + ", or the full name of a class of your own");
  static final ConfigDef.Validator TIMESTAMP_EXTRACTOR =
      validator(
          "one of Record, RecordField, Wallclock",
          text -> Set.of("Record", "RecordField", "Wallclock").contains(text),
          text ->
              "users' classes are not loaded. Set Record (the record's timestamp in Kafka), RecordField (timestamp.field) or Wallclock (when it is read)");

  static final ConfigDef.Validator KAFKA_COLUMNS =
      validator(
          "any of topic, partition, offset, timestamp, key, headers, separated by commas",
          text -> value(text, KafkaColumns::parse).isPresent());

  static final ConfigDef.Validator COLUMN_PREFIX =
      validator(
          "lower-case letters, digits and '_', with a letter in front",
          text -> COLUMN_START.matcher(text).matches());

  static final ConfigDef.Validator HIVE_NAME_OR_EMPTY =
      validator(
          "letters, digits and '_', at most 128, or empty",
          text -> text.isEmpty() || isHiveName(text));

  static final ConfigDef.Validator TOPIC_OR_EMPTY =
      validator(
          "a topic's name: letters, digits, '.', '_' and '-', at most 249, or empty",
          text -> text.isEmpty() || isTopic(text));

  static final ConfigDef.Validator HIVE_TABLE_PROPERTIES =
      read(HiveTableProperties.FORM, HiveTableProperties::parse);

  static final ConfigDef.Validator UUIDS =
      validator("UUIDs, separated by commas", text -> isUuids(text));

  private ConfigForms() {}

  /**
   * Whether a text is the name of a user's class. Classes of Confluent's sink need libraries that
   * the plugin does not contain.
   */
  static boolean isClassOfTheUsers(String text) {
    return CLASS.matcher(text).matches() && !text.startsWith("io.confluent.");
  }

  /** The value of a text; empty if the reader rejects it, which another check reports. */
  static <T> Optional<T> value(String text, Function<String, T> reader) {
    try {
      return Optional.of(reader.apply(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Why a reader rejects a text; empty if it does not. */
  static Optional<String> problem(String text, Function<String, ?> reader) {
    try {
      Objects.requireNonNull(reader.apply(text));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isUuids(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::trim)
        .allMatch(each -> text.isBlank() || UUID_FORM.matcher(each).matches());
  }

  /** Returns the UUIDs of a text that {@link #UUIDS} accepts. */
  static Set<UUID> uuids(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .map(UUID::fromString)
        .collect(Collectors.toUnmodifiableSet());
  }

  static boolean isLogId(String text) {
    return LOG_ID.matcher(text).matches();
  }

  private static boolean isLocation(String text) {
    String filled = PLACEHOLDER.matcher(withoutEnd(text)).replaceAll("t");
    return filled.startsWith("/") && PATH.matcher(filled.substring(1)).matches();
  }

  static boolean isHiveName(String text) {
    return HIVE_IDENTIFIER.matcher(text).matches();
  }

  /** Returns whether Kafka's brokers accept a text as the name of a topic. */
  private static boolean isTopic(String text) {
    return TOPIC.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }

  /** Returns a path without a '/' at its end. A '/' at the end has no meaning in any setting. */
  static String withoutEnd(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Creates a validator of texts that a reader accepts; its reason is the error text. */
  private static ConfigDef.Validator read(String form, Function<String, ?> reader) {
    return validator(
        form, text -> value(text, reader).isPresent(), text -> problem(text, reader).orElse(""));
  }

  private static ConfigDef.Validator validator(String form, Predicate<String> test) {
    return validator(form, test, text -> "expected " + form);
  }

  /**
   * @param form the accepted values, as text for CONFIG.md
   * @param wrong creates the error text for a rejected value
   */
  private static ConfigDef.Validator validator(
      String form, Predicate<String> test, UnaryOperator<String> wrong) {
    return new ConfigDef.Validator() {
      @Override
      public void ensureValid(String name, Object value) {
        if (value != null && !test.test((String) value)) {
          throw new ConfigException(name, value, wrong.apply((String) value));
        }
      }

      @Override
      public String toString() {
        return form;
      }
    };
  }
}
