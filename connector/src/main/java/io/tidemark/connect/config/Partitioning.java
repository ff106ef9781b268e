package io.tidemark.connect.config;

import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.FieldAndTimePartitioned;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.TopicPartitioned;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads a partitioner's settings. */
record Partitioning(ConnectorConfig config, ConfigErrors errors) {

  /** Empty if there is an error, which is added unless it is one of a single value. */
  Optional<PartitionSpec> read() {
    Optional<ZoneId> zone = zone();
    Optional<PartitionerName> known = PartitionerName.of(className());
    if (known.isEmpty()) {
      return custom();
    }
    PartitionerName name = known.get();
    Optional<FieldPartitioned> fields = name.hasFields() ? fields() : Optional.empty();
    Optional<TimePartitioned> time =
        name.hasPathFormat()
            ? byPathFormat(zone, fields.map(FieldPartitioned::columns).orElse(List.of()))
            : Optional.empty();
    return switch (name) {
      case UNPARTITIONED -> Optional.of(PartitionSpec.NONE);
      case DEFAULT -> Optional.of(new TopicPartitioned());
      case HOURLY -> zone.map(of -> time(PathFormat.HOURLY, of, name.duration().orElseThrow()));
      case DAILY -> zone.map(of -> time(PathFormat.DAILY, of, name.duration().orElseThrow()));
      case TIME_BASED -> time.map(spec -> spec);
      case FIELD -> fields.map(spec -> spec);
      case FIELD_AND_TIME ->
          fields.flatMap(outer -> time.map(inner -> new FieldAndTimePartitioned(outer, inner)));
    };
  }

  private String className() {
    return config.text(ConnectorConfig.PARTITIONER_CLASS);
  }

  private Optional<ZoneId> zone() {
    try {
      return Optional.of(ZoneId.of(config.text(ConnectorConfig.TIMEZONE)));
    } catch (DateTimeException e) {
      errors.add(
          ConnectorConfig.TIMEZONE, e.getMessage() + ". Use a name like UTC or Europe/Berlin.");
      return Optional.empty();
    }
  }

  private Optional<PartitionSpec> custom() {
    if (!ConfigForms.isClassOfTheUsers(className())) {
      return Optional.empty(); // The value's own check reports this.
    }
    try {
      return Optional.of(
          CustomPartitioned.load(
              className(), config.givenWithPrefix(ConnectorConfig.PARTITIONER_CONFIG_PREFIX)));
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.PARTITIONER_CLASS, e.getMessage() + ".");
      return Optional.empty();
    }
  }

  private Optional<FieldPartitioned> fields() {
    try {
      return Optional.of(FieldPartitioned.parse(config.text(ConnectorConfig.PARTITION_FIELD_NAME)));
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.PARTITION_FIELD_NAME, className() + ": " + e.getMessage() + ".");
      return Optional.empty();
    }
  }

  private Optional<TimePartitioned> byPathFormat(Optional<ZoneId> zone, List<String> fields) {
    Optional<PathFormat> format = pathFormat(fields);
    Long durationMs = ConfigChecks.number(config, ConnectorConfig.PARTITION_DURATION_MS);
    if (durationMs != null && durationMs <= 0) {
      errors.add(
          ConnectorConfig.PARTITION_DURATION_MS,
          className() + " needs a partition.duration.ms above 0. Example: 3600000 for hours.");
    }
    return durationMs == null || durationMs <= 0
        ? Optional.empty()
        : zone.flatMap(of -> format.map(path -> time(path, of, Duration.ofMillis(durationMs))));
  }

  private Optional<PathFormat> pathFormat(List<String> fields) {
    String text = config.text(ConnectorConfig.PATH_FORMAT);
    if (text.isEmpty()) {
      errors.add(
          ConnectorConfig.PATH_FORMAT,
          className() + " needs a path.format. Example: 'dt'=yyyy-MM-dd/'hour'=HH");
      return Optional.empty();
    }
    try {
      PathFormat format = PathFormat.parse(text, locale());
      List<String> twice = format.columns().stream().filter(fields::contains).toList();
      twice.forEach(
          column ->
              errors.add(
                  ConnectorConfig.PATH_FORMAT,
                  "the column \"%s\" is also made from a field of partition.field.name. Give it another name in path.format."
                      .formatted(column)));
      return Optional.of(format).filter(apart -> twice.isEmpty());
    } catch (IllegalArgumentException e) {
      errors.add(ConnectorConfig.PATH_FORMAT, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Locale locale() {
    return Locale.forLanguageTag(config.text(ConnectorConfig.LOCALE));
  }

  private TimePartitioned time(String pathFormat, ZoneId zone, Duration duration) {
    return time(PathFormat.parse(pathFormat, locale()), zone, duration);
  }

  private TimePartitioned time(PathFormat format, ZoneId zone, Duration duration) {
    boolean byField = config.text(ConnectorConfig.TIMESTAMP_EXTRACTOR).equals("RecordField");
    return new TimePartitioned(
        format,
        zone,
        duration,
        byField ? Optional.of(config.text(ConnectorConfig.TIMESTAMP_FIELD)) : Optional.empty(),
        TimestampField.Unit.of(config.text(ConnectorConfig.TIMESTAMP_UNIT)));
  }
}
