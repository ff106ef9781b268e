package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.FormatVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The file with the layout of one table. It is put if absent before the first batch is committed to
 * the table, and never changes. Safe for use by many threads, tasks and workers.
 *
 * <p>Example: {@code /topics/quotes/.tidemark/layout.json} contains {@code {"version": 1,
 * "columns": ["region"], "settings": {"partitioner.class": "FieldPartitioner",
 * "partition.field.name": "region"}}}
 */
public final class LayoutFile {
  private static final String NAME = "layout.json";
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Storage storage;
  private final StoragePath directory;
  private final PutIfAbsent files;

  public LayoutFile(Storage storage, TableLayout table) {
    this.storage = storage;
    this.directory = table.metadataDirectory();
    this.files = new PutIfAbsent(storage, directory);
  }

  /** Returns the location of the file, for messages. */
  public String place() {
    return storage.location() + directory.child(NAME);
  }

  /** Returns the table's layout; empty if none is recorded yet. */
  public Optional<RecordedLayout> read() throws IOException, CorruptLogException {
    try (InputStream in = storage.open(directory.child(NAME))) {
      return Optional.of(parse(in.readAllBytes()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Records a layout unless the table has one. Returns the recorded layout, which may differ from
   * the given layout.
   */
  public RecordedLayout put(RecordedLayout layout) throws IOException, CorruptLogException {
    List<StoredFile> before = storage.list(directory);
    if (before.stream().noneMatch(file -> file.path().name().equals(NAME))) {
      files.put(NAME, text(layout).getBytes(UTF_8));
    }
    RecordedLayout existing =
        read().orElseThrow(() -> new IOException(place() + " was removed while it was written"));
    files.removeLeftovers(before, Set.of(NAME));
    return existing;
  }

  /** Returns the content of the file for a layout. */
  public static String text(RecordedLayout layout) {
    ObjectNode text = JSON.createObjectNode();
    text.put("version", VERSION);
    ArrayNode columns = text.putArray("columns");
    layout.columns().forEach(columns::add);
    ObjectNode settings = text.putObject("settings");
    layout.settings().forEach(settings::put);
    return text.toString();
  }

  private RecordedLayout parse(byte[] text) throws IOException, CorruptLogException {
    try {
      JsonNode node = JSON.readTree(text);
      FormatVersion.require(node, VERSION, place());
      List<String> columns = new ArrayList<>();
      node.required("columns").forEach(column -> columns.add(column.asText()));
      Map<String, String> settings = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> setting : node.required("settings").properties()) {
        settings.put(setting.getKey(), setting.getValue().asText());
      }
      RecordedLayout layout = new RecordedLayout(columns, settings);
      layout.requireNamesOfSettings();
      return layout;
    } catch (JacksonException | IllegalArgumentException e) {
      throw new CorruptLogException(
          place()
              + " does not contain the table's layout: "
              + e.getMessage()
              + ". The file was damaged or edited. Restore it from a copy. If there is none, remove it and restart the tasks:"
              + " the next error then has the content for the present configuration.",
          e);
    }
  }
}
