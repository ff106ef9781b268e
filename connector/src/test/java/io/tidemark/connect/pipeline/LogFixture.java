package io.tidemark.connect.pipeline;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fixture: logs and tables that a build of the connector left in its store, with the state of
 * Kafka and of the catalog at that moment.
 *
 * <pre>
 * fixtures/log-version-1/                              written by one build
 *   entries-above-a-checkpoint/                        a fixture: its store's files, and
 *     fixture.json                                     everything else, see {@link Description}
 *     logs/quotes/identity.json
 *     logs/quotes/quotes/0/00000000000000000004.checkpoint.json
 *     topics/quotes/quotes+0+g1+0000000000+0000000001.avro
 * </pre>
 *
 * @param name its path below {@code fixtures}. Example: {@code
 *     log-version-1/entries-above-a-checkpoint}
 * @param files the bytes of the store's files by their paths in the store
 */
record LogFixture(String name, Description description, SortedMap<String, byte[]> files) {

  // /logs/quotes/quotes/0/00000000000000000004.checkpoint.json, or .00000000000000000003.….tmp
  private static final Pattern ENTRY = Pattern.compile("/logs/.*/\\.?\\d{20}\\..*(?:json|tmp)");

  private static final String DESCRIPTION = "fixture.json";
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /**
   * The parts of a fixture that are not in the store's files.
   *
   * @param settings the connector's settings, by their names in its configuration
   * @param schemas the schemas of the registry, by id
   * @param emptyDirectories directories of the store without a file, which Git does not keep
   * @param registered the Hive partitions in the catalog
   * @param rows the keys of all rows that the table must have once the log is recovered and Kafka's
   *     records have landed, by Hive partition; the empty name is that of an unpartitioned table
   * @param later records that are produced after the fixture was opened
   */
  record Description(
      SortedMap<String, String> settings,
      SortedMap<Integer, JsonNode> schemas,
      Kafka kafka,
      List<String> emptyDirectories,
      List<String> registered,
      SortedMap<String, List<String>> rows,
      List<Later> later) {}

  /** A topic. Its topic-partitions are those of the task, and each gets a later record. */
  record Kafka(
      String topic,
      String clusterId,
      String topicId,
      SortedMap<Integer, TopicPartitionContents> partitions) {}

  /** A topic-partition with the records that Kafka still has, and the group's offset. */
  record TopicPartitionContents(
      long earliest, long end, @Nullable Long groupOffset, List<Fetched> records) {}

  /** A record of Kafka; its value is in Base64, and a tombstone has none. */
  record Fetched(long offset, @Nullable String value) {}

  /** A record that is produced later, with the key and the Hive partition of its row. */
  record Later(int partition, String value, String key, String hivePartition) {}

  /** All fixtures on the class path, in the order of their names. */
  static List<LogFixture> all() throws IOException {
    URL found =
        Objects.requireNonNull(
            LogFixture.class.getResource("/fixtures"),
            "the class path has no fixtures: LogFixtureWriterTest writes them");
    return allBelow(Path.of(uri(found)));
  }

  private static URI uri(URL url) {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the class path has no usable place: " + url, e);
    }
  }

  /** All fixtures below a directory. */
  static List<LogFixture> allBelow(Path root) throws IOException {
    List<LogFixture> fixtures = new ArrayList<>();
    for (Path file : filesBelow(root)) {
      if (file.getFileName().toString().equals(DESCRIPTION)) {
        fixtures.add(read(root, Objects.requireNonNull(file.getParent())));
      }
    }
    return fixtures;
  }

  private static LogFixture read(Path root, Path directory) throws IOException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (Path file : filesBelow(directory)) {
      if (!file.equals(directory.resolve(DESCRIPTION))) {
        files.put("/" + relative(directory, file), Files.readAllBytes(file));
      }
    }
    return new LogFixture(
        relative(root, directory),
        JSON.readValue(Files.readAllBytes(directory.resolve(DESCRIPTION)), Description.class),
        files);
  }

  /** Writes this fixture below a directory, in which its files must not exist yet. */
  void writeBelow(Path root) throws IOException {
    Path directory = root.resolve(name);
    Files.createDirectories(directory.getParent());
    Files.createDirectory(directory);
    Files.write(directory.resolve(DESCRIPTION), JSON.writeValueAsBytes(description));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path target = directory.resolve(file.getKey().substring(1));
      Files.createDirectories(target.getParent());
      Files.write(target, file.getValue());
    }
  }

  /** The directory of all fixtures of its build. Example: {@code log-version-1} */
  String directory() {
    return name.substring(0, name.indexOf('/'));
  }

  /**
   * The files that are entries of a log, including temporary files of entries that were not
   * appended.
   */
  SortedMap<String, byte[]> entries() {
    SortedMap<String, byte[]> entries = new TreeMap<>(files);
    entries.keySet().removeIf(path -> !ENTRY.matcher(path).matches());
    return entries;
  }

  /** A store with the content of this fixture's store. */
  MemoryStorage store() throws IOException {
    MemoryStorage store = new MemoryStorage();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      StoragePath path = new StoragePath(file.getKey());
      store.makeDirectories(path.parent());
      try (OutputStream out = store.create(path)) {
        out.write(file.getValue());
      }
    }
    for (String directory : description.emptyDirectories()) {
      store.makeDirectories(new StoragePath(directory));
    }
    return store;
  }

  /** The files of a store, and its empty directories. */
  record StoreContents(SortedMap<String, byte[]> files, List<String> emptyDirectories) {

    static StoreContents of(Storage store) throws IOException {
      StoreContents contents = new StoreContents(new TreeMap<>(), new ArrayList<>());
      contents.collect(store, new StoragePath("/"));
      return contents;
    }

    private void collect(Storage store, StoragePath directory) throws IOException {
      List<StoredFile> existing = store.list(directory);
      if (existing.isEmpty()) {
        emptyDirectories.add(directory.value());
      }
      for (StoredFile file : existing) {
        if (file.directory()) {
          collect(store, file.path());
          continue;
        }
        try (InputStream in = store.open(file.path())) {
          files.put(file.path().value(), in.readAllBytes());
        }
      }
    }
  }

  private static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String relative(Path root, Path path) {
    return root.relativize(path).toString().replace('\\', '/');
  }

  @Override
  public String toString() {
    return name;
  }
}
