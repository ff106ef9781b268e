package io.tidemark.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Removes logical types that do not fit their types, such as a decimal whose scale is above its
 * precision. Avro's specification requires to ignore them. Its library does so, too, but logs a
 * warning for each, which names neither schema nor field.
 */
final class InvalidLogicalTypes {
  private static final String LOGICAL_TYPE = "logicalType";
  private static final ObjectMapper JSON = new ObjectMapper();

  private InvalidLogicalTypes() {}

  /** Returns the text of a schema without them; a text that is not JSON is returned unchanged. */
  static String removedFrom(String text) {
    if (!text.contains(LOGICAL_TYPE)) {
      return text;
    }
    try {
      JsonNode schema = JSON.readTree(text);
      return remove(schema) ? JSON.writeValueAsString(schema) : text;
    } catch (JsonProcessingException e) {
      return text; // Avro's parser reports the fault.
    }
  }

  /** Avro's parser reads types in these places only, not in defaults or properties. */
  private static boolean remove(JsonNode schema) {
    boolean removed = false;
    if (schema.isArray()) {
      for (JsonNode branch : schema) {
        removed |= remove(branch);
      }
    } else if (schema instanceof ObjectNode type) {
      if (type.path(LOGICAL_TYPE).isTextual() && !isValid(type)) {
        type.remove(LOGICAL_TYPE);
        removed = true;
      }
      removed |= remove(type.path("type"));
      removed |= remove(type.path("items"));
      removed |= remove(type.path("values"));
      for (JsonNode field : type.path("fields")) {
        removed |= remove(field.path("type"));
      }
    }
    return removed;
  }

  private static boolean isValid(ObjectNode type) {
    try {
      Schema schema = plain(type);
      schema.addProp(LOGICAL_TYPE, type.path(LOGICAL_TYPE).textValue());
      for (String attribute : List.of("precision", "scale")) {
        JsonNode value = type.path(attribute);
        if (!value.isMissingNode()) {
          schema.addProp(attribute, value.isInt() ? (Object) value.intValue() : value.asText());
        }
      }
      LogicalTypes.fromSchema(schema);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** No logical type fits a boolean, which replaces records, enums, arrays and maps. */
  private static Schema plain(ObjectNode type) {
    String name = type.path("type").asText();
    return switch (name) {
      case "fixed" -> Schema.createFixed("F", null, null, type.path("size").asInt());
      case "string", "bytes", "int", "long", "float", "double" ->
          Schema.create(Schema.Type.valueOf(name.toUpperCase(Locale.ROOT)));
      default -> Schema.create(Schema.Type.BOOLEAN);
    };
  }
}
