package io.tidemark.avro.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** A random schema with random logical types on its ints, longs, strings, bytes and fixed. */
final class LogicalAvro {
  private final Random random;
  private final Map<String, Schema> named = new HashMap<>();

  private LogicalAvro(Random random) {
    this.random = random;
  }

  static Schema of(Schema schema, Random random) {
    return new LogicalAvro(random).with(schema);
  }

  private Schema with(Schema schema) {
    Schema known = named.get(schema.getFullName());
    if (known != null) {
      return known;
    }
    return switch (schema.getType()) {
      case INT ->
          one(Schema.create(Schema.Type.INT), LogicalTypes.date(), LogicalTypes.timeMillis());
      case LONG ->
          one(
              Schema.create(Schema.Type.LONG),
              LogicalTypes.timestampMillis(),
              LogicalTypes.timestampMicros(),
              LogicalTypes.timestampNanos(),
              LogicalTypes.localTimestampMillis(),
              LogicalTypes.localTimestampMicros(),
              LogicalTypes.localTimestampNanos(),
              LogicalTypes.timeMicros());
      case STRING -> one(Schema.create(Schema.Type.STRING), LogicalTypes.uuid());
      case BYTES -> one(Schema.create(Schema.Type.BYTES), LogicalTypes.decimal(30, 2));
      case FIXED -> fixed(schema);
      case ARRAY -> Schema.createArray(with(schema.getElementType()));
      case MAP -> Schema.createMap(with(schema.getValueType()));
      case UNION -> Schema.createUnion(schema.getTypes().stream().map(this::with).toList());
      case RECORD -> {
        Schema record = Schema.createRecord(schema.getName(), null, schema.getNamespace(), false);
        named.put(schema.getFullName(), record);
        List<Schema.Field> fields = new ArrayList<>();
        schema.getFields().forEach(f -> fields.add(new Schema.Field(f, with(f.schema()))));
        record.setFields(fields);
        yield record;
      }
      default -> schema;
    };
  }

  private Schema fixed(Schema schema) {
    boolean uuid = random.nextBoolean();
    Schema made =
        Schema.createFixed(
            schema.getName(),
            null,
            schema.getNamespace(),
            uuid ? 16 : Math.max(1, schema.getFixedSize()));
    named.put(schema.getFullName(), made);
    return uuid
        ? one(made, LogicalTypes.uuid())
        : one(made, LogicalTypes.decimal(made.getFixedSize() * 2, 2));
  }

  private Schema one(Schema schema, LogicalType... types) {
    int chosen = random.nextInt(types.length + 1);
    return chosen == types.length ? schema : types[chosen].addToSchema(schema);
  }
}
