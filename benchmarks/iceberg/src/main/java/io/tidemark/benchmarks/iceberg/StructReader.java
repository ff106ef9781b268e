package io.tidemark.benchmarks.iceberg;

import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

/** Reads datums of one schema into structs, by Avro's own reader. Used by one thread. */
final class StructReader {
  private final GenericDatumReader<GenericRecord> reader;
  private final org.apache.kafka.connect.data.Schema schema;
  private final List<Field> fields;
  private final GenericRecord reused;
  private @Nullable BinaryDecoder decoder;

  StructReader(Schema avro) {
    reader = new GenericDatumReader<>(avro);
    reused = new GenericData.Record(avro);
    var builder = SchemaBuilder.struct().name(avro.getFullName());
    avro.getFields().forEach(field -> builder.field(field.name(), connect(field)));
    schema = builder.build();
    fields = schema.fields();
  }

  private static org.apache.kafka.connect.data.Schema connect(Schema.Field field) {
    return switch (field.schema().getType()) {
      case BOOLEAN -> org.apache.kafka.connect.data.Schema.BOOLEAN_SCHEMA;
      case INT -> org.apache.kafka.connect.data.Schema.INT32_SCHEMA;
      case LONG -> org.apache.kafka.connect.data.Schema.INT64_SCHEMA;
      case FLOAT -> org.apache.kafka.connect.data.Schema.FLOAT32_SCHEMA;
      case DOUBLE -> org.apache.kafka.connect.data.Schema.FLOAT64_SCHEMA;
      case STRING -> org.apache.kafka.connect.data.Schema.STRING_SCHEMA;
      default ->
          throw new DataException(
              "field %s is of %s, which this converter does not read"
                  .formatted(field.name(), field.schema().getType()));
    };
  }

  SchemaAndValue read(byte[] value, int offset) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(value, offset, value.length - offset, decoder);
    GenericRecord quote = reader.read(reused, decoder);
    var struct = new Struct(schema);
    for (int i = 0; i < fields.size(); i++) {
      struct.put(fields.get(i), quote.get(i));
    }
    return new SchemaAndValue(schema, struct);
  }
}
