package io.tidemark.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates the statements of stream-reactor.
 *
 * <p>Example: {@code insert into sales select * from orders PARTITIONBY region STOREAS avro
 * WITH_FLUSH_INTERVAL = 60} lands the topic orders in the table sales.
 */
final class Kcql {
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\s*insert\\s+into\\s+`?([^\\s`]+)`?\\s+select\\s+(.+?)\\s+from\\s+`?([^\\s`]+)`?(.*)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern PARTITIONS = clause("PARTITIONBY\\s+([\\w.]+(?:\\s*,\\s*[\\w.]+)*)");
  private static final Pattern FORMAT = clause("STOREAS\\s+['\"`]?(\\w+)['\"`]?");
  private static final Pattern INTERVAL =
      clause("(?:WITH_FLUSH_INTERVAL|'flush\\.interval')\\s*=\\s*'?(\\d{1,9})\\b'?,?");
  private static final Pattern FILES =
      clause("(?:WITH_FLUSH_(?:COUNT|SIZE)|'flush\\.(?:count|size)')\\s*=\\s*'?(\\d+)'?,?");
  private static final Pattern NOTHING =
      Pattern.compile("(?i)\\s*(AUTOCREATE)?\\s*(PROPERTIES\\s*\\(\\s*\\))?\\s*");

  private final Draft draft;
  private final String key;
  private final boolean single;
  private final List<String> tables = new ArrayList<>();

  private Kcql(Draft draft, String key, boolean single) {
    this.draft = draft;
    this.key = key;
    this.single = single;
  }

  private static Pattern clause(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }

  static void apply(Draft draft, OldSink sink) {
    for (String key : draft.left()) {
      if (key.matches("connect\\.\\w+\\.kcql")) {
        List<String> statements = List.of(draft.take(key).orElse("").strip().split("\\s*;\\s*", 0));
        draft.change(key, Draft.text("kcql.read"));
        Kcql kcql = new Kcql(draft, key, statements.size() == 1);
        statements.forEach(statement -> kcql.statement(statement, sink));
        if (!kcql.tables.isEmpty()) {
          draft.set("topic2table.map", String.join(",", kcql.tables), Draft.text("kcql", key));
          draft.check("topic2table.map", Draft.text("table.new"));
          draft.set("hive.integration", "true", Draft.text("kcql.hive"));
        }
      }
    }
  }

  private void statement(String text, OldSink sink) {
    Matcher parts = STATEMENT.matcher(text);
    if (!parts.matches()) {
      draft.lost(key, Draft.text("kcql.unknown", text));
      return;
    }
    String topic = parts.group(3);
    if (sink.writesObjects()) {
      draft.lost("%s (%s)".formatted(key, parts.group(1)), Draft.text("kcql.bucket"));
    } else {
      tables.add(topic + ":" + parts.group(1));
    }
    if (!parts.group(2).strip().equals("*")) {
      draft.lost("%s (select %s)".formatted(key, parts.group(2)), Draft.text("kcql.fields"));
    }
    String rest = parts.group(4);
    rest = partitions(topic, rest);
    Matcher format = FORMAT.matcher(rest);
    if (!format.find() || !format.group(1).equalsIgnoreCase("avro")) {
      draft.lost("%s (STOREAS)".formatted(key), Draft.text("kcql.format"));
    }
    rest = format.reset().replaceFirst("");
    Matcher interval = INTERVAL.matcher(rest);
    if (interval.find() && draft.peek("batch.interval.ms").isEmpty()) {
      draft.add("batch.interval.ms", Long.parseLong(interval.group(1)) + "000");
    }
    rest = interval.reset().replaceAll("");
    Matcher files = FILES.matcher(rest);
    if (files.find()) {
      draft.change("%s (flush count and size)".formatted(key), Draft.text("kcql.files"));
    }
    rest = files.reset().replaceAll("");
    if (!NOTHING.matcher(rest).matches()) {
      draft.lost("%s (%s)".formatted(key, rest.strip()), Draft.text("kcql.rest"));
    }
  }

  private String partitions(String topic, String rest) {
    Matcher by = PARTITIONS.matcher(rest);
    if (!by.find()) {
      return rest;
    }
    String fields = by.group(1).replaceAll("\\s+", "").replace("_value.", "");
    if (Pattern.compile("(^|,)_").matcher(fields).find()) {
      draft.lost("%s (PARTITIONBY %s)".formatted(key, fields), Draft.text("kcql.partitions"));
    } else {
      String prefix = single ? "" : "topic." + topic + ".";
      draft.set(prefix + "partitioner.class", "FieldPartitioner", Draft.text("kcql.by", key));
      draft.keep(prefix + "partition.field.name", fields);
    }
    return by.reset().replaceFirst("");
  }
}
