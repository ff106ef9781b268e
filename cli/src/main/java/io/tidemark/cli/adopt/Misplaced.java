package io.tidemark.cli.adopt;

import io.tidemark.cli.audit.RecordPlace;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.Table;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The files that are not in the directory in which Hive looks for their rows: the old sink wrote
 * values as they are, such as {@code city=50%}, and Hive escapes them, {@code city=50%25}. A name
 * can be read both ways, so the records of a file decide.
 *
 * @param moves the files to move, and their right paths
 * @param clear the directories of which the place of every file is known
 */
record Misplaced(Map<StoragePath, StoragePath> moves, Set<String> clear) {

  static final Misplaced NONE = new Misplaced(Map.of(), Set.of());

  /** The files of which the results are awaited together. */
  private static final int READ_TOGETHER = 1_000;

  private record Look(String directory, StoragePath path, Optional<StoragePath> right) {}

  /**
   * Looks at files.
   *
   * @param files where each file is read, and the path that it has, or gets by a pending rename
   * @param root the topic's directory
   * @param doubtful whether the records of the files in a directory are to be read
   */
  static Misplaced of(
      Storage storage,
      Map<StoragePath, StoragePath> files,
      StoragePath root,
      Table table,
      Predicate<String> doubtful,
      ExecutorService threads)
      throws IOException, InterruptedException {
    List<Callable<Look>> looks = new ArrayList<>();
    files.forEach(
        (at, path) -> {
          String directory = directory(root, path);
          if (doubtful.test(directory)) {
            looks.add(() -> new Look(directory, path, right(storage, at, path, directory, table)));
          }
        });
    Map<StoragePath, StoragePath> moves = new TreeMap<>(Comparator.comparing(StoragePath::value));
    Set<String> clear = new HashSet<>();
    Set<String> unclear = new HashSet<>();
    for (int from = 0; from < looks.size(); from += READ_TOGETHER) {
      for (Future<Look> each :
          threads.invokeAll(looks.subList(from, Math.min(looks.size(), from + READ_TOGETHER)))) {
        try {
          Look look = each.get();
          (look.right().isPresent() ? clear : unclear).add(look.directory());
          look.right()
              .filter(right -> !right.equals(look.path()))
              .ifPresent(right -> moves.put(look.path(), right));
        } catch (ExecutionException e) {
          throw new IOException("A file below topics.dir could not be read", e.getCause());
        }
      }
    }
    clear.removeAll(unclear);
    return new Misplaced(moves, clear);
  }

  /** Returns the files of a topic, each read where it is. */
  static Map<StoragePath, StoragePath> committed(OldFiles files) {
    Map<StoragePath, StoragePath> paths = new HashMap<>();
    files
        .committed()
        .values()
        .forEach(all -> all.forEach(each -> paths.put(each.path(), each.path())));
    return paths;
  }

  static String directory(StoragePath root, StoragePath path) {
    StoragePath parent = path.parent();
    return parent.equals(root) ? "" : parent.value().substring(root.value().length() + 1);
  }

  /** Returns the directories of files that have no other place than these, or no known one. */
  Set<String> without(Set<String> directories) {
    Set<String> left = new TreeSet<>(directories);
    left.removeAll(clear);
    return left;
  }

  /** Returns the path in which Hive looks; empty if the records do not determine one. */
  private static Optional<StoragePath> right(
      Storage storage, StoragePath at, StoragePath path, String directory, Table table)
      throws IOException {
    Optional<String> byName = byName(directory, table.partitioning().columns());
    if (byName.isPresent()) {
      return Optional.of(table.layout().root().child(byName.get()).child(path.name()));
    }
    Optional<String> right = Optional.empty();
    try (InputStream in = new BufferedInputStream(storage.open(at));
        DataFileStream<GenericRecord> records =
            new DataFileStream<>(in, new GenericDatumReader<>())) {
      Optional<RecordPlace> place = RecordPlace.of(table.partitioning(), records.getSchema());
      if (place.isEmpty()) {
        return Optional.empty();
      }
      GenericRecord reused = null;
      while (records.hasNext()) {
        reused = records.next(reused);
        String found = withNulls(place.get().of(reused), directory);
        if (found.startsWith("(") || !found.equals(right.orElse(found))) {
          return Optional.empty(); // No Hive partition, or several.
        }
        right = Optional.of(found);
      }
      return right
          .map(HivePartition::parse)
          .map(each -> table.layout().partitionDirectory(each).child(path.name()));
    } catch (AvroRuntimeException | InvalidAvroMagicException | EOFException e) {
      return Optional.empty(); // A damaged file is reported elsewhere.
    }
  }

  /**
   * Returns the directory in which only the case of the columns' names differs, such as {@code
   * countryCode=a} for the column {@code countrycode}; empty if values differ too, or nothing.
   */
  private static Optional<String> byName(String directory, List<String> columns) {
    String[] levels = directory.split("/", -1);
    if (levels.length != columns.size()) {
      return Optional.empty();
    }
    for (int i = 0; i < levels.length; i++) {
      String column = columns.get(i) + "=";
      if (levels[i].regionMatches(true, 0, column, 0, column.length())) {
        levels[i] = column + levels[i].substring(column.length());
      }
    }
    String right = String.join("/", levels);
    return Optional.of(right)
        .filter(each -> !each.equals(directory) && HiveLook.isVisible(columns, each));
  }

  /** The old sink wrote null as the text null, which Hive sees. It stays there. */
  private static String withNulls(String place, String directory) {
    List<String> levels = new ArrayList<>();
    List<String> old = List.of(directory.split("/", -1));
    for (String level : place.split("/", -1)) {
      String asText = level.replace("=" + HivePartition.DEFAULT_VALUE, "=null");
      levels.add(old.contains(asText) ? asText : level);
    }
    return String.join("/", levels);
  }
}
