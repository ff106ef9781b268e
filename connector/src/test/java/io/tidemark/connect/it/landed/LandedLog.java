package io.tidemark.connect.it.landed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The commit log of a topic, read from its files in HDFS. */
public final class LandedLog {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ENTRY = Pattern.compile("\\d{20}\\.json");

  private final WebHdfs hdfs;
  private final int topicPartitions;
  private final String directory;

  public LandedLog(LocalStack services, String logId, String topic, int topicPartitions) {
    this.hdfs = services.hdfs().files();
    this.topicPartitions = topicPartitions;
    this.directory = "/logs/" + logId + "/" + topic + "/";
  }

  /** All entries, by topic-partition and number. */
  public List<LogEntry> entries() {
    List<LogEntry> entries = new ArrayList<>();
    for (int topicPartition = 0; topicPartition < topicPartitions; topicPartition++) {
      for (WebHdfs.Entry file : files(topicPartition)) {
        entries.add(read(topicPartition, file));
      }
    }
    return entries;
  }

  public List<LogEntry> batches() {
    return entries().stream().filter(LogEntry::isBatch).toList();
  }

  /** The batches of one topic-partition, in order. */
  public List<LogEntry> batches(int topicPartition) {
    return batches().stream().filter(entry -> entry.topicPartition() == topicPartition).toList();
  }

  /** The next offset of a topic-partition; -1 while no batch has been committed. */
  public long next(int topicPartition) {
    List<WebHdfs.Entry> files = files(topicPartition);
    return files.isEmpty() ? -1 : read(topicPartition, files.get(files.size() - 1)).next();
  }

  /** The last entry of a topic-partition, which must exist. */
  public LogEntry last(int topicPartition) {
    List<WebHdfs.Entry> files = files(topicPartition);
    return read(topicPartition, files.get(files.size() - 1));
  }

  /** The number of committed offsets of all topic-partitions. */
  public long committed() {
    return IntStream.range(0, topicPartitions).mapToLong(tp -> Math.max(0, next(tp))).sum();
  }

  /**
   * The first error that prevents the entries from accounting for every offset up to Kafka's end
   * offsets, each once. The entries of a generation must be contiguous from its first offset on,
   * and their classes must add up. The log must not have been folded.
   */
  public Optional<String> unaccounted(IntToLongFunction ends) {
    for (int topicPartition = 0; topicPartition < topicPartitions; topicPartition++) {
      int generation = 0;
      long next = 0;
      for (WebHdfs.Entry file : files(topicPartition)) {
        LogEntry entry = read(topicPartition, file);
        if (entry.generation() != generation) {
          generation = entry.generation();
          next = 0;
        }
        if (!entry.isBatch() && !entry.isSkip()) {
          continue;
        }
        if (entry.first() != next
            || (entry.isBatch() && entry.landed() + entry.notLanded() != entry.next() - next)) {
          return Optional.of(
              "%s%d: after offset %d comes %s"
                  .formatted(directory, topicPartition, next, entry.json()));
        }
        next = entry.next();
      }
      if (next != ends.applyAsLong(topicPartition)) {
        return Optional.of(
            "%s%d: the entries end at %d, Kafka at %d"
                .formatted(directory, topicPartition, next, ends.applyAsLong(topicPartition)));
      }
    }
    return Optional.empty();
  }

  /** The processes that own the topic-partitions: those of the last claims. */
  public Set<Long> owners() {
    return lastClaims().map(LogEntry::claimingProcess).collect(Collectors.toSet());
  }

  /** The tasks that own the topic-partitions. */
  public Set<Integer> owningTasks() {
    return lastClaims().map(LogEntry::claimingTask).collect(Collectors.toSet());
  }

  private Stream<LogEntry> lastClaims() {
    Map<Integer, LogEntry> claims = new HashMap<>();
    entries().stream()
        .filter(LogEntry::isClaim)
        .forEach(claim -> claims.put(claim.topicPartition(), claim));
    return claims.values().stream();
  }

  /** The temporary files of entries that are being appended, or that were left. */
  public List<String> temporaryEntries() {
    return IntStream.range(0, topicPartitions)
        .boxed()
        .flatMap(topicPartition -> walk(topicPartition).stream())
        .map(WebHdfs.Entry::path)
        .filter(path -> path.endsWith(".tmp"))
        .toList();
  }

  private List<WebHdfs.Entry> files(int topicPartition) {
    return walk(topicPartition).stream()
        .filter(file -> ENTRY.matcher(name(file)).matches())
        .toList();
  }

  private List<WebHdfs.Entry> walk(int topicPartition) {
    try {
      return hdfs.walk(directory + topicPartition);
    } catch (IOException e) {
      throw new UncheckedIOException(directory, e);
    }
  }

  private LogEntry read(int topicPartition, WebHdfs.Entry file) {
    try {
      return new LogEntry(topicPartition, name(file), JSON.readTree(hdfs.read(file.path())));
    } catch (IOException e) {
      throw new UncheckedIOException(file.path(), e);
    }
  }

  private static String name(WebHdfs.Entry file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }
}
