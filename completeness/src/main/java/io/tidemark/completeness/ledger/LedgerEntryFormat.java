package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.commit.EntryJson;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.EntryFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The text of the ledger's entries: JSON objects with a {@code version} and a {@code type}. The
 * names of the fields are those of the records in this package. {@code docs/PROTOCOL.md}, "The
 * ledger", has examples and the rules by which the format evolves.
 */
public final class LedgerEntryFormat implements EntryFormat<LedgerEntry> {
  /** The only instance: the format has no settings. */
  public static final LedgerEntryFormat INSTANCE = new LedgerEntryFormat();

  /** The types of entries, by the value of the field {@code type}. */
  static final Map<String, Class<?>> TYPES =
      Map.of(
          "claim", LedgerEntry.Claim.class,
          "snapshot", LedgerEntry.SnapshotTaken.class,
          "reckoning", LedgerEntry.Reckoning.class,
          "acknowledge", LedgerEntry.Acknowledge.class,
          "checkpoint", LedgerEntry.Checkpoint.class);

  /** The fields of a state that this version knows. */
  private static final Set<String> STATE_FIELDS =
      Set.of(
          "lastTick",
          "pending",
          "shownThrough",
          "topics",
          "tables",
          "groups",
          "holds",
          "announcements",
          "requires");

  /** The fields of a table that are absent if they have no value. */
  private static final Set<String> OF_TABLE = Set.of("emptiesThrough", "refused", "goneSince");

  /** The field of a topic that is absent if it has no value. */
  private static final Set<String> OF_TOPIC = Set.of("goneSince");

  private static final LedgerJson JSON =
      LedgerJson.withTypes("the ledger's entry", 1, Set.of(), LedgerEntry.class, TYPES);

  private LedgerEntryFormat() {}

  @Override
  public UUID attempt(LedgerEntry entry) {
    return entry.attempt();
  }

  /** Returns an entry as text, in UTF-8. */
  @Override
  public byte[] write(LedgerEntry entry) {
    ObjectNode node = JSON.toObject(entry);
    leaveOutNulls(node.path("state").path("tables"), OF_TABLE);
    leaveOutNulls(node.path("state").path("topics"), OF_TOPIC);
    try {
      EntryJson.putBackUnknown(node, entry.state().unknown(), JSON.mapper());
      if (entry.state().announcements().isEmpty()) {
        ((ObjectNode) node.get("state")).remove("announcements");
      }
    } catch (JacksonException e) {
      throw new IllegalStateException("an unknown field is not JSON: " + entry, e);
    }
    return JSON.toBytes(node);
  }

  @Override
  public LedgerEntry read(byte[] text, String place) throws CorruptLogException {
    return JSON.read(
        text,
        place,
        TYPES.keySet(),
        node -> {
          EntryJson.putAsideUnknown(node, STATE_FIELDS);
          if (node.get("state") instanceof ObjectNode state && !state.has("announcements")) {
            state.putNull("announcements");
          }
          putNulls(node.path("state").path("tables"), OF_TABLE);
          putNulls(node.path("state").path("topics"), OF_TOPIC);
          return JSON.mapper().treeToValue(node, LedgerEntry.class);
        });
  }

  private static void leaveOutNulls(JsonNode all, Set<String> fields) {
    for (JsonNode each : all) {
      if (each instanceof ObjectNode object) {
        fields.stream().filter(field -> object.path(field).isNull()).forEach(object::remove);
      }
    }
  }

  private static void putNulls(JsonNode all, Set<String> fields) {
    for (JsonNode each : all) {
      if (each instanceof ObjectNode object) {
        fields.stream().filter(field -> !object.has(field)).forEach(object::putNull);
      }
    }
  }
}
