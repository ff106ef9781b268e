package io.tidemark.cli.adopt;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
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

  /** Lists the files of a topic, and reads none. */
  static OldFiles list(Storage storage, StoragePath topicsDirectory, String topic)
      throws IOException {
    StoragePath directory = topicsDirectory.child(topic);
    OldFiles files =
        new OldFiles(
            new TreeMap<>(),
            new TreeMap<>(Comparator.comparing(StoragePath::value)),
            new TreeSet<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            storage.find(directory.child(OURS)).isPresent());
    walk(storage, directory, file -> files.add(directory, topic, file));
    walk(
        storage,
        topicsDirectory.child(TEMPORARY).child(topic),
        file -> files.temporary.put(file.path(), file.bytes()));
    return files;
  }

  private interface Visitor {
    void visit(StoredFile file);
  }

  private static void walk(Storage storage, StoragePath root, Visitor visitor) throws IOException {
    Deque<StoragePath> directories = new ArrayDeque<>(List.of(root));
    while (!directories.isEmpty()) {
      for (StoredFile each : storage.list(directories.pop())) {
        // Hive reads nothing below these names.
        if (each.path().name().startsWith(".") || each.path().name().startsWith("_")) {
          continue;
        }
        if (each.directory()) {
          directories.push(each.path());
        } else {
          visitor.visit(each);
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
    StoragePath parent = file.path().parent();
    partitions.add(
        parent.equals(directory) ? "" : parent.value().substring(directory.value().length() + 1));
  }

  List<OldFile> committed(int partition) {
    return committed.getOrDefault(partition, List.of());
  }

  boolean hasLeftovers() {
    return temporary.values().stream().anyMatch(bytes -> bytes > 0);
  }
}
