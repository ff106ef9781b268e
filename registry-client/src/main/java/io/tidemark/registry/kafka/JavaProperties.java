package io.tidemark.registry.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.registry.RegisteredSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.jspecify.annotations.Nullable;

/**
 * Removes {@code avro.java.string} from schemas, which Avro's compiler adds to the schemas of its
 * classes. Safe for use by many threads.
 */
final class JavaProperties {
  private static final String STRING = "avro.java.string";
  private static final int MOST_SCHEMAS = 1_000;
  private static final JsonMapper JSON = new JsonMapper();

  /** A schema that is compared by identity: the caller uses the same object again. */
  private record Given(Schema schema) {
    @Override
    @SuppressWarnings("ReferenceEquality") // Equal schemas may differ in documentation.
    public boolean equals(@Nullable Object other) {
      return other instanceof Given that && schema == that.schema;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(schema);
    }
  }

  private final Map<Given, Schema> without = new ConcurrentHashMap<>();

  Schema removedFrom(Schema schema) {
    Given given = new Given(schema);
    Schema known = without.get(given);
    if (known != null) {
      return known;
    }
    if (without.size() >= MOST_SCHEMAS) {
      without.clear();
    }
    Schema removed = remove(schema);
    without.put(given, removed);
    return removed;
  }

  private static Schema remove(Schema schema) {
    try {
      JsonNode json = JSON.readTree(schema.toString());
      remove(json);
      return RegisteredSchema.parse(json.toString());
    } catch (JsonProcessingException e) {
      throw new SchemaParseException(e);
    }
  }

  private static void remove(JsonNode json) {
    if (json instanceof ObjectNode object) {
      object.remove(STRING);
    }
    for (JsonNode child : json) {
      remove(child);
    }
  }
}
