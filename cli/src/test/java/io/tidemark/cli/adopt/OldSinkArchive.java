package io.tidemark.cli.adopt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;

/**
 * An archive of directories that the old sink left, in memory: its names do not depend on the file
 * system's encoding. Each state has a directory with {@code expected.json}, read from its files.
 */
final class OldSinkArchive {
  static final List<String> NAMES =
      List.of(
          "a-default",
          "b-field",
          "c-hourly",
          "d-hive",
          "e-regex",
          "f-evolution",
          "g-killed",
          "h-continued",
          "i-rotate",
          "j-nulls",
          "k-file-removed");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int RECORD_BYTES = 512;

  private final Map<String, byte[]> files = new TreeMap<>();
  private final Set<String> directories = new TreeSet<>();

  OldSinkArchive(String name) throws IOException {
    InputStream archive = OldSinkArchive.class.getResourceAsStream("/old-sink/" + name + ".tar.gz");
    if (archive == null) {
      throw new IOException("no archive " + name);
    }
    try (InputStream in = new BufferedInputStream(new GZIPInputStream(archive))) {
      unpack(in);
    }
  }

  private void unpack(InputStream in) throws IOException {
    String longName = "";
    for (byte[] header = in.readNBytes(RECORD_BYTES);
        header.length == RECORD_BYTES && header[0] != 0;
        header = in.readNBytes(RECORD_BYTES)) {
      int size = Integer.parseInt(text(header, 124, 12), 8);
      byte[] content = in.readNBytes(size);
      in.skipNBytes((RECORD_BYTES - size % RECORD_BYTES) % RECORD_BYTES);
      char type = (char) header[156];
      if (type == 'x' || type == 'L') {
        longName = longName(type, content, longName);
        continue;
      }
      String prefix = text(header, 345, 155);
      String shortName = text(header, 0, 100);
      String name =
          !longName.isEmpty() ? longName : prefix.isEmpty() ? shortName : prefix + "/" + shortName;
      longName = "";
      name = name.replaceFirst("^\\./", "").replaceFirst("/$", "");
      if (type == '5') {
        directories.add(name);
      } else {
        files.put(name, content);
      }
    }
  }

