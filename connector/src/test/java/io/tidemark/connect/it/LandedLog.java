package io.tidemark.connect.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The commit log of a topic, as its files in HDFS say. */
final class LandedLog {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ENTRY = Pattern.compile("\\d{20}\\.json");

  private final WebHdfs hdfs;
  private final SourceTopic topic;
  private final String directory;

  LandedLog(RealStack stack, String logId, SourceTopic topic) {
    this.hdfs = stack.services().hdfs().files();
    this.topic = topic;
    this.directory = "/logs/" + logId + "/" + topic.name() + "/";
  }

  /** All entries, by topic-partition and number. */
  List<LogEntry> entries() {
    List<LogEntry> entries = new ArrayList<>();
    for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
      for (WebHdfs.Entry file : files(topicPartition)) {
        entries.add(read(topicPartition, file));
      }
    }
    return entries;
  }

  List<LogEntry> batches() {
    return entries().stream().filter(LogEntry::isBatch).toList();
  }

  /** The batches of one topic-partition, in order. */
  List<LogEntry> batches(int topicPartition) {
    return batches().stream().filter(entry -> entry.topicPartition() == topicPartition).toList();
  }

  /** The next offset of a topic-partition; -1 while no batch has been committed. */
  long next(int topicPartition) {
    List<WebHdfs.Entry> files = files(topicPartition);
    return files.isEmpty() ? -1 : read(topicPartition, files.get(files.size() - 1)).next();
  }

  /** How many offsets of all topic-partitions are committed. */
  long committed() {
    return IntStream.range(0, topic.topicPartitions()).mapToLong(tp -> Math.max(0, next(tp))).sum();
  }

  /** The processes that hold the topic-partitions: those that have claimed last. */
  Set<Long> owners() {
    Map<Integer, Long> owners = new HashMap<>();
    for (LogEntry entry : entries()) {
      if (entry.isClaim()) {
        owners.put(entry.topicPartition(), entry.claimingProcess());
      }
    }
    return Set.copyOf(owners.values());
  }

  /** What is not in the log yet. */
  Optional<String> shortfall() {
    for (int topicPartition = 0; topicPartition < topic.topicPartitions(); topicPartition++) {
      long end = topic.end(topicPartition);
      long next = next(topicPartition);
      if (next != end && (end > 0 || next > 0)) {
        return Optional.of(
            "the log of %s-%d stands at %d of %d"
                .formatted(topic.name(), topicPartition, next, end));
      }
    }
    return Optional.empty();
  }

  private List<WebHdfs.Entry> files(int topicPartition) {
    try {
      return hdfs.walk(directory + topicPartition).stream()
          .filter(file -> ENTRY.matcher(name(file)).matches())
          .toList();
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
