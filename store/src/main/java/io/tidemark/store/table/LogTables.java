package io.tidemark.store.table;

import io.tidemark.store.PrintableText;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of one log directory, called "log" in this class: a file for each table. The file is
 * put if absent, before a task first stages files in the table. So recovery finds every staging
 * directory. Files never change, so each is read once. Thread-safe.
 *
 * <p>Example: {@code /logs/stock-quotes/+tables/default.quotes.json} contains {@code {"version":1,
 * "table":"default.quotes","root":"/topics/quotes","topic":"quotes"}}.
 */
public final class LogTables {
  private static final Logger LOG = LoggerFactory.getLogger(LogTables.class);
  private static final String DIRECTORY = "+tables";
  private static final String EXTENSION = ".json";
  private static final JsonFormat<Listed> FORMAT =
      JsonFormat.fixed("the place of a table", Listed.class)
          .withoutCopy(
              "If there is none, remove it and restart the tasks: a claim then records the present table again. Only staged files in a former root of the table are not cleaned up.");

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;
  private final Map<String, Listed> known = new ConcurrentHashMap<>();

  /** A table, and the topic whose records are staged in it. */
  private record Listed(TableName table, StoragePath root, String topic, String chosenFor) {
    static Listed of(TableName name, TableLayout layout, String topic) {
      return new Listed(name, layout.root(), topic, layout.chosenFor());
    }

    TableLayout layout() {
      return new TableLayout(root, chosenFor);
    }
  }

  /** Example of a log directory: {@code /logs/stock-quotes}. */
  public LogTables(Storage storage, StoragePath log) {
    this.storage = storage;
    this.directory = log.child(DIRECTORY);
    this.files = new PutIfAbsent(storage, directory);
  }

  /** Adds a table in which a topic's records are staged, unless the list has it already. */
  public void add(TableName table, TableLayout layout, String topic)
      throws IOException, CorruptLogException {
    Listed ours = Listed.of(table, layout, topic);
    List<StoredFile> before = storage.list(directory);
    String name = table.toString();
    if (!put(fileName(name), ours, before)) {
      // Another root or another topic is recorded under the table's name.
      String other = (layout.root() + " " + topic + " " + layout.chosenFor()).stripTrailing();
      put(fileName(name + "+" + TableLayout.hash(other)), ours, before);
    }
  }

  /**
   * Rejects a table if another topic in the log directory had the table's catalog name first. The
   * names of such topics differ only in characters that the catalog does not allow. Topics whose
   * {@code configured} tables are the same share it. Call this method after {@link #add}.
   */
  public void requireOwnName(
      TableName table, TableLayout layout, String topic, Function<String, List<Table>> configured)
      throws IOException, CorruptLogException, TableTakenException {
    String name = fileName(table.toString());
    Listed first = read(name);
    if (!first.topic().equals(topic)
        && !first.equals(Listed.of(table, layout, first.topic()))
        && configured.apply(first.topic()).stream()
            .noneMatch(each -> each.name().equals(table) && each.layout().equals(layout))) {
      throw new TableTakenException(
          "the topics %1$s and %2$s map to the same Hive table %3$s, and %1$s had it first (file %4$s%5$s). No record of %2$s is landed; other topics land. Remove this topic from topics or topics.regex, and create a connector with another hive.table.name for it. If %1$s is no longer needed, drop its table in Hive, remove that file, and restart the connector."
              .formatted(first.topic(), topic, table, storage.location(), directory.child(name)));
    }
  }

  /**
   * Rejects a table whose directory equals, contains or is inside the directory of another topic's
   * {@code configured} table: each table would show the other's rows.
   */
  public void requireOwnPlace(
      TableName table, TableLayout layout, String topic, Function<String, List<Table>> configured)
      throws IOException, CorruptLogException, TableTakenException {
    for (Listed listed : all()) {
      if (listed.topic().equals(topic)
          || listed.table().equals(table)
          || !overlap(listed.root(), layout.root())) {
        continue;
      }
      for (Table other : configured.apply(listed.topic())) {
        if (!other.name().equals(table) && overlap(other.layout().root(), layout.root())) {
          throw new TableTakenException(
              "the topics %1$s and %2$s have the tables %3$s and %4$s, whose directories %5$s%6$s and %7$s overlap, so each table would show the other's rows. No record of %2$s is landed; other topics land. Give each a directory of its own, with ${topic} or ${table} in hive.table.location, or by table.%4$s.hive.table.location."
                  .formatted(
                      listed.topic(),
                      topic,
                      other.name(),
                      table,
                      storage.location(),
                      other.layout().root(),
                      layout.root()));
        }
      }
    }
  }

