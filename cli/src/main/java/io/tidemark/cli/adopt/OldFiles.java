package io.tidemark.cli.adopt;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of one topic: {@code TOPICS_DIR/TOPIC/…}, and {@code TOPICS_DIR/+tmp/TOPIC/…}.
 *
 * @param committed the committed files by the number of Kafka's partition
 * @param temporary the temporary files, of all partitions of the topic
 * @param partitions the directories with committed files, relative to the topic's directory
 * @param others files that the sink did not write for this topic; Hive reads them
 * @param otherFormats files of the sink in another format than Avro
 * @param ours whether the directory already is a table of Tidemark
 */
record OldFiles(
    SortedMap<Integer, List<OldFile>> committed,
    Map<StoragePath, Long> temporary,
    Set<String> partitions,
    List<StoragePath> others,
    List<StoragePath> otherFormats,
    boolean ours) {

  /** The directory of temporary files below {@code topics.dir}. */
  static final String TEMPORARY = "+tmp";

  private static final String OURS = ".tidemark";
  private static final String EXTENSION = ".avro";

  /** Lists the files of a topic, and reads none. */
  static OldFiles list(Storage storage, OldSink sink, String topic) throws IOException {
    StoragePath topicsDirectory = sink.topicsDirectory(topic).orElseThrow();
    StoragePath directory = topicsDirectory.child(topic);
    OldFiles files =
        new OldFiles(
            new TreeMap<>(),
            new TreeMap<>(Comparator.comparing(StoragePath::value)),
            new TreeSet<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            storage.find(directory.child(OURS)).isPresent());
    // Its logs may be in the same directory.
    Optional<StoragePath> logs = sink.logsDirectory(topic).map(each -> each.child(topic));
    walk(
        storage,
        directory,
        (file, hidden) -> {
          boolean log =
              WriteAheadLog.isName(file.path()) && logs.filter(file.path()::isBelow).isPresent();
          if (!log && (!hidden || files.isOfFields(sink, directory, topic, file.path()))) {
            files.add(directory, topic, file);
          }
        });
    walk(
        storage,
        topicsDirectory.child(TEMPORARY).child(topic),
        (file, hidden) -> files.temporary.put(file.path(), file.bytes()));
    return files;
  }

  private boolean isOfFields(OldSink sink, StoragePath directory, String topic, StoragePath file) {
    return OldFile.parse(file)
            .filter(each -> each.topicPartition().topic().equals(topic))
            .isPresent()
        && sink.isOfFields(Misplaced.directory(directory, file));
  }

  private interface Visitor {
    /**
     * Visits a file.
     *
     * @param hidden whether Hive does not read it, because of its name or that of a directory
     */
    void visit(StoredFile file, boolean hidden);
  }

  private record Level(StoragePath directory, boolean hidden) {}

  private static void walk(Storage storage, StoragePath root, Visitor visitor) throws IOException {
    Deque<Level> levels = new ArrayDeque<>(List.of(new Level(root, false)));
    while (!levels.isEmpty()) {
      Level level = levels.pop();
      for (StoredFile each : storage.list(level.directory())) {
        String name = each.path().name();
        boolean hidden = level.hidden() || name.startsWith(".") || name.startsWith("_");
        if (!each.directory()) {
          visitor.visit(each, hidden);
        } else if (!hidden || !level.directory().equals(root)) {
          levels.push(new Level(each.path(), hidden));
        }
      }
    }
  }

  private void add(StoragePath directory, String topic, StoredFile file) {
    Optional<OldFile> parsed =
        OldFile.parse(file).filter(each -> each.topicPartition().topic().equals(topic));
    if (parsed.isEmpty()) {
      (OldFile.isOfAnotherFormat(file.path()) ? otherFormats : others).add(file.path());
      return;
    }
    OldFile added = parsed.get();
    committed
        .computeIfAbsent(added.topicPartition().partition(), any -> new ArrayList<>())
        .add(added);
    partitions.add(Misplaced.directory(directory, file.path()));
  }

  /** Returns other files whose names begin with that of a committed file, such as {@code ….bak}. */
  List<StoragePath> copies() {
    Set<String> names = new HashSet<>();
    committed.values().forEach(all -> all.forEach(each -> names.add(each.path().name())));
    return others.stream()
        .filter(
            each -> {
              int end = each.name().indexOf(EXTENSION);
              return end > 0 && names.contains(each.name().substring(0, end + EXTENSION.length()));
            })
        .toList();
  }

  List<OldFile> committed(int partition) {
    return committed.getOrDefault(partition, List.of());
  }

  boolean exist() {
    return !committed.isEmpty() || !others.isEmpty();
  }

  boolean hasLeftovers() {
    return temporary.values().stream().anyMatch(bytes -> bytes > 0);
  }
}
