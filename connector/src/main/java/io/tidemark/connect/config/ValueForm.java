package io.tidemark.connect.config;

import static io.tidemark.connect.config.ConfigForms.problem;
import static io.tidemark.connect.config.ConfigForms.value;

import io.tidemark.store.schema.KafkaColumns;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The forms of values that {@code keys.txt} names. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum ValueForm implements ConfigDef.Validator {
  NOT_BLANK("a text that is not blank", text -> !text.isBlank()),
  LOG_ID(
      "letters, digits, '.', '_' and '-'",
      text -> text.isEmpty() || ConfigForms.IS_LOG_ID.test(text)),
  // nn/_HOST@EXAMPLE.COM; Hadoop would replace ${env.SECRET} by a variable of the worker
  PRINCIPAL("a principal", text -> text.matches("[\\w./@-]*")),
  RELATIVE_PATH("a path like warehouse/raw, with no '/' in front", ConfigForms::isRelativePath),
  LOCATION_OR_EMPTY(
      "an absolute path in the store like /warehouse/${database}.db/${table}",
      text -> text.isEmpty() || ConfigForms.isLocation(text)),
  HIVE_DATABASE(
      "letters, digits and '_', at most 128, with ${1} for a group",
      text -> ConfigForms.IS_HIVE_NAME.test(ConfigForms.GROUP.matcher(text).replaceAll("t"))),
  HIVE_NAME_OR_EMPTY(
      "letters, digits and '_', at most 128, or empty",
      text -> text.isEmpty() || ConfigForms.IS_HIVE_NAME.test(text)),
  TOPIC_OR_EMPTY(
      "a topic's name: letters, digits, '.', '_' and '-', at most 249, or empty",
      text -> text.isEmpty() || ConfigForms.isTopic(text)),
  NAME_MAP(
      "name:table, separated by commas",
      text -> value(text, NameMap::parse).isPresent(),
      text -> problem(text, NameMap::parse).orElse("")),
  REGEX("a regular expression of Java", text -> value(text, Pattern::compile).isPresent()),
  PARTITIONER(
      "one of " + PartitionerName.NAMES + ", or a class's full name",
      text -> PartitionerName.of(text).isPresent() || ConfigForms.isClassOfTheUsers(text),
      text ->
          "is not a partitioner. Set one of "
              + PartitionerName.NAMES
              + ", or the full name of a class of your own"),
  TIMESTAMP_EXTRACTOR(
      "one of Record, RecordField, Wallclock",
      text -> Set.of("Record", "RecordField", "Wallclock").contains(text),
      text ->
          "users' classes are not loaded. Set Record (the record's timestamp in Kafka), RecordField (timestamp.field) or Wallclock (when it is read)"),
  KAFKA_COLUMNS(
      "any of topic, partition, offset, timestamp, key, headers, separated by commas",
      text -> value(text, KafkaColumns::parse).isPresent()),
  // kafka_
  COLUMN_PREFIX(
      "lower-case letters, digits and '_', with a letter in front",
      text -> text.matches("[a-z][a-z0-9_]{0,63}")),
  HIVE_TABLE_PROPERTIES(
      "NAME=VALUE, separated by commas, or empty",
      text -> value(text, HiveTableProperties::parse).isPresent(),
      text -> problem(text, HiveTableProperties::parse).orElse("")),
  ON_SCHEMA_CONFLICT(
      "hold-topic, dead-letter, table:SUFFIX or table:SUFFIX,view:ANOTHER with letters, digits and '_'",
      ConfigForms.IS_ON_CONFLICT),
  UUIDS(
      "UUIDs, separated by commas",
      text ->
          text.isBlank()
              || Stream.of(text.split(",", -1)).map(String::trim).allMatch(ConfigForms.IS_UUID));

  private final String form;
  private final Predicate<String> test;
  private final UnaryOperator<String> wrong;

  ValueForm(String form, Predicate<String> test) {
    this(form, test, text -> "expected " + form);
  }

  /** {@code form} is for CONFIG.md; {@code wrong} creates the error text of a rejected value. */
  ValueForm(String form, Predicate<String> test, UnaryOperator<String> wrong) {
    this.form = form;
    this.test = test;
    this.wrong = wrong;
  }

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
}
