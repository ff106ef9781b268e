package io.tidemark.cli.adopt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * @param kafka Kafka's offsets, and those of the group
 * @param group the name of the consumer group
 */
public record OldSinkDirectories(
    Map<String, String> settings,
    SortedMap<String, byte[]> files,
    SentRecords sent,
    KafkaOffsets kafka,
    String group,
    Optional<String> metastore) {

  /** Committed files were removed under a killed sink; values that Hive escapes. */
  public static final Set<String> REFUSED = Set.of("k-file-removed/after", "d-hive/field");

  /** Returns the names of the states with the registry's schemas of their records. */
  public static List<String> withSchemas() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : OldSinkArchive.NAMES) {
      OldSinkArchive archive = new OldSinkArchive(name);
      for (String state : archive.states()) {
        if (archive.state(state).hasSchemas()) {
          names.add(state);
        }
      }
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
        state.kafka(),
        state.sink().consumerGroup(),
        state.metastore());
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