  /** Reads the path of a header of POSIX ({@code 27 path=…}) or GNU. */
  private static String longName(char type, byte[] content, String before) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (type == 'L') {
      return text.replace("\0", "");
    }
    for (String line : text.split("\n", -1)) {
      int path = line.indexOf(" path=");
      if (path >= 0) {
        return line.substring(path + " path=".length());
      }
    }
    return before;
  }

  private static String text(byte[] header, int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8).trim();
  }

  /** Returns the directories of the states. */
  List<String> states() {
    return files.keySet().stream()
        .filter(each -> each.endsWith("/expected.json"))
        .map(each -> each.substring(0, each.lastIndexOf('/')))
        .toList();
  }

  State state(String directory) throws IOException {
    return new State(directory);
  }

  /** A directory as the sink left it, and what is known of it. */
  final class State {
    private final String directory;
    private final MemoryStorage storage = new MemoryStorage();

    State(String directory) throws IOException {
      this.directory = directory;
      String root = directory + "/hdfs";
      directories.stream()
          .filter(each -> each.startsWith(root + "/"))
          .forEach(each -> storage.putDirectory(path(root, each)));
      files.forEach(
          (name, content) -> {
            if (name.startsWith(root + "/")) {
              storage.put(path(root, name), content);
            }
          });
      for (JsonNode each : lines("manifest.jsonl")) {
        if (each.has("nameNodeLength")) {
          storage.list(
              new StoragePath(each.get("path").asText()), each.get("nameNodeLength").asLong());
        }
      }
    }

    private StoragePath path(String root, String name) {
      return new StoragePath(name.substring(root.length()));
    }

    MemoryStorage storage() {
      return storage;
    }

    /** Returns a file of this state, or of a directory above. */
    private byte[] beside(String name) throws IOException {
      return found(name).orElseThrow(() -> new IOException(directory + " has no " + name));
    }

    private Optional<byte[]> found(String name) {
      for (String at = directory;
          !at.isEmpty();
          at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
        byte[] found = files.get(at + "/" + name);
        if (found != null) {
          return Optional.of(found);
        }
      }
      return Optional.empty();
    }

    Optional<String> metastore() {
      return Optional.ofNullable(files.get(directory + "/metastore.json"))
          .map(text -> new String(text, StandardCharsets.UTF_8));
    }

    /** Returns the records that were in Kafka, a line for each. */
    List<JsonNode> sent() throws IOException {
      List<JsonNode> lines = new ArrayList<>();
      for (String line :
          new String(beside("records.jsonl"), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isBlank()) {
          lines.add(JSON.readTree(line));
        }
      }
      return lines;
    }

    /**
     * Returns the schemas of these records, by their ids: the registry's, or without these that of
     * the archive's files, whose records have one schema then.
     */
    Map<Integer, Schema> schemas() throws IOException {
      Map<Integer, Schema> schemas = new HashMap<>();
      Optional<byte[]> registry = found("registry-schema.json");
      if (registry.isEmpty()) {
        Schema schema = schemaOfFiles();
        for (JsonNode each : sent()) {
          if (each.get("value").isObject()) {
            schemas.put(each.get("schemaId").asInt(), schema);
          }
        }
        return schemas;
      }
      JsonNode json = JSON.readTree(registry.get());
      for (JsonNode each : json.isArray() ? json : JSON.createArrayNode().add(json)) {
        schemas.put(
            each.get("id").asInt(), new Schema.Parser().parse(each.get("schema").toString()));
      }
      return schemas;
    }

    /** Returns the schema of a file of this state, or else of another one, as it was sent. */
    private Schema schemaOfFiles() throws IOException {
      byte[] file =
          files.entrySet().stream()
              .filter(each -> each.getKey().endsWith(".avro") && each.getValue().length > 0)
              .filter(each -> !each.getKey().contains("/+tmp/"))
              .min(Comparator.comparing(each -> !each.getKey().startsWith(directory + "/")))
              .orElseThrow()
              .getValue();
      try (DataFileStream<Object> stream =
          new DataFileStream<>(new ByteArrayInputStream(file), new GenericDatumReader<>())) {
        JsonNode schema = JSON.readTree(stream.getSchema().toString());
        removeConnects(schema);
        return new Schema.Parser().parse(schema.toString());
      }
    }

    JsonNode expected() throws IOException {
      return JSON.readTree(files.get(directory + "/expected.json"));
    }

    List<JsonNode> lines(String name) throws IOException {
      List<JsonNode> lines = new ArrayList<>();
      for (String line :
          new String(files.get(directory + "/" + name), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isBlank()) {
          lines.add(JSON.readTree(line));
        }
      }
      return lines;
    }

    /** Returns the settings, which are beside another state if the sink ran with these twice. */
    OldSink sink() throws IOException {
      String parent = directory.substring(0, directory.lastIndexOf('/'));
      List<String> places = List.of(directory, parent, parent + "/killed", parent + "/killed-1");
      Optional<byte[]> found =
          places.stream()
              .map(each -> Optional.ofNullable(files.get(each + "/connector.json")))
              .flatMap(Optional::stream)
              .findFirst();
      Map<String, String> settings = new HashMap<>();
      JsonNode json = JSON.readTree(found.orElseThrow());
      json.fieldNames().forEachRemaining(key -> settings.put(key, json.get(key).asText()));
      return new OldSink(settings);
    }

    /** Returns the group's offsets, and Kafka's from what was sent. */
    KafkaOffsets kafka() throws IOException {
      Map<TopicPartition, Long> group = new HashMap<>();
      for (JsonNode each :
          JSON.readTree(files.get(directory + "/group-offsets.json")).get("offsets")) {
        group.put(topicPartition(each), each.get("offset").asLong());
      }
      Map<TopicPartition, Long> beginning = new HashMap<>();
      Map<TopicPartition, Long> end = new HashMap<>();
      for (JsonNode each : expected().get("partitions")) {
        JsonNode sent = each.get("sent");
        beginning.put(topicPartition(each), sent.get(0).get(0).asLong());
        end.put(topicPartition(each), sent.get(sent.size() - 1).get(1).asLong() + 1);
      }
      return new KafkaOffsets(group, beginning, end);
    }
  }

  /** Removes what Connect's converter adds, such as {@code connect.version}. */
  private static void removeConnects(JsonNode schema) {
    if (schema instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      names.removeIf(each -> !each.startsWith("connect."));
      object.remove(names);
    }
    schema.forEach(OldSinkArchive::removeConnects);
  }

  static TopicPartition topicPartition(JsonNode node) {
    return new TopicPartition(node.get("topic").asText(), node.get("partition").asInt());
  }
}
