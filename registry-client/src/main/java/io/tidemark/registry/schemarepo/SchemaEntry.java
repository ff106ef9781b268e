package io.tidemark.registry.schemarepo;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.http.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One schema of a subject, as text. A registry with the API of AVRO-1124 accepts any text: it need
 * not be an Avro schema.
 *
 * <pre>
 *   0 TAB {"type":"record","name":"Order","fields":[...]}
 *   {"id": "0", "schema": "{\"type\":\"record\",...}"}
 * </pre>
 */
public record SchemaEntry(SchemaId.OfSubject id, String schema) {

  public SchemaEntry {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(schema, "schema");
  }

  /** Parses an entry in text format. */
  static Optional<SchemaEntry> ofText(String subject, String text) {
    int tab = text.indexOf('\t');
    return tab > 0
        ? Optional.of(
            new SchemaEntry(
                new SchemaId.OfSubject(subject, text.substring(0, tab)), text.substring(tab + 1)))
        : Optional.empty();
  }

  /** Parses all entries of a subject, and returns the oldest first; the registry sends it last. */
  static Optional<List<SchemaEntry>> all(String subject, String mediaType, byte[] body) {
    List<SchemaEntry> entries = new ArrayList<>();
    if (mediaType.equals(SchemaRepoDialect.JSON)) {
      JsonNode json = Json.read(body);
      if (!json.isArray()) {
        return Optional.empty();
      }
      for (JsonNode entry : json) {
        if (!entry.path("id").isTextual() || !entry.path("schema").isTextual()) {
          return Optional.empty();
        }
        entries.add(
            new SchemaEntry(
                new SchemaId.OfSubject(subject, entry.path("id").textValue()),
                entry.path("schema").textValue()));
      }
    } else {
      Optional<List<String>> lines = SchemaRepoDialect.lines(mediaType, body);
      if (lines.isEmpty()) {
        return Optional.empty();
      }
      for (String line : lines.get()) {
        Optional<SchemaEntry> entry = ofText(subject, line);
        if (entry.isEmpty()) {
          // A schema of several lines cannot be distinguished from entries in text format.
          return Optional.empty();
        }
        entries.add(entry.get());
      }
    }
    Collections.reverse(entries);
    return Optional.of(List.copyOf(entries));
  }
}
