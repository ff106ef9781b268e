package io.tidemark.connect.commit.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.tidemark.connect.batch.BatchIdCount;
import io.tidemark.connect.batch.BatchIdCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the counts of announced batches as JSON. */
final class BatchIdsJson {
  private BatchIdsJson() {}

  static final class Writer extends StdSerializer<BatchIdCounts> {
    private static final long serialVersionUID = 1L;

    Writer() {
      super(BatchIdCounts.class);
    }

    @Override
    public void serialize(BatchIdCounts value, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeStartObject();
      to.writeArrayFieldStart("counts");
      for (BatchIdCount count : value.counts()) {
        to.writeStartObject();
        to.writeStringField("id", count.id());
        to.writeStringField("table", count.table().orElse(null));
        to.writeNumberField("landed", count.landed());
        to.writeNumberField("deadLettered", count.deadLettered());
        to.writeNumberField("skipped", count.skipped());
        to.writeEndObject();
      }
      to.writeEndArray();
      to.writeNumberField("mixed", value.mixed());
      to.writeEndObject();
    }
  }

  static final class Reader extends StdDeserializer<BatchIdCounts> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(BatchIdCounts.class);
    }

    @Override
    public BatchIdCounts deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode node = context.readTree(parser);
      List<BatchIdCount> counts = new ArrayList<>();
      try {
        for (JsonNode count : array(node)) {
          JsonNode table = field(count, "table");
          counts.add(
              new BatchIdCount(
                  text(field(count, "id"), "id"),
                  table.isNull() ? Optional.empty() : Optional.of(text(table, "table")),
                  number(count, "landed"),
                  number(count, "deadLettered"),
                  number(count, "skipped")));
        }
        return new BatchIdCounts(counts, number(node, "mixed"));
      } catch (IllegalArgumentException e) {
        return context.reportInputMismatch(this, "batchIds: %s", e.getMessage());
      }
    }

    private static JsonNode array(JsonNode node) {
      JsonNode counts = field(node, "counts");
      if (!counts.isArray()) {
        throw new IllegalArgumentException("counts is not an array");
      }
      return counts;
    }

    private static String text(JsonNode value, String name) {
      if (!value.isTextual()) {
        throw new IllegalArgumentException(name + " is not a text");
      }
      return value.textValue();
    }

    private static long number(JsonNode node, String name) {
      JsonNode value = field(node, name);
      if (!value.isIntegralNumber() || !value.canConvertToLong()) {
        throw new IllegalArgumentException(name + " is not a whole number");
      }
      return value.longValue();
    }

    private static JsonNode field(JsonNode node, String name) {
      JsonNode value = node.get(name);
      if (value == null) {
        throw new IllegalArgumentException(name + " is missing");
      }
      return value;
    }
  }
}
