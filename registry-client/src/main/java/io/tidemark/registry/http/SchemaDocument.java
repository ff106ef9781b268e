package io.tidemark.registry.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A schema as the registry writes it.
 *
 * <pre>
 *   {"schemaType": "AVRO",
 *    "schema": "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[...]}",
 *    "references": [{"name": "io.example.Customer", "subject": "customer", "version": 3}]}
 * </pre>
 *
 * @param type {@code AVRO} when the registry names none
 * @param references the subjects whose types the schema uses without defining them
 */
record SchemaDocument(String schema, String type, List<Reference> references) {

  SchemaDocument {
    references = List.copyOf(references);
  }

  /** A version of a subject. */
  record Reference(String subject, int version) {
    @Override
    public String toString() {
      return "subject " + subject + " version " + version;
    }
  }

  /** What the JSON says, or nothing when it is not such a document. */
  static Optional<SchemaDocument> of(JsonNode json) {
    if (!json.path("schema").isTextual()) {
      return Optional.empty();
    }
    List<Reference> references = new ArrayList<>();
    for (JsonNode reference : json.path("references")) {
      JsonNode subject = reference.path("subject");
      JsonNode version = reference.path("version");
      if (!subject.isTextual() || !version.canConvertToInt()) {
        return Optional.empty();
      }
      references.add(new Reference(subject.textValue(), version.intValue()));
    }
    String type = json.path("schemaType").asText("AVRO");
    return Optional.of(new SchemaDocument(json.path("schema").textValue(), type, references));
  }
}
