package io.tidemark.store.table;

import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.FieldAndTimePartitioned;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.TopicPartitioned;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The way in which a table is divided into Hive partitions, as recorded in its directory.
 *
 * <p>The settings have the names and forms of the configuration, so that an operator can restore
 * them there. Example: {@code partition.field.name=region,stop.line}. The field with the event time
 * is not among the settings, because a producer may rename it.
 */
public record RecordedLayout(List<String> columns, Map<String, String> settings) {
  private static final String PARTITIONER = "partitioner.class";
  private static final String TIME = "TimeBasedPartitioner";
  private static final String FIELD = "FieldPartitioner";
  private static final String FIELD_AND_TIME = "FieldAndTimeBasedPartitioner";
  private static final String TOPIC_PARTITION = "DefaultPartitioner";
  private static final String NONE = "Unpartitioned";
  private static final String PATH_FORMAT = "path.format";
  private static final String DURATION = "partition.duration.ms";
  private static final String ZONE = "timezone";
  private static final String LOCALE = "locale";
  private static final String FIELDS = "partition.field.name";

  public RecordedLayout {
    columns = List.copyOf(columns);
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    // Layouts of a later build may have more settings.
    Set<String> required = required(settings.getOrDefault(PARTITIONER, ""));
    if (!settings.keySet().containsAll(required)) {
      throw new IllegalArgumentException(
          "its settings are " + settings.keySet() + ", not " + new TreeSet<>(required));
    }
  }

  private static Set<String> required(String partitioner) {
    return switch (partitioner) {
      case TIME -> Set.of(PARTITIONER, PATH_FORMAT, DURATION, ZONE, LOCALE);
      case FIELD -> Set.of(PARTITIONER, FIELDS);
      case FIELD_AND_TIME -> Set.of(PARTITIONER, FIELDS, PATH_FORMAT, DURATION, ZONE, LOCALE);
      default -> Set.of(PARTITIONER);
    };
  }

  /** Returns a layout with one name for each partitioner, whichever the configuration uses. */
  public static RecordedLayout of(PartitionSpec partitioning) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(PARTITIONER, partitioner(partitioning));
    if (!(partitioning instanceof CustomPartitioned) && !partitioning.valuePaths().isEmpty()) {
      settings.put(FIELDS, String.join(",", partitioning.valuePaths()));
    }
    partitioning
        .time()
        .ifPresent(
            byTime -> {
              settings.put(PATH_FORMAT, byTime.pathFormat().toString());
              settings.put(DURATION, Long.toString(byTime.duration().toMillis()));
              settings.put(ZONE, byTime.zone().getId());
              settings.put(LOCALE, byTime.pathFormat().locale().toLanguageTag());
            });
    return new RecordedLayout(partitioning.columns(), settings);
  }

  private static String partitioner(PartitionSpec partitioning) {
    if (partitioning instanceof TimePartitioned) {
      return TIME;
    }
    if (partitioning instanceof FieldPartitioned) {
      return FIELD;
    }
    if (partitioning instanceof FieldAndTimePartitioned) {
      return FIELD_AND_TIME;
    }
    if (partitioning instanceof TopicPartitioned) {
      return TOPIC_PARTITION;
    }
    return partitioning instanceof CustomPartitioned custom ? custom.className() : NONE;
  }

  /**
   * Returns the key of the first setting that differs in another layout. A setting that only one of
   * the layouts has is of a later build, and is not compared.
   */
  public Optional<String> firstDifference(RecordedLayout other) {
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String theirs = other.settings.get(setting.getKey());
      if (theirs != null && !theirs.equals(setting.getValue())) {
        return Optional.of(setting.getKey());
      }
    }
    return columns.equals(other.columns) ? Optional.empty() : Optional.of(PARTITIONER);
  }

  public Optional<TimePartitioned> byTime() {
    String partitioner = setting(PARTITIONER);
    if (!TIME.equals(partitioner) && !FIELD_AND_TIME.equals(partitioner)) {
      return Optional.empty();
    }
    return Optional.of(
        new TimePartitioned(
            PathFormat.parse(setting(PATH_FORMAT), Locale.forLanguageTag(setting(LOCALE))),
            ZoneId.of(setting(ZONE)),
            Duration.ofMillis(Long.parseLong(setting(DURATION))),
            Optional.empty(),
            TimestampField.Unit.MILLIS));
  }

  /** Returns the partitioning as readers of the table need it: its columns, and its times. */
  public PartitionSpec partitioning() {
    return new OfReaders(columns, byTime());
  }

  private record OfReaders(List<String> columns, Optional<TimePartitioned> time)
      implements PartitionSpec {}

  private String setting(String key) {
    return Objects.requireNonNull(settings.get(key), key);
  }

  /** The settings in the form of a configuration. */
  @Override
  public String toString() {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
