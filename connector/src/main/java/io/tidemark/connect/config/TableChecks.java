package io.tidemark.connect.config;

import io.tidemark.connect.config.ConfigChecks.Errors;
import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KeyColumns;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.ZoneId;
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

  /** Checks the partitioner and the keys that it needs. */
  static void partitions(Map<String, String> named, Errors errors) {
    try {
      ZoneId.of(named.getOrDefault(ConnectorConfig.TIMEZONE, "UTC"));
    } catch (DateTimeException e) {
      errors.add(
          ConnectorConfig.TIMEZONE, e.getMessage() + ". Use a name like UTC or Europe/Berlin.");
    }
    String tag = named.getOrDefault(ConnectorConfig.LOCALE, "en-US");
    Locale locale = Locale.forLanguageTag(tag);
    if (!isKnown(locale)) {
      errors.add(
          ConnectorConfig.LOCALE,
          "\"%s\" is not a language tag: a language of two letters, and optionally a country of two capital letters. Use one like en-US."
              .formatted(tag));
    }
    withoutEffect(named, errors);
    String partitioner = named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "Unpartitioned");
    Optional<PartitionerName> known = PartitionerName.of(partitioner);
    if (known.isEmpty()) {
      custom(named, partitioner, errors);
      return;
    }
    List<String> fieldColumns = List.of();
    if (known.get().hasFields()) {
      try {
        fieldColumns =
            FieldPartitioned.parse(named.getOrDefault(ConnectorConfig.PARTITION_FIELD_NAME, ""))
                .columns();
      } catch (IllegalArgumentException e) {
        errors.add(ConnectorConfig.PARTITION_FIELD_NAME, partitioner + ": " + e.getMessage() + ".");
      }
    }
    if (known.get().hasPathFormat()) {
      pathFormat(named, partitioner, locale, fieldColumns, errors);
    }
  }

  /** Loads a user's class, as a task would load it. */
  private static void custom(Map<String, String> named, String className, Errors errors) {
    if (!ConfigForms.isClassOfTheUsers(className)) {
      return; // The value's own check reports this.
    }
    try {
      CustomPartitioned.load(className, TableSettings.settings(named));
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.PARTITIONER_CLASS, e.getMessage() + ".");
    }
  }

  private static void pathFormat(
      Map<String, String> named,
      String partitioner,
      Locale locale,
      List<String> fieldColumns,
      Errors errors) {
    String format = named.getOrDefault(ConnectorConfig.PATH_FORMAT, "");
    if (format.isEmpty()) {
      errors.add(
          ConnectorConfig.PATH_FORMAT,
          partitioner + " needs a path.format. Example: 'dt'=yyyy-MM-dd/'hour'=HH");
    } else {
      try {
        for (String column : PathFormat.parse(format, locale).columns()) {
          if (fieldColumns.contains(column)) {
            errors.add(
                ConnectorConfig.PATH_FORMAT,
                "the column \"%s\" is also made from a field of partition.field.name. Give it another name in path.format."
                    .formatted(column));
          }
        }
      } catch (IllegalArgumentException e) {
        errors.add(ConnectorConfig.PATH_FORMAT, String.valueOf(e.getMessage()));
      }
    }
    Long duration = ConfigChecks.number(named, ConnectorConfig.PARTITION_DURATION_MS, -1);
    if (duration != null && duration <= 0) {
      errors.add(
          ConnectorConfig.PARTITION_DURATION_MS,
          partitioner + " needs a partition.duration.ms above 0. Example: 3600000 for hours.");
    }
  }

  /**
   * Returns whether language and country exist; {@code english} has the syntax of a language tag,
   * too.
   */
  private static boolean isKnown(Locale locale) {
    return LANGUAGES.contains(locale.getLanguage())
        && (locale.getCountry().isEmpty() || COUNTRIES.contains(locale.getCountry()));
  }

  /** Rejects keys that have no effect with the configured partitioner or extractor. */
  private static void withoutEffect(Map<String, String> named, Errors errors) {
    withoutEffect(named)
        .forEach(
            (key, unused) ->
                errors.add(
                    key,
                    "%s has no effect with %s. Remove it, or set %s there."
                        .formatted(key, unused.with(), unused.needed())));
  }

  /**
   * The reason why a setting has no effect.
   *
   * @param with the other setting because of which the setting has no effect
   * @param needed a value of the other setting with which the setting would have an effect
   */
  private record Unused(String with, String needed) {}

  /** Returns the keys that have no effect with the configured partitioner or extractor. */
  static Set<String> keysWithoutEffect(Map<String, String> named) {
    return withoutEffect(named).keySet();
  }

  private static Map<String, Unused> withoutEffect(Map<String, String> named) {
    String className = named.getOrDefault(ConnectorConfig.PARTITIONER_CLASS, "Unpartitioned");
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
          .contains(named.getOrDefault(ConnectorConfig.PARTITION_DURATION_MS, "-1").trim())) {
        unused.put(ConnectorConfig.PARTITION_DURATION_MS, byTime);
      }
    }
    if (partitioner.filter(PartitionerName::hasFields).isEmpty()) {
      unused.put(ConnectorConfig.PARTITION_FIELD_NAME, new Unused(shown, "FieldPartitioner"));
    }
    String extractor = named.getOrDefault(ConnectorConfig.TIMESTAMP_EXTRACTOR, "Record");
    if (!extractor.equals("RecordField")) {
      unused.put(
          ConnectorConfig.TIMESTAMP_FIELD,
          new Unused(ConnectorConfig.TIMESTAMP_EXTRACTOR + "=" + extractor, "RecordField"));
    }
    if (!extractor.equals("Record") && partitioner.filter(PartitionerName::isByTime).isEmpty()) {
      unused.put(ConnectorConfig.TIMESTAMP_EXTRACTOR, new Unused(shown, "TimeBasedPartitioner"));
    }
    unused.keySet().removeIf(key -> named.getOrDefault(key, "").isBlank());
    return unused;
  }

  /** Requires converters that pass keys and headers as bytes, if they become columns. */
  static void kafkaColumns(Map<String, String> named, Errors errors) {
    Set<KafkaColumns.Column> columns;
    try {
      columns = KafkaColumns.parse(named.getOrDefault(ConnectorConfig.COLUMNS_KAFKA, ""));
    } catch (IllegalArgumentException e) {
      return; // The value's own check reports this.
    }
    requireBytes(named, columns, KafkaColumns.Column.KEY, "key.converter", errors);
    requireBytes(named, columns, KafkaColumns.Column.HEADERS, "header.converter", errors);
  }

  /** Checks the settings that rows of keys need. */
  static void keyedRows(Map<String, String> named, ScopedSettings scoped, Errors errors) {
    if (!"write".equals(named.get(ConnectorConfig.NULL_VALUES))) {
      return;
    }
    String write = ConnectorConfig.NULL_VALUES + "=write";
    if (!named
        .getOrDefault("key.converter", "")
        .trim()
        .equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          "key.converter",
          "%s lands keys as they are, but another converter may decode them. Set key.converter=%s."
              .formatted(write, ConnectorConfig.BYTE_ARRAY_CONVERTER));
    }
    boolean routed =
        named.keySet().stream()
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
    fieldsOfRows(named, "", errors);
    for (ScopedKey.Scope scope : ScopedKey.Scope.values()) {
      for (String name : scoped.names(scope)) {
        fieldsOfRows(scoped.over(scope, name), new ScopedKey(scope, name, "").toString(), errors);
      }
    }
    String format = named.getOrDefault(ConnectorConfig.REGISTRY_ID_FORMAT, "");
    boolean ofSubject =
        format.startsWith("subject-")
            || (format.isBlank() && "avro-1124".equals(named.get(ConnectorConfig.REGISTRY_API)));
    if (ofSubject && !"string".equals(named.get(ConnectorConfig.COLUMNS_KEY_FORMAT))) {
      errors.add(
          ConnectorConfig.COLUMNS_KEY_FORMAT,
          "ids of subjects are supported for values only, so Avro keys cannot be read. Set string if keys are texts, or set %s to ignore or dead-letter."
              .formatted(ConnectorConfig.NULL_VALUES));
    }
  }

  /** Checks that fields which select the Hive partition also exist in rows without a value. */
  private static void fieldsOfRows(Map<String, String> of, String prefix, Errors errors) {
    String before = of.getOrDefault(ConnectorConfig.COLUMNS_KAFKA_PREFIX, "kafka_");
    String keys = KeyColumns.keyPrefix(before);
    Set<String> inEachRow = new HashSet<>();
    inEachRow.add(KeyColumns.deletedColumn(before));
    try {
      KafkaColumns.parse(of.getOrDefault(ConnectorConfig.COLUMNS_KAFKA, ""))
          .forEach(column -> inEachRow.add(before + column.key()));
    } catch (IllegalArgumentException e) {
      return; // The value's own check reports this.
    }
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(
        ConnectorConfig.PARTITION_FIELD_NAME,
        of.getOrDefault(ConnectorConfig.PARTITION_FIELD_NAME, ""));
    if ("RecordField".equals(of.get(ConnectorConfig.TIMESTAMP_EXTRACTOR))) {
      fields.put(
          ConnectorConfig.TIMESTAMP_FIELD,
          of.getOrDefault(ConnectorConfig.TIMESTAMP_FIELD, "timestamp"));
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
      Map<String, String> named,
      Set<KafkaColumns.Column> columns,
      KafkaColumns.Column column,
      String converter,
      Errors errors) {
    if (columns.contains(column)
        && !named.getOrDefault(converter, "").trim().equals(ConnectorConfig.BYTE_ARRAY_CONVERTER)) {
      errors.add(
          converter,
          "columns.kafka lands the %s as bytes, but another converter may decode it. Set %s=%s, or leave %s out of columns.kafka."
              .formatted(
                  column.key(), converter, ConnectorConfig.BYTE_ARRAY_CONVERTER, column.key()));
    }
  }

  /** Checks the addresses of the Metastore. */
  static void hive(Map<String, String> named, Errors errors) {
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
            || parsed.getPort() <= 0
            || parsed.getRawUserInfo() != null) {
          noMetastore(uri, errors);
        }
      } catch (URISyntaxException e) {
        noMetastore(uri, errors);
      }
    }
  }

  /** Adds the error of a wrong address. It may be the Metastore's database, with a password. */
  private static void noMetastore(String uri, Errors errors) {
    errors.add(
        ConnectorConfig.HIVE_METASTORE_URIS,
        "\"" + StoreUrl.shown(uri.trim()) + "\" is not like thrift://host:9083.");
  }
}
