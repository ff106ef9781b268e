package io.tidemark.connect.it.landed;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import io.tidemark.stack.WebHdfs;
import io.tidemark.store.StoragePath;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of a topic: its files in HDFS, and its rows in HiveServer2. */
public final class LandedTable {

  /** The Hive database of all tables. The connectors create it. */
  public static final String DATABASE = "landed";

  private static final Pattern SCHEMA = Pattern.compile("/(\\d{10})\\.avsc$");

  private final LocalStack services;
  private final WebHdfs hdfs;
  private final String topic;
  private final String root;

  public LandedTable(LocalStack services, String topic) {
    this.services = services;
    this.hdfs = services.hdfs().files();
    this.topic = topic;
    this.root = TableLayout.of(new StoragePath("/topics"), topic).root().value();
  }

  /** The name for SQL. Example: {@code landed.`whole_path`}. */
  public String name() {
    return DATABASE + ".`" + tableName() + "`";
  }

  private String tableName() {
    return TableName.of(DATABASE, topic).table();
  }

  /** The files that Hive reads, by path, with their lengths. */
  public Map<String, Long> published() {
    return walk(root).stream()
        .filter(file -> !isHidden(file.path()))
        .collect(Collectors.toMap(WebHdfs.Entry::path, WebHdfs.Entry::lengthBytes));
  }

  /** The files that are still being written, or that were left. */
  public List<String> staged() {
    return walk(root + "/.staging").stream()
        .map(WebHdfs.Entry::path)
        .filter(path -> !path.contains("/published+")) // the last mark
        .toList();
  }

  public LandedFile read(String path) {
    try {
      return LandedFile.read(path, hdfs.read(path));
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }

  /** The keys of all rows in published files. */
  public List<RowKey> keysInFiles() {
    List<RowKey> keys = new ArrayList<>();
    published().keySet().forEach(path -> keys.addAll(read(path).keys()));
    return keys;
  }

  /** The keys of all rows that Hive finds. */
  public List<RowKey> keysInHive() {
    return query("SELECT source, seq FROM " + name()).stream()
        .map(row -> new RowKey((Integer) row.get(0), (Long) row.get(1)))
        .toList();
  }

  /** The rows of a query. */
  public List<List<@Nullable Object>> query(String sql) {
    try {
      return services.hive().query(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /**
   * Fails unless the published files, and Hive if the stack has a HiveServer2, contain exactly
   * these rows, each once.
   */
  public void assertHoldsExactly(Collection<RowKey> expected) {
    RowDifference.assertNone("the files of " + root, expected, keysInFiles());
    if (services.has(Service.HIVE_SERVER)) {
      RowDifference.assertNone("Hive's " + name(), expected, keysInHive());
    }
  }

  /** The table as the Metastore shows it; empty if it does not know it. */
  public Optional<CatalogTable> inCatalog() {
    return CatalogTable.in(services, DATABASE, tableName());
  }

  /** The directory of the table. */
  public String root() {
    return root;
  }

  /** The Hive partitions that contain files. Example: {@code dt=2026-11-21/hour=07}. */
  public Set<String> partitionsOfFiles() {
    Set<String> partitions = new TreeSet<>();
    for (String path : published().keySet()) {
      int end = path.lastIndexOf('/');
      if (end > root.length()) {
        partitions.add(path.substring(root.length() + 1, end));
      }
    }
    return partitions;
  }

  /** The Hive partitions that the Metastore knows. */
  public Set<String> partitionsInHive() {
    return query("SHOW PARTITIONS " + name()).stream()
        .map(row -> String.valueOf(row.get(0)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The files of the log's batches that are not published, or still staged. */
  public Optional<String> unpublished(LandedLog log) {
    Map<String, Long> published = published();
    Map<String, Long> committed = new HashMap<>();
    for (LogEntry batch : log.batches()) {
      for (JsonNode file : batch.files()) {
        committed.put(file.path("path").asText(), file.path("bytes").asLong());
      }
    }
    if (!published.equals(committed)) {
      return Optional.of(
          "%d files are published in %s, and %d committed"
              .formatted(published.size(), root, committed.size()));
    }
    List<String> staged = staged();
    return staged.isEmpty() ? Optional.empty() : Optional.of(staged + " are still staged");
  }

  /** The newest schema or the Hive partitions that are not registered yet. */
  public Optional<String> unregistered() {
    Optional<CatalogTable> found = inCatalog();
    if (found.isEmpty()) {
      return Optional.of("Hive does not know " + name());
    }
    int registered = found.get().schemaVersion();
    int newest = newestSchemaVersion();
    if (registered != newest) {
      return Optional.of(
          "%s has version %d of its schema in Hive, and %d in its files"
              .formatted(name(), registered, newest));
    }
    Set<String> partitions = partitionsOfFiles();
    if (partitions.isEmpty()) {
      return Optional.empty();
    }
    Set<String> known =
        services.has(Service.HIVE_SERVER) ? partitionsInHive() : found.get().locations().keySet();
    return known.equals(partitions)
        ? Optional.empty()
        : Optional.of("Hive knows " + known + " of " + partitions);
  }

  /** Of the files of the table's schemas; 0 without one. */
  private int newestSchemaVersion() {
    return walk(root + "/.tidemark/schemas").stream()
        .map(file -> SCHEMA.matcher(file.path()))
        .filter(Matcher::find)
        .mapToInt(file -> Integer.parseInt(file.group(1)))
        .max()
        .orElse(0);
  }

  private boolean isHidden(String path) {
    return path.substring(root.length()).contains("/.")
        || path.substring(root.length()).contains("/_");
  }

  private List<WebHdfs.Entry> walk(String directory) {
    try {
      return hdfs.walk(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(directory, e);
    }
  }
}
