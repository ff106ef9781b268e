package io.tidemark.cli.adopt;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.store.TopicPartition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A directory of an archive, for other packages.
 *
 * @param settings the old connector's configuration
 * @param files all files by their paths
 * @param sent the records that were in Kafka
 * @param metastore the table in the Metastore, as JSON
 * @param next the next offset of each topic-partition that has one
 * @param kafka Kafka's offsets, and those of the group
 * @param group the name of the consumer group
 */
public record OldSinkDirectories(
    Map<String, String> settings,
    SortedMap<String, byte[]> files,
    SentRecords sent,
    Map<TopicPartition, Long> next,
    KafkaOffsets kafka,
    String group,
    Optional<String> metastore) {

  /** Committed files were removed under a killed sink; values that Hive escapes. */
  public static final Set<String> REFUSED = Set.of("k-file-removed/after", "d-hive/field");

  /** Returns the names of all states. */
  public static List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : OldSinkArchive.NAMES) {
      names.addAll(new OldSinkArchive(name).states());
    }
    return names;
  }

  /** Reads a state such as {@code g-killed/11}. */
  public static OldSinkDirectories of(String name) throws IOException {
    OldSinkArchive archive = new OldSinkArchive(name.substring(0, name.indexOf('/')));
    OldSinkArchive.State state = archive.state(name);
    SortedMap<String, byte[]> files = new TreeMap<>();
    state.storage().files().forEach((path, content) -> files.put(path.value(), content));
    return new OldSinkDirectories(
        state.sink().settings(),
        files,
        new SentRecords(state.sent(), state.schemas()),
        next(state),
        state.kafka(),
        state.sink().consumerGroup(),
        state.metastore());
  }

  private static Map<TopicPartition, Long> next(OldSinkArchive.State state) throws IOException {
    Map<TopicPartition, Long> next = new HashMap<>();
    for (JsonNode each : state.expected().get("partitions")) {
      if (!each.get("nextOffset").isNull()) {
        next.put(OldSinkArchive.topicPartition(each), each.get("nextOffset").asLong());
      }
    }
    return next;
  }

  /** Returns whether the old sink has committed the offset of a record. */
  public boolean isCommitted(JsonNode line) {
    return line.get("offset").asLong() < next.getOrDefault(OldSinkArchive.topicPartition(line), 0L);
  }

  /** Returns the directory of a topic's files. */
  public String directory(String topic) {
    return new OldSink(settings).topicsDirectory(topic).orElseThrow().child(topic).value();
  }

  /** Returns a log with one complete commit of one file. */
  public static byte[] log(String temporary, String target) {
    return new LogBytes().begin().entry(temporary, target).end().bytes();
  }

  /** Writes all files to a local disk. */
  public void unpack(Path root) throws IOException {
    for (Map.Entry<String, byte[]> each : files.entrySet()) {
      Path file = root.resolve(each.getKey().substring(1));
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
  }
}
