package io.tidemark.store.commit;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.EntryFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Reads and writes entries as JSON objects with a {@code version} and a {@code type}. The names of
 * the fields are those of the records in this package. {@code docs/PROTOCOL.md} has an example of
 * each entry, and the rules by which the format evolves.
 *
 * <p>Version 3 is written. Earlier versions are converted to version 3. A newer version is read as
 * version 3: unknown fields of the state are kept, other unknown fields are ignored. An entry is
 * rejected if its state {@code requires} a feature that this build does not know.
 */
public final class CommitEntryFormat implements EntryFormat<CommitEntry> {
  /** The version that this build writes. */
  static final int VERSION = 3;

  /** The features that this version knows; a state may require them. */
  private static final Set<String> KNOWN_FEATURES = Set.copyOf(LogState.FEATURES);

  /** The fields of a state that this version knows. */
  private static final Set<String> STATE_FIELDS =
      Set.of(
          "generation",
          "first",
          "next",
          "counts",
          "publishedThrough",
          "registeredThrough",
          "leaderEpoch",
          "former",
          "requires");

  /** The types of entries by their names in the text: the class name in lower case. */
  private static final Map<String, Class<?>> TYPES =
      Arrays.stream(CommitEntry.class.getPermittedSubclasses())
          .collect(
              Collectors.toUnmodifiableMap(
                  kind -> kind.getSimpleName().toLowerCase(Locale.ROOT), kind -> kind));

  private static final ObjectMapper JSON = mapper();

  /** The format of this build. */
  public static final CommitEntryFormat INSTANCE = new CommitEntryFormat(KNOWN_FEATURES);

  private final Set<String> features;

  /** Creates the format of a build that knows these features. */
  CommitEntryFormat(Set<String> features) {
    this.features = Set.copyOf(features);
  }

  private static ObjectMapper mapper() {
    ObjectMapper mapper = EntryJson.mapper().addMixIn(CommitEntry.class, TypedEntry.class);
    TYPES.forEach((name, kind) -> mapper.registerSubtypes(new NamedType(kind, name)));
    return mapper;
  }

  @Override
  public UUID attempt(CommitEntry entry) {
    return entry.attempt();
  }

  /** Returns an entry as text in UTF-8. */
  @Override
  public byte[] write(CommitEntry entry) {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", VERSION);
    node.setAll((ObjectNode) JSON.valueToTree(entry));
    try {
      EntryJson.putBackUnknown(node, entry.state().unknown(), JSON);
      return JSON.writeValueAsBytes(node);
    } catch (JacksonException e) {
      throw new IllegalStateException("an entry could not be written as JSON: " + entry, e);
    }
  }

  @Override
  public CommitEntry read(byte[] text, String place) throws CorruptLogException {
    try {
      JsonNode node = JSON.readTree(text);
      if (!(node instanceof ObjectNode object)
          || !object.path("version").canConvertToInt()
          || object.path("version").intValue() < 1) {
        throw new CorruptLogException(
            place
                + ": this is not a log entry (no JSON object with a version). The file was damaged, or another program "
                + "wrote it. Restore it from a copy.");
      }
      int version = object.remove("version").intValue();
      refuseUnknownFeatures(object, version, place);
      refuseFieldsOfLaterVersions(object, version);
      if (version == 1) {
        readVersion1(object);
      }
      if (version <= 2) {
        readVersion2(object);
      }
      EntryJson.putAbsentBatchIds(object);
      EntryJson.putAsideUnknown(object, STATE_FIELDS);
      return JSON.treeToValue(object, CommitEntry.class);
    } catch (JacksonException e) {
      throw new CorruptLogException(
          place
              + ": the entry cannot be read: "
              + e.getOriginalMessage()
              + ". The file was damaged or edited. Restore it from a copy.",
          e);
    } catch (IllegalArgumentException e) {
      throw new CorruptLogException(
          place
              + ": the entry cannot be read: "
              + e.getMessage()
              + ". The file was damaged or edited. Restore it from a copy.",
          e);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  /** Rejects an entry of a newer version that this version would misread. */
  private void refuseUnknownFeatures(ObjectNode entry, int version, String place)
      throws CorruptLogException {
    List<String> unknown = new ArrayList<>();
    for (JsonNode feature : entry.path("state").path("requires")) {
      if (!features.contains(feature.asText())) {
        unknown.add("requires the feature \"" + feature.asText() + "\"");
      }
    }
    String type = entry.path("type").asText();
    if (version > VERSION && !TYPES.containsKey(type)) {
      unknown.add("is of the type \"" + type + "\"");
    }
    if (!unknown.isEmpty()) {
      throw new CorruptLogException(
          "%s: the entry has version %d and %s, which this connector does not know: it reads version %d. A newer version of the connector has written it. Deploy that version or a later one on every worker. If there is none, the file was damaged: restore it from a copy."
              .formatted(place, version, String.join(" and ", unknown), VERSION));
    }
  }

  /**
   * Rejects an entry that has fields of a later version than its own. Its version was damaged, and
   * the conversion would overwrite these fields. An undamaged log has no such entries: a build of
   * version 2 refuses to open a log with entries of version 3.
   */
  private static void refuseFieldsOfLaterVersions(ObjectNode entry, int version) {
    JsonNode state = entry.path("state");
    if ((version <= 2 && (state.has("leaderEpoch") || state.has("former")))
        || (version == 1 && (state.has("requires") || entry.has("tables")))) {
      throw new IllegalArgumentException(
          "it has version " + version + " and fields of a later version");
    }
  }

  /**
   * Converts an entry of version 1 to version 2. Version 1 has no features and no roots. The root
   * of a table is found from the path of a file: it is above the directories of the file's Hive
   * partition, which has one directory for each column.
   */
  private static void readVersion1(ObjectNode entry) {
    if (entry.get("state") instanceof ObjectNode state) {
      state.putArray("requires");
    }
    if (!entry.path("type").asText().equals("batch")) {
      return;
    }
    ArrayNode tables = entry.putArray("tables");
    for (JsonNode file : entry.path("files")) {
      StoragePath root = new StoragePath(file.path("path").asText()).parent();
      String hivePartition = file.path("hivePartition").asText();
      for (int column = columns(hivePartition); column > 0; column--) {
        root = root.parent();
      }
      ObjectNode table = JSON.createObjectNode();
      table.set("table", file.path("table"));
      table.put("root", root.value());
      if (!contains(tables, table)) {
        tables.add(table);
      }
    }
  }

  /** Converts an entry of version 2, which has no epoch and no former topics, to version 3. */
  private static void readVersion2(ObjectNode entry) {
    if (entry.get("state") instanceof ObjectNode state) {
      state.put("leaderEpoch", LogState.UNKNOWN);
      state.putArray("former");
      if (state.get("requires") instanceof ArrayNode requires) {
        List<String> names = new ArrayList<>();
        requires.forEach(name -> names.add(name.asText()));
        LogState.FEATURES.stream().filter(name -> !names.contains(name)).forEach(requires::add);
      }
    }
  }

  private static boolean contains(ArrayNode tables, ObjectNode table) {
    for (JsonNode each : tables) {
      if (each.equals(table)) {
        return true;
      }
    }
    return false;
  }

  private static int columns(String hivePartition) {
    return hivePartition.isEmpty() ? 0 : hivePartition.split("/", -1).length;
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  private interface TypedEntry {}
}
