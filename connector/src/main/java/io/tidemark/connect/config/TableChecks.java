package io.tidemark.connect.config;

import io.tidemark.connect.hive.MetastoreAccess;
import io.tidemark.connect.hive.MetastoreSettings;
import io.tidemark.store.PrintableText;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KeyColumns;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The checks of the settings of tables: Hive partitions, columns, rows of keys, Metastore. */
final class TableChecks {

  private static final Set<String> LANGUAGES = Set.of(Locale.getISOLanguages());
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());

  private TableChecks() {}

  static void partitions(ConnectorConfig config, ConfigErrors errors) {
    String tag = config.text(ConnectorConfig.LOCALE);
    if (!isKnown(Locale.forLanguageTag(tag))) {
      errors.add(
          ConnectorConfig.LOCALE,
          "\"%s\" is not a language tag: a language of two letters, and optionally a country of two capital letters. Use one like en-US."
              .formatted(tag));
    }
    withoutEffect(config)
        .forEach(
            (key, unused) ->
                errors.add(
                    key,
                    "%s has no effect with %s. Remove it, or set %s there."
                        .formatted(key, unused.with(), unused.needed())));
    new Partitioning(config, errors).read();
  }

  /** Whether language and country exist: {@code english} has the syntax of a language tag, too. */
  private static boolean isKnown(Locale locale) {
    return LANGUAGES.contains(locale.getLanguage())
        && (locale.getCountry().isEmpty() || COUNTRIES.contains(locale.getCountry()));
  }

  /** The setting because of which another has no effect, and the value that it would need. */
  record Unused(String with, String needed) {}

  /** The keys that have no effect with the configured partitioner or extractor. */
  static Map<String, Unused> withoutEffect(ConnectorConfig config) {
    String className = config.text(ConnectorConfig.PARTITIONER_CLASS);
    Optional<PartitionerName> partitioner = PartitionerName.of(className);
    if (partitioner.isEmpty() && !ConfigForms.isClassOfTheUsers(className)) {
      return Map.of();
    }
    Map<String, Unused> unused = new LinkedHashMap<>();
    String shown = ConnectorConfig.PARTITIONER_CLASS + "=" + className;
    if (partitioner.filter(PartitionerName::hasPathFormat).isEmpty()) {
      Unused byTime = new Unused(shown, "TimeBasedPartitioner");
      unused.put(ConnectorConfig.PATH_FORMAT, byTime);
      String length =
          partitioner.flatMap(PartitionerName::duration).map(d -> "" + d.toMillis()).orElse("-1");
      if (!List.of("-1", length)
          .contains(config.text(ConnectorConfig.PARTITION_DURATION_MS).trim())) {
        unused.put(ConnectorConfig.PARTITION_DURATION_MS, byTime);
      }
    }
    if (partitioner.filter(PartitionerName::hasFields).isEmpty()) {
      unused.put(ConnectorConfig.PARTITION_FIELD_NAME, new Unused(shown, "FieldPartitioner"));
    }
    String extractor = config.text(ConnectorConfig.TIMESTAMP_EXTRACTOR);
    if (!extractor.equals("RecordField")) {
      Unused byField =
          new Unused(ConnectorConfig.TIMESTAMP_EXTRACTOR + "=" + extractor, "RecordField");
      unused.put(ConnectorConfig.TIMESTAMP_FIELD, byField);
      unused.put(ConnectorConfig.TIMESTAMP_UNIT, byField);
    }
    if (!extractor.equals("Record") && partitioner.filter(PartitionerName::isByTime).isEmpty()) {
      unused.put(ConnectorConfig.TIMESTAMP_EXTRACTOR, new Unused(shown, "TimeBasedPartitioner"));
    }
    unused.keySet().removeIf(key -> config.given().getOrDefault(key, "").isBlank());
    return unused;
  }

  /** Requires converters that pass keys and headers as bytes, if they become columns. */
  static void kafkaColumns(ConnectorConfig config, ConfigErrors errors) {
    Set<KafkaColumns.Column> columns =
        KafkaColumns.parse(config.getString(ConnectorConfig.COLUMNS_KAFKA));
    requireBytes(config, columns, KafkaColumns.Column.KEY, "key.converter", errors);
    requireBytes(config, columns, KafkaColumns.Column.HEADERS, "header.converter", errors);
  }

  static void keyedRows(ConnectorConfig config, ScopedSettings scoped, ConfigErrors errors) {
    if (!config.text(ConnectorConfig.NULL_VALUES).equals("write")) {
      return;
    }
    String write = ConnectorConfig.NULL_VALUES + "=write";
    if (!config.text("key.converter").trim().equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          "key.converter",
          "%s lands keys as they are, but another converter may decode them. Set key.converter=%s."
              .formatted(write, ConnectorConfig.BYTE_ARRAY_CONVERTER));
    }
    boolean routed =
        config.given().keySet().stream()
            .map(key -> ScopedKey.parse(key).map(ScopedKey::key).orElse(key))
            .anyMatch(
                key ->
                    key.equals(ConnectorConfig.RECORD_MAP)
                        || key.equals(ConnectorConfig.FIELD_MAP));
    if (routed) {
      errors.add(
          ConnectorConfig.NULL_VALUES,
          "a record without a value has neither a record name nor fields, so no rule of %s or %s selects its table. Remove those keys, or set ignore or dead-letter here."
              .formatted(ConnectorConfig.RECORD_MAP, ConnectorConfig.FIELD_MAP));
    }
    fieldsOfRows(config, "", errors);
    for (ScopedKey.Scope scope : ScopedKey.Scope.values()) {
      for (String name : scoped.names(scope)) {
        fieldsOfRows(scoped.over(scope, name), new ScopedKey(scope, name, "").toString(), errors);
      }
    }
    String format = config.text(ConnectorConfig.REGISTRY_ID_FORMAT);
    boolean ofSubject =
        format.startsWith("subject-")
            || (format.isBlank() && config.text(ConnectorConfig.REGISTRY_API).equals("avro-1124"));
    if (ofSubject && !config.text(ConnectorConfig.COLUMNS_KEY_FORMAT).equals("string")) {
      errors.add(
          ConnectorConfig.COLUMNS_KEY_FORMAT,
          "ids of subjects are supported for values only, so Avro keys cannot be read. Set string if keys are texts, or set %s to ignore or dead-letter."
              .formatted(ConnectorConfig.NULL_VALUES));
    }
  }

  /** Checks that fields which select the Hive partition also exist in rows without a value. */
  private static void fieldsOfRows(ConnectorConfig of, String prefix, ConfigErrors errors) {
    String before = of.text(ConnectorConfig.COLUMNS_KAFKA_PREFIX);
    String keys = KeyColumns.keyPrefix(before);
    if (of.text("unwrap").equals("debezium")) {
      errors.add(
          prefix + "unwrap",
          "debezium makes a row of each delete, so tombstones need none. Set %s to ignore or dead-letter."
              .formatted(ConnectorConfig.NULL_VALUES));
    }
    Set<String> inEachRow = new HashSet<>();
    inEachRow.add(KeyColumns.deletedColumn(before));
    if (of.wrong().containsKey(ConnectorConfig.COLUMNS_KAFKA)) {
      return;
    }
    KafkaColumns.parse(of.getString(ConnectorConfig.COLUMNS_KAFKA))
        .forEach(column -> inEachRow.add(before + column.key()));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(ConnectorConfig.PARTITION_FIELD_NAME, of.text(ConnectorConfig.PARTITION_FIELD_NAME));
    if (of.text(ConnectorConfig.TIMESTAMP_EXTRACTOR).equals("RecordField")) {
      fields.put(ConnectorConfig.TIMESTAMP_FIELD, of.text(ConnectorConfig.TIMESTAMP_FIELD));
    }
    fields.forEach(
        (key, value) -> {
          boolean lacking =
              Stream.of(value.split(",", -1))
                  .map(String::trim)
                  .anyMatch(
                      field ->
                          !field.isEmpty()
                              && !field.startsWith(keys)
                              && !inEachRow.contains(field));
          if (lacking) {
            errors.add(
                prefix + key,
                "a record without a value has no field %s, and %s=write makes it a row. Name fields of the key, which begin with %s, or use the record's timestamp, topic, partition or offset in Kafka."
                    .formatted(value, ConnectorConfig.NULL_VALUES, keys));
          }
        });
  }

  private static void requireBytes(
      ConnectorConfig config,
      Set<KafkaColumns.Column> columns,
      KafkaColumns.Column column,
      String converter,
      ConfigErrors errors) {
    if (columns.contains(column)
        && !config.text(converter).trim().equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          converter,
          "columns.kafka lands the %1$s as bytes, but another converter may decode it. Set %2$s=%3$s, or leave %1$s out of columns.kafka."
              .formatted(column.key(), converter, ConnectorConfig.BYTE_ARRAY_CONVERTER));
    }
  }

  static void hive(ConnectorConfig config, ConfigErrors errors) {
    if (!Boolean.parseBoolean(config.text(ConnectorConfig.HIVE_INTEGRATION))) {
      return;
    }
    String uris = config.text(ConnectorConfig.HIVE_METASTORE_URIS);
    if (uris.isBlank()) {
      errors.add(
          ConnectorConfig.HIVE_METASTORE_URIS,
          "hive.integration=true needs the Metastore's address. Example: thrift://host:9083");
      return;
    }
    for (String uri : uris.split(",", -1)) {
      if (ConfigForms.value(uri, each -> MetastoreSettings.of(each, MetastoreAccess.OF_THE_PROCESS))
          .isEmpty()) {
        // It may be the address of the Metastore's database, with a password.
        errors.add(
            ConnectorConfig.HIVE_METASTORE_URIS,
            "\"%s\" is not like thrift://host:9083."
                .formatted(PrintableText.withoutCredentials(uri.trim())));
      }
    }
  }
}
