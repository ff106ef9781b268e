package io.tidemark.connect.commit.entry;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.EntryFormat;
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
 * <p>Version 1 is written. A newer version is read as version 1: unknown fields of the state are
 * kept, other unknown fields are ignored. An entry is rejected if its state {@code requires} a
 * feature that this build does not know.
 */
public final class CommitEntryFormat implements EntryFormat<CommitEntry> {
  /** The version that this build writes. */
  static final int VERSION = 1;

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

  /** The format of this build. No feature exists yet that a state may require. */
  public static final CommitEntryFormat INSTANCE = new CommitEntryFormat(Set.of());

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

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  private interface TypedEntry {}
}
