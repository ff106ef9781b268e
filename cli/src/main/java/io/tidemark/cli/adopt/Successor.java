package io.tidemark.cli.adopt;

import io.tidemark.cli.deployment.ConnectorServices;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.LogIdentity;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;
import org.apache.avro.Schema;

/**
 * The connector that continues after the old sink.
 *
 * @param connector its configuration
 * @param migrated the same configuration with the partitioner's settings of the old sink, as {@code
 *     tidemark migrate} translates them
 * @param catalog the Metastore; empty if it is not to be compared
 * @param threads reads the headers of files
 */
public record Successor(
    ConnectorServices connector,
    ConnectorServices migrated,
    Optional<ReadOnlyCatalog> catalog,
    ExecutorService threads) {

  boolean hive() {
    return connector.hasCatalog();
  }

  StoragePath logDirectory() {
    return connector.logsRoot().child(connector.logId());
  }

  CommitLog log(Storage storage, TopicPartition topicPartition) {
    return CommitLog.of(storage, connector.logsRoot(), connector.logId(), topicPartition);
  }

  /** Returns the only table of a topic; empty if there are several, or none. */
  Optional<Table> table(String topic) {
    List<Table> tables = connector.tables(topic);
    return tables.size() == 1 ? Optional.of(tables.get(0)) : Optional.empty();
  }

  /**
   * Returns the name of a topic's table in Hive; empty if it has none, or several, which is refused
   * elsewhere.
   */
  Optional<String> hiveTable(String topic) {
    return table(topic).filter(each -> each.options().inHive()).map(each -> each.name().toString());
  }

  /**
   * Returns why the new connector's log of a topic-partition is not that of an adoption at this
   * offset; empty if it is, or if there is none.
   */
  Optional<String> otherLog(Storage storage, TopicPartition of, long next)
      throws IOException, CorruptLogException {
    Optional<LogState> found = log(storage, of).last().map(each -> each.entry().state());
    return found
        .filter(each -> !each.adopted() || each.first() != next)
        .map(
            each ->
                "the log has entries, and begins at %s, not at offset %d after the old sink's files. The new connector was started before the adoption, or the old one after it"
                    .formatted(
                        each.first() == LogState.UNKNOWN ? "no offset" : "offset " + each.first(),
                        next));
  }

  /** Returns whether a topic was adopted before: a log of it begins with an adoption. */
  boolean adopted(Storage storage, String topic) throws IOException {
    try {
      for (TopicPartition each : CommitLog.topicPartitions(storage, logDirectory(), topic)) {
        if (log(storage, each).last().filter(last -> last.entry().state().adopted()).isPresent()) {
          return true;
        }
      }
      return false;
    } catch (CorruptLogException e) {
      throw new IOException(PrintableText.messageOf(e), e);
    }
  }

  static final String CURE_OF_OTHER_LOG =
      "Stop both, and compare their files with Kafka. If the new connector has landed nothing,"
          + " remove its log directory and its table's .tidemark and .staging, and repeat.";

  /** Returns whether no other connector than this one has begun to use a directory as a table. */
  boolean owns(Storage storage, StoragePath directory) throws IOException {
    try {
      Optional<UUID> own = LogOwner.uuid(storage, logDirectory());
      return new TableOwner(storage, new TableLayout(directory))
          .owners().stream().map(LogIdentity::uuid).allMatch(each -> own.equals(Optional.of(each)));
    } catch (CorruptLogException e) {
      throw new IOException(PrintableText.messageOf(e), e);
    }
  }

  /**
   * Returns the files that are not in the directory in which Hive looks for their rows. Without
   * Hive these are only the files of values with a slash, which have more levels of directories.
   *
   * @param files where each file is read, and the path that it has, or will have
   */
  Misplaced misplaced(
      Storage storage,
      OldSink sink,
      String topic,
      StoragePath directory,
      Map<StoragePath, StoragePath> files)
      throws IOException, InterruptedException {
    Optional<Table> table = table(topic);
    if (table.isEmpty() || !table.get().layout().root().equals(directory)) {
      return Misplaced.NONE; // It is refused.
    }
    List<String> columns = table.get().partitioning().columns();
    // city=a/b/grade=1: a value may have a slash.
    Pattern ofColumns = OldSink.columnsWithValues(columns);
    boolean inHive = hive() && sink.columns().isPresent();
    return Misplaced.of(
        storage,
        files,
        directory,
        table.get(),
        each ->
            ofColumns.matcher(each).matches()
                && (inHive
                    ? !HiveLook.isVisible(columns, each)
                    : !columns(each).equals(Optional.of(columns))),
        threads);
  }

  /**
   * Compares the topic's table with the old sink's directory.
   *
   * @param directories those whose names must have the columns of the table
   */
  void check(
      Storage storage,
      OldSink sink,
      String topic,
      StoragePath directory,
      OldFiles files,
      Set<String> directories,
      Findings findings)
      throws IOException, InterruptedException {
    if (!connector.reads(topic)) {
      findings.refuse(
          "the new connector does not read it", "Add it to topics or topics.regex, or exclude it.");
      return;
    }
    Optional<Table> table = table(topic);
    if (table.isEmpty()) {
      findings.refuse(
          "the new connector lands it in %d tables".formatted(connector.tables(topic).size()),
          "Give it one table. The old sink had one for each topic.");
      return;
    }
    if (!table.get().layout().root().equals(directory)) {
      findings.refuse(
          "the new connector has its table in %s".formatted(table.get().layout().root()),
          "Set topics.dir or hive.table.location, so that it is in %s.".formatted(directory));
    }
    checkLayout(topic, table.get(), directories, findings);
    checkLogs(sink, topic, findings);
    if (hive() && table.get().options().inHive()) {
      String own = table.get().name().toString();
      findings.note(
          own.equals(sink.hiveTable(topic))
              ? "the new connector continues Hive's table %s".formatted(own)
              : "the new connector has the table %s in Hive. The old one, %s, stays as it is"
                  .formatted(own, sink.hiveTable(topic)));
    }
    Optional<Schema> schema = OldSchemas.examine(storage, files, this, table.get(), findings);
    if (schema.isPresent() && catalog.isPresent() && table.get().options().inHive()) {
      checkCatalog(storage, table.get(), schema.get(), catalog.get(), findings);
    }
  }

  /** Of another table of this name, the connector would only find out with its first batch. */
  private void checkCatalog(
      Storage storage, Table table, Schema schema, ReadOnlyCatalog hive, Findings findings)
      throws IOException {
    try {
      hive.requireFit(
          new TableDefinition(
              table.name(),
              storage.location() + table.layout().root(),
              schema,
              table.partitioning().columns(),
              connector.tableParameters()));
    } catch (CatalogConflictException e) {
      findings.refuse(
          "Hive's table %s cannot be continued: %s"
              .formatted(table.name(), PrintableText.messageOf(e)),
          "Set another hive.table.name: the new connector makes this table over the same"
              + " directories, with the old and the new files, and the old table stays as it is.");
    }
  }

  private void checkLogs(OldSink sink, String topic, Findings findings) {
    StoragePath own = logDirectory();
    sink.logsDirectory(topic)
        .map(each -> each.child(topic))
        .filter(each -> each.equals(own) || each.isBelow(own) || own.isBelow(each))
        .ifPresent(
            each ->
                findings.refuse(
                    "its old logs in %s and the log directory %s of the new connector overlap"
                        .formatted(each, own),
                    "Set another log.id or logs.dir for the new connector."));
  }

  private void checkLayout(String topic, Table table, Set<String> directories, Findings findings) {
    RecordedLayout own = RecordedLayout.of(table.partitioning());
    List<Table> asBefore = migrated.tables(topic);
    Optional<PartitionSpec> before =
        asBefore.size() == 1 ? Optional.of(asBefore.get(0).partitioning()) : Optional.empty();
    Optional<String> difference =
        before.map(RecordedLayout::of).flatMap(layout -> layout.firstDifference(own));
    if (difference.isPresent()) {
      findings.refuse(
          "%s differs: the old directories need %s, and the new connector has %s"
              .formatted(difference.get(), RecordedLayout.of(before.orElseThrow()).toString(), own),
          "Take these settings from the output of tidemark migrate.");
      return;
    }
    Set<String> others = new TreeSet<>();
    for (String each : directories) {
      if (!columns(each).equals(Optional.of(own.columns()))) {
        others.add(PrintableText.of(each));
      }
    }
    if (!others.isEmpty()) {
      findings.refuse(
          "%d directories have not the columns %s: %s"
              .formatted(others.size(), own.columns(), Findings.list(List.copyOf(others))),
          "If these directories are of other settings of the sink, move them out of the table."
              + " Otherwise begin a new table, with another topics.dir.");
    }
  }

  /** Returns the columns of a directory; values may have characters that Hive escapes. */
  private static Optional<List<String>> columns(String directory) {
    if (directory.isEmpty()) {
      return Optional.of(List.of());
    }
    List<String> columns = new ArrayList<>();
    for (String level : directory.split("/", -1)) {
      int equals = level.indexOf('=');
      if (equals <= 0) {
        return Optional.empty();
      }
      columns.add(level.substring(0, equals));
    }
    return Optional.of(columns);
  }
}
