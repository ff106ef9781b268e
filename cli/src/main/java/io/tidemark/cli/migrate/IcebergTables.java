package io.tidemark.cli.migrate;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates the catalog, the tables and their partitions of Iceberg's sink. */
final class IcebergTables {
  private static final String TABLES = "iceberg.tables";
  private static final String WAREHOUSE = "iceberg.catalog.warehouse";
  private static final String COMMIT_INTERVAL = "iceberg.control.commit.interval-ms";

  // days(ts), hour(created_at)
  private static final Pattern BY_TIME = Pattern.compile("(day|hour)s?\\(\\s*([\\w.]+)\\s*\\)");
  private static final Pattern BY_FIELDS = Pattern.compile("[\\w.]+(\\s*,\\s*[\\w.]+)*");

  private IcebergTables() {}

  static void apply(Draft draft) {
    catalog(draft);
    tables(draft);
    if (draft.peek(COMMIT_INTERVAL).isEmpty()) {
      draft.add("batch.interval.ms", "300000"); // Iceberg's default.
    }
    draft.lost("Iceberg", Draft.text("iceberg.format"));
  }

  private static void catalog(Draft draft) {
    Optional<String> type = draft.take("iceberg.catalog.type");
    if (type.filter("hive"::equalsIgnoreCase).isPresent()) {
      draft.keep("hive.integration", "true");
      draft.renamed("iceberg.catalog.type", "hive.integration", Draft.text("iceberg.hive"));
      draft
          .peek("iceberg.catalog.uri")
          .ifPresent(uri -> draft.rename("iceberg.catalog.uri", "hive.metastore.uris", ""));
    } else {
      draft.lost("iceberg.catalog.type", Draft.text("iceberg.catalog"));
    }
    // A catalog by REST has a name as its warehouse.
    if (draft.peek(WAREHOUSE).filter(url -> url.contains("://")).isPresent()) {
      draft.rename(WAREHOUSE, "store.url", "");
    }
  }

  private static void tables(Draft draft) {
    List<String> tables = List.of(draft.peek(TABLES).orElse("").trim().split("\\s*,\\s*", -1));
    String table = tables.get(0);
    boolean routed = draft.peek("iceberg.tables.route-field").isPresent();
    if (tables.size() > 1 || routed || !table.matches("[^.]+\\.[^.]+")) {
      draft.take(TABLES).ifPresent(several -> draft.lost(TABLES, Draft.text("iceberg.tables")));
      return;
    }
    draft.take(TABLES);
    draft.keep("topic2table.map", "*:" + table);
    draft.renamed(TABLES, "topic2table.map", Draft.text("iceberg.table"));
    draft.check("topic2table.map", Draft.text("table.new"));
    String own = "iceberg.table." + table + ".partition-by";
    for (String key : List.of(own, "iceberg.tables.default-partition-by")) {
      Optional<String> by = draft.take(key);
      if (by.isPresent() && !draft.has("partitioner.class")) {
        partition(draft, key, by.get().trim());
      }
    }
  }

  private static void partition(Draft draft, String key, String by) {
    Matcher time = BY_TIME.matcher(by);
    if (time.matches()) {
      boolean daily = time.group(1).equals("day");
      draft.keep("partitioner.class", daily ? "DailyPartitioner" : "HourlyPartitioner");
      draft.keep("timestamp.extractor", "RecordField");
      draft.keep("timestamp.field", time.group(2));
      draft.renamed(key, "partitioner.class", Draft.text("iceberg.partition"));
    } else if (BY_FIELDS.matcher(by).matches()) {
      draft.keep("partitioner.class", "FieldPartitioner");
      draft.keep("partition.field.name", by);
      draft.renamed(key, "partitioner.class", Draft.text("iceberg.partition"));
    } else {
      draft.lost(key, Draft.text("iceberg.partitions"));
    }
  }
}
