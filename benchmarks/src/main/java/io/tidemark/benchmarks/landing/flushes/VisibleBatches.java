package io.tidemark.benchmarks.landing.flushes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.WebHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks for batches that have become visible in Hive: the log has an entry for the batch, its files
 * have their published names, and their Hive partitions are registered. Used by one thread.
 */
public final class VisibleBatches implements AutoCloseable {

  // Example: 00000000000000000003.json
  private static final Pattern ENTRY = Pattern.compile("\\d{20}\\.json");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final WebHdfs files;
  private final HivePartitions hivePartitions;
  private final String logs;
  private final int topicPartitions;
  private final Map<Integer, String> lastEntries = new HashMap<>();
  private final List<Batch> pending = new ArrayList<>();
  private Set<String> registered = Set.of();
  private long filesOfBatches;

  /**
   * A batch of offsets.
   *
   * @param next excluded
   */
  public record Batch(
      int topicPartition, long first, long next, List<String> paths, Set<String> hivePartitions) {
    public Batch {
      paths = List.copyOf(paths);
      hivePartitions = Set.copyOf(hivePartitions);
    }
  }

  /**
   * Prepares to look for the batches of one topic.
   *
   * @param logs the directory of the topic's logs. Example: {@code /logs/quotes/quotes}
   */
  public VisibleBatches(
      WebHdfs files, HivePartitions hivePartitions, String logs, int topicPartitions) {
    this.files = files;
    this.hivePartitions = hivePartitions;
    this.logs = logs;
    this.topicPartitions = topicPartitions;
  }

  /** Returns the batches that were not visible at the last look. */
  public List<Batch> look() throws IOException {
    for (int i = 0; i < topicPartitions; i++) {
      readEntries(i);
    }
    Map<String, Set<String>> directories = new HashMap<>();
    List<Batch> visible = new ArrayList<>();
    for (Batch batch : pending) {
      if (isPublished(batch, directories) && isRegistered(batch)) {
        visible.add(batch);
      }
    }
    pending.removeAll(visible);
    return visible;
  }

  /** Returns the number of files of all batches so far. */
  public long files() {
    return filesOfBatches;
  }

  private void readEntries(int topicPartition) throws IOException {
    String log = logs + "/" + topicPartition;
    for (String entry : list(log)) {
      String name = entry.substring(entry.lastIndexOf('/') + 1);
      if (ENTRY.matcher(name).matches()
          && name.compareTo(lastEntries.getOrDefault(topicPartition, "")) > 0) {
        read(topicPartition, JSON.readTree(files.read(entry)));
        lastEntries.put(topicPartition, name);
      }
    }
  }

  private void read(int topicPartition, JsonNode entry) {
    if (!entry.path("type").asText().equals("batch")) {
      return;
    }
    List<String> paths = new ArrayList<>();
    Set<String> partitions = new HashSet<>();
    for (JsonNode file : entry.path("files")) {
      paths.add(file.path("path").asText());
      partitions.add(file.path("hivePartition").asText());
    }
    filesOfBatches += paths.size();
    JsonNode range = entry.path("range");
    pending.add(
        new Batch(
            topicPartition,
            range.path("first").asLong(),
            range.path("next").asLong(),
            paths,
            partitions));
  }

  private boolean isPublished(Batch batch, Map<String, Set<String>> directories)
      throws IOException {
    for (String path : batch.paths()) {
      String directory = path.substring(0, path.lastIndexOf('/'));
      Set<String> present = directories.get(directory);
      if (present == null) {
        present = new HashSet<>(list(directory));
        directories.put(directory, present);
      }
      if (!present.contains(path)) {
        return false;
      }
    }
    return true;
  }

  private boolean isRegistered(Batch batch) throws IOException {
    if (!registered.containsAll(batch.hivePartitions())) {
      registered = hivePartitions.names();
    }
    return registered.containsAll(batch.hivePartitions());
  }

  private List<String> list(String directory) throws IOException {
    try {
      return files.list(directory).stream().map(WebHdfs.Entry::path).toList();
    } catch (FileNotFoundException notYet) {
      return List.of();
    }
  }

  @Override
  public void close() throws IOException {
    hivePartitions.close();
  }
}
