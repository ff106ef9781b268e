package io.tidemark.registry.confluent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.registry.SchemaRule;
import io.tidemark.registry.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A schema in the registry's JSON.
 *
 * <pre>
 *   {"schemaType": "AVRO",
 *    "schema": "{\"type\":\"record\",\"name\":\"Order\",\"fields\":[...]}",
 *    "references": [{"name": "io.example.Customer", "subject": "customer", "version": 3}],
 *    "ruleSet": {"domainRules": [{"name": "pii", "type": "ENCRYPT", "mode": "WRITEREAD"}]}}
 * </pre>
 *
 * @param type the schema's type; {@code AVRO} if the JSON has none
 * @param references the subjects whose types the schema refers to
 * @param rules the enabled rules
 */
record SchemaDocument(
    String schema, String type, List<SchemaReference> references, List<SchemaRule> rules) {

  private static final List<Map.Entry<String, SchemaRule.Phase>> PHASES =
      List.of(
          Map.entry("domainRules", SchemaRule.Phase.DOMAIN),
          Map.entry("encodingRules", SchemaRule.Phase.ENCODING),
          Map.entry("migrationRules", SchemaRule.Phase.MIGRATION));

  SchemaDocument {
    references = List.copyOf(references);
    rules = List.copyOf(rules);
  }

  SchemaDocument(String schema, String type, List<SchemaReference> references) {
    this(schema, type, references, List.of());
  }

  /** Returns the document in a body, or empty for any other content. */
  static Optional<SchemaDocument> read(byte[] body) {
    return of(Json.read(body));
  }

  static Optional<SchemaDocument> of(JsonNode json) {
    if (!json.path("schema").isTextual()) {
      return Optional.empty();
    }
    List<SchemaReference> references = new ArrayList<>();
    for (JsonNode reference : json.path("references")) {
      JsonNode subject = reference.path("subject");
      JsonNode version = reference.path("version");
      if (!subject.isTextual() || !version.canConvertToInt()) {
        return Optional.empty();
      }
      references.add(
          new SchemaReference(
              reference.path("name").asText(), subject.textValue(), version.intValue()));
    }
    String type = json.path("schemaType").asText("AVRO");
    return Optional.of(
        new SchemaDocument(json.path("schema").textValue(), type, references, rules(json)));
  }

  /** Returns the enabled rules of a schema or a response to a registration. */
  static List<SchemaRule> rules(JsonNode json) {
    JsonNode ruleSet = json.path("ruleSet");
    List<SchemaRule> rules = new ArrayList<>();
    if (ruleSet.path("enableAt").asText().equals("NONE")) {
      return rules;
    }
    for (Map.Entry<String, SchemaRule.Phase> phase : PHASES) {
      for (JsonNode rule : ruleSet.path(phase.getKey())) {
        if (!rule.path("disabled").asBoolean()) {
          rules.add(
              new SchemaRule(
                  phase.getValue(),
                  rule.path("name").asText(),
                  rule.path("type").asText(),
                  rule.path("mode").asText("WRITEREAD")));
        }
      }
    }
    return rules;
  }

  /** Returns the JSON for a request. */
  String toJson() {
    ObjectNode json = Json.MAPPER.createObjectNode().put("schema", schema);
    if (!type.equals("AVRO")) {
      json.put("schemaType", type);
    }
    for (SchemaReference reference : references) {
      json.withArray("references")
          .addObject()
          .put("name", reference.name())
          .put("subject", reference.subject())
          .put("version", reference.version());
    }
    return json.toString();
  }
}