  private static boolean overlap(StoragePath one, StoragePath other) {
    return one.equals(other) || one.isBelow(other) || other.isBelow(one);
  }

  /**
   * Rejects a table that the catalog has with files below a former root: a catalog has only one
   * location for a name. Called if tables are registered, before anything is committed. The catalog
   * is not read. For a table that was never moved, only the list of tables is read.
   */
  public void requireFormerRoot(TableRoot table)
      throws IOException, CorruptLogException, LayoutChangedException {
    for (TableLayout former : roots(table.table())) {
      if (!former.root().equals(table.root()) && isRegistered(table.table(), former)) {
        String marker = new MarkerFiles(storage, former).place(table.table());
        throw new LayoutChangedException(
            "topics.dir",
            "%s is registered in Hive with the files below %s (marker: %s), but new files would be written to %s, where Hive would not find them. Put the former topics.dir or hive.table.location back, or set another hive.table.name: records from the log's next offset then land in a new table. If Hive is to have the table in the new place, without the rows in the former one, drop it in Hive (the files of an external table stay), remove %s, and restart the connector with hive.integration=false until each topic-partition of the table has landed a batch, and then with hive.integration=true."
                .formatted(table.table(), former.root(), marker, table.root(), marker));
      }
    }
  }

  /** Without a recorded layout nothing has landed, so the catalog has no table at this root. */
  private boolean isRegistered(TableName table, TableLayout former) throws CorruptLogException {
    try {
      return new MarkerFiles(storage, former).isRegistered(table)
          && new LayoutFile(storage, former).read().isPresent();
    } catch (IOException e) {
      LOG.warn(
          "{}: {}, a former root of the table, cannot be read: {}",
          table,
          former.root(),
          PrintableText.of(e));
      return false;
    }
  }

  /** Returns the first topic of the log that had a table of this name; empty if there is none. */
  public Optional<String> firstTopic(TableName table) throws IOException, CorruptLogException {
    String name = fileName(table.toString());
    return known.containsKey(name) || storage.find(directory.child(name)).isPresent()
        ? Optional.of(read(name).topic())
        : Optional.empty();
  }

  /** Returns whether the existing or created file has this content. */
  private boolean put(String name, Listed ours, List<StoredFile> before)
      throws IOException, CorruptLogException {
    if (before.stream().noneMatch(file -> file.path().name().equals(name))) {
      known.remove(name);
      files.put(name, FORMAT.write(ours));
    }
    files.removeLeftovers(before, Set.of(name));
    return read(name).equals(ours);
  }

  /** Returns the layouts of the tables in which any task of the log staged records of a topic. */
  public Set<TableLayout> of(String topic) throws IOException, CorruptLogException {
    return roots(listed -> listed.topic().equals(topic));
  }

  public Set<String> topics() throws IOException, CorruptLogException {
    return all().stream().map(Listed::topic).collect(Collectors.toCollection(TreeSet::new));
  }

  public Set<TableLayout> roots(TableName table) throws IOException, CorruptLogException {
    return roots(listed -> listed.table().equals(table));
  }

  private Set<TableLayout> roots(Predicate<Listed> wanted) throws IOException, CorruptLogException {
    return all().stream()
        .filter(wanted)
        .map(Listed::layout)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<Listed> all() throws IOException, CorruptLogException {
    List<Listed> all = new ArrayList<>();
    for (StoredFile file : storage.list(directory)) {
      String name = file.path().name();
      if (!name.startsWith(".") && name.endsWith(EXTENSION)) {
        all.add(read(name));
      }
    }
    return all;
  }

  private static String fileName(String table) {
    return TableLayout.visibleName(table, EXTENSION);
  }

  private Listed read(String name) throws IOException, CorruptLogException {
    Listed before = known.get(name);
    if (before != null) {
      return before;
    }
    StoragePath file = directory.child(name);
    Listed listed =
        FORMAT
            .find(storage, file)
            .orElseThrow(() -> new IOException(file + " was removed while it was read"));
    known.put(name, listed);
    return listed;
  }
}
