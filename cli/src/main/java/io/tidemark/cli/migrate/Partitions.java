package io.tidemark.cli.migrate;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Handles the partitioner and its settings. */
final class Partitions {
  private static final String PARTITIONER = "partitioner.class";
  private static final String FIELDS = "partition.field.name";
  private static final String FORMAT = "path.format";
  private static final String DURATION = "partition.duration.ms";
  private static final String EXTRACTOR = "timestamp.extractor";
  private static final String TIME_FIELD = "timestamp.field";

  private static final Set<String> BY_TIME_AND_FORMAT =
      Set.of("TimeBasedPartitioner", "FieldAndTimeBasedPartitioner");
  private static final Set<String> BY_TIME = Set.of("HourlyPartitioner", "DailyPartitioner");
  private static final Set<String> BY_FIELD =
      Set.of("FieldPartitioner", "FieldAndTimeBasedPartitioner");
  private static final Set<String> OTHERS = Set.of("DefaultPartitioner", "Unpartitioned");

  /** The old extractors' classes, by the last part of their names. */
  private static final Map<String, String> EXTRACTORS =
      Map.of(
          "Record", "Record",
          "RecordField", "RecordField",
          "Wallclock", "Wallclock",
          "RecordTimestampExtractor", "Record",
          "RecordFieldTimestampExtractor", "RecordField",
          "WallclockTimestampExtractor", "Wallclock");

  private Partitions() {}

  static void apply(Draft draft, OldSink sink) {
    String old = draft.take(PARTITIONER).orElse("").trim();
    String name = old.substring(Math.max(old.lastIndexOf('.'), old.lastIndexOf('$')) + 1);
    boolean byFormat = BY_TIME_AND_FORMAT.contains(name);
    boolean byTime = byFormat || BY_TIME.contains(name);
    boolean byField = BY_FIELD.contains(name);
    if (old.isEmpty()) {
      if (sink.isConfluents()) {
        draft.set(PARTITIONER, "DefaultPartitioner", Draft.text("partitioner.default"));
      }
    } else if (!byTime && !byField && !OTHERS.contains(name)) {
      draft.lost(PARTITIONER + "=" + old, Draft.text("partitioner.other"));
    } else if (old.equals(name)) {
      draft.keep(PARTITIONER, name);
    } else {
      draft.set(
          PARTITIONER,
          name,
          Draft.text(old.startsWith("io.confluent.") ? "partitioner" : "partitioner.fork"));
    }
    if (byField) {
      draft.take(FIELDS).ifPresent(fields -> draft.keep(FIELDS, fields));
      draft.check(FIELDS, Draft.text(FIELDS));
    }
    if (byFormat) {
      format(draft);
      draft.take(DURATION).ifPresent(duration -> draft.keep(DURATION, duration));
    }
    if (byTime) {
      time(draft, sink);
    }
    for (String key : new String[] {FIELDS, FORMAT, DURATION, EXTRACTOR, TIME_FIELD}) {
      draft.take(key).ifPresent(unused -> draft.change(key, Draft.text("partition.unused")));
    }
    locale(draft);
  }

  private static void format(Draft draft) {
    Optional<String> format = draft.take(FORMAT);
    if (format.isEmpty() || Draft.isProvided(format.get())) {
      format.ifPresent(provided -> draft.keep(FORMAT, provided));
      return;
    }
    TimePaths paths = TimePaths.of(format.get());
    if (paths.isSame()) {
      draft.keep(FORMAT, format.get());
    } else {
      draft.set(
          FORMAT,
          paths.format(),
          Draft.text(paths.isNamed() ? "path.named" : "path.year", format.get()));
    }
    if (paths.hasText()) {
      draft.check(FORMAT, Draft.text("path.text"));
    }
  }

  private static void time(Draft draft, OldSink sink) {
    Optional<String> old = draft.take(EXTRACTOR);
    String simple = old.orElse("").trim().replaceAll(".*[.$]", "");
    String extractor = EXTRACTORS.getOrDefault(simple, "Record");
    if (old.isEmpty() && sink.isConfluents()) {
      extractor = "Wallclock";
      draft.set(EXTRACTOR, extractor, Draft.text("extractor.default"));
    } else if (old.isPresent() && !EXTRACTORS.containsKey(simple)) {
      draft.lost(EXTRACTOR + "=" + old.get(), Draft.text("extractor.other"));
    } else if (old.filter(extractor::equals).isPresent()) {
      draft.keep(EXTRACTOR, extractor);
    } else if (old.isPresent()) {
      draft.set(EXTRACTOR, extractor, Draft.text("extractor"));
    }
    if (extractor.equals("Wallclock")) {
      draft.check(EXTRACTOR, Draft.text("extractor.wallclock"));
    }
    if (extractor.equals("RecordField")) {
      draft.take(TIME_FIELD).ifPresent(field -> draft.keep(TIME_FIELD, field));
    }
  }

  /** Corrects {@code es_ES} and {@code US}, which the old sink accepted. */
  private static void locale(Draft draft) {
    Optional<String> old = draft.take("locale");
    if (old.isEmpty()) {
      return;
    }
    String text = old.get().trim().replace('_', '-');
    Locale locale = Locale.forLanguageTag(text.matches("[A-Z]{2}") ? "en-" + text : text);
    if (locale.getLanguage().isEmpty() || locale.toLanguageTag().equals(old.get())) {
      draft.keep("locale", old.get());
    } else {
      draft.set("locale", locale.toLanguageTag(), Draft.text("locale"));
    }
  }
}
