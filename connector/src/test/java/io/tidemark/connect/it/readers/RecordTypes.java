package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * What {@code types.union=record} and {@code types.recursion=json} make of schemas and values, as
 * docs/CONFIG.md describes it. It shares no code with the connector.
 */
final class RecordTypes {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The names of the records around the place. */
  private final List<String> around = new ArrayList<>();

  private RecordTypes() {}

  /** The schema in the table. */
  static Schema schema(Schema schema) {
    return new RecordTypes().schemaOf(schema);
  }

  static List<@Nullable Object> values(Schema schema, List<@Nullable Object> raw) {
    List<@Nullable Object> values = new ArrayList<>();
    raw.forEach(each -> values.add(new RecordTypes().valueOf(schema, each)));
    return values;
  }

  private Schema schemaOf(Schema schema) {
    return switch (schema.getType()) {
      case UNION -> unionOf(schema);
      case ARRAY -> Schema.createArray(schemaOf(schema.getElementType()));
      case MAP -> Schema.createMap(schemaOf(schema.getValueType()));
      case RECORD -> {
        if (around.contains(schema.getFullName())) {
          yield Schema.create(Schema.Type.STRING);
        }
        around.add(schema.getFullName());
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          fields.add(new Schema.Field(field.name(), schemaOf(field.schema())));
        }
        around.remove(schema.getFullName());
        yield record(schema.getName(), fields);
      }
      default -> schema;
    };
  }

  private Schema unionOf(Schema union) {
    List<Schema> types = types(union);
    if (types.size() < 2) {
      return Schema.createUnion(union.getTypes().stream().map(this::schemaOf).toList());
    }
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema type : types) {
      fields.add(
          new Schema.Field(
              type.getName(), Schema.createUnion(Schema.create(Schema.Type.NULL), schemaOf(type))));
    }
    Schema record = record("Union", fields);
    return types.size() == union.getTypes().size()
        ? record
        : Schema.createUnion(Schema.create(Schema.Type.NULL), record);
  }

  private static Schema record(String name, List<Schema.Field> fields) {
    return Schema.createRecord(
        name, null, "io.tidemark.it", false, Collections.unmodifiableList(fields));
  }

  /** The types of a union beside null. */
  private static List<Schema> types(Schema union) {
    return union.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).toList();
  }

  private @Nullable Object valueOf(Schema schema, @Nullable Object raw) {
    if (raw == null) {
      return null;
    }
    return switch (schema.getType()) {
      case UNION -> {
        Schema type = schema.getTypes().get(GenericData.get().resolveUnion(schema, raw));
        if (types(schema).size() < 2) {
          yield valueOf(type, raw);
        }
        List<Schema> made = schemaOf(schema).isUnion() ? types(schemaOf(schema)) : List.of();
        GenericRecord record =
            new GenericData.Record(made.isEmpty() ? schemaOf(schema) : made.get(0));
        record.put(type.getName(), valueOf(type, raw));
        yield record;
      }
      case ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        ((List<?>) raw).forEach(each -> items.add(valueOf(schema.getElementType(), each)));
        yield items;
      }
      case RECORD -> recordOf(schema, (GenericRecord) raw);
      default -> raw;
    };
  }

  private Object recordOf(Schema schema, GenericRecord raw) {
    if (around.contains(schema.getFullName())) {
      try {
        return JSON.writeValueAsString(json(raw).orElseThrow());
      } catch (JsonProcessingException e) {
        throw new AssertionError(e);
      }
    }
    GenericRecord record = new GenericData.Record(schemaOf(schema));
    around.add(schema.getFullName());
    for (Schema.Field field : schema.getFields()) {
      record.put(field.name(), valueOf(field.schema(), raw.get(field.name())));
    }
    around.remove(schema.getFullName());
    return record;
  }

  /** A value for Jackson; empty for null. */
  private static Optional<Object> json(@Nullable Object raw) {
    if (raw instanceof GenericRecord record) {
      Map<String, Optional<Object>> fields = new LinkedHashMap<>();
      for (Schema.Field field : record.getSchema().getFields()) {
        fields.put(field.name(), json(record.get(field.name())));
      }
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      fields.forEach((name, value) -> members.put(name, value.orElse(null)));
      return Optional.of(members);
    }
    return raw instanceof List<?> items
        ? Optional.of(items.stream().map(each -> json(each).orElseThrow()).toList())
        : Optional.ofNullable(raw);
  }
}
