package io.tidemark.benchmarks.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;

/**
 * Records of every Avro type, small (10 fields) and large (100), flat and 3 levels deep, modelled
 * on avro-fastserde's benchmark; and the same with a union with null for every field.
 *
 * <p>Deep records have one record of the same size in each of three levels below the first. Only
 * unions have null. Texts have 2 to 39 letters, arrays and maps 1 to 10 items, and one union in
 * four is null.
 */
final class NestedRecords {
  private static final String NAMESPACE = "io.tidemark.benchmarks";
  private static final int DEPTH = 3;

  private NestedRecords() {}

  static List<ReferenceRecord> all() {
    var all = new ArrayList<ReferenceRecord>();
    for (boolean unions : List.of(false, true)) {
      for (int fields : List.of(10, 100)) {
        for (int depth : List.of(0, DEPTH)) {
          String name =
              "Nested-%s-%s%s"
                  .formatted(
                      fields == 10 ? "small" : "large",
                      depth == 0 ? "flat" : "deep",
                      unions ? "-unions" : "");
          Schema schema = record(fields, depth, unions);
          all.add(ReferenceRecord.of(name, schema, (random, out) -> write(random, schema, out)));
        }
      }
    }
    return all;
  }

  private static Schema record(int fieldCount, int depth, boolean unions) {
    var fields = new ArrayList<Schema.Field>();
    for (int i = 0; i < fieldCount; i++) {
      Schema type = i == 0 && depth > 0 ? record(fieldCount, depth - 1, unions) : type(i, depth);
      if (unions && !type.isUnion()) {
        type = nullable(type);
      }
      fields.add(new Schema.Field("field" + i, type));
    }
    return Schema.createRecord("Level" + depth, null, NAMESPACE, false, fields);
  }

  private static Schema type(int field, int depth) {
    String suffix = depth + "_" + field;
    return switch (field % 12) {
      case 0 -> Schema.create(Schema.Type.STRING);
      case 1 -> Schema.create(Schema.Type.INT);
      case 2 -> nullable(Schema.create(Schema.Type.STRING));
      case 3 -> Schema.create(Schema.Type.LONG);
      case 4 -> Schema.create(Schema.Type.DOUBLE);
      case 5 -> Schema.createArray(Schema.create(Schema.Type.STRING));
      case 6 ->
          Schema.createEnum(
              "Enum" + suffix, null, NAMESPACE, List.of("BUY", "SELL", "HOLD", "NONE"));
      case 7 -> Schema.create(Schema.Type.BYTES);
      case 8 -> Schema.createMap(Schema.create(Schema.Type.LONG));
      case 9 -> Schema.create(Schema.Type.BOOLEAN);
      case 10 -> Schema.create(Schema.Type.FLOAT);
      default -> Schema.createFixed("Fixed" + suffix, null, NAMESPACE, 8);
    };
  }

  private static Schema nullable(Schema type) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), type);
  }

  /** Writes a random value of any schema. */
  static void write(SplittableRandom random, Schema schema, Encoder out) throws IOException {
    switch (schema.getType()) {
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          write(random, field.schema(), out);
        }
      }
      case UNION -> {
        int branch = random.nextInt(4) == 0 ? 0 : 1;
        out.writeIndex(branch);
        write(random, schema.getTypes().get(branch), out);
      }
      case ARRAY -> {
        int items = random.nextInt(1, 11);
        out.writeArrayStart();
        out.setItemCount(items);
        for (int i = 0; i < items; i++) {
          out.startItem();
          write(random, schema.getElementType(), out);
        }
        out.writeArrayEnd();
      }
      case MAP -> {
        int items = random.nextInt(1, 11);
        out.writeMapStart();
        out.setItemCount(items);
        for (int i = 0; i < items; i++) {
          out.startItem();
          out.writeString("key" + i + ReferenceRecord.letters(random, 6));
          write(random, schema.getValueType(), out);
        }
        out.writeMapEnd();
      }
      case STRING -> out.writeString(ReferenceRecord.letters(random, random.nextInt(2, 40)));
      case BYTES -> out.writeBytes(bytes(random, random.nextInt(1, 25)));
      case FIXED -> out.writeFixed(bytes(random, schema.getFixedSize()));
      case ENUM -> out.writeEnum(random.nextInt(schema.getEnumSymbols().size()));
      case INT -> out.writeInt(random.nextInt(Integer.MAX_VALUE));
      case LONG -> out.writeLong(random.nextLong(Long.MAX_VALUE));
      case FLOAT -> out.writeFloat((float) random.nextDouble());
      case DOUBLE -> out.writeDouble(random.nextDouble());
      case BOOLEAN -> out.writeBoolean(random.nextBoolean());
      case NULL -> out.writeNull();
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
