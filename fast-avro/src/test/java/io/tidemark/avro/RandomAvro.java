package io.tidemark.avro;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Random schemas of every type, nested and recursive, and random data of these schemas. The same
 * seed produces the same ones.
 */
public final class RandomAvro {
  private static final int MAX_DEPTH = 4;

  private final Random random;
  private final boolean strings;
  private final List<Schema> named = new ArrayList<>();
  private int names;

  public RandomAvro(long seed) {
    this(seed, false);
  }

  private RandomAvro(long seed, boolean strings) {
    random = new Random(seed);
    this.strings = strings;
  }

  /**
   * Schemas in which every second string, and the keys of every second map, are read as {@code
   * String} instead of Utf8. Its schemas are not those of another RandomAvro of this seed.
   */
  public static RandomAvro withStrings(long seed) {
    return new RandomAvro(seed, true);
  }

  public Random random() {
    return random;
  }

  /** A record, sometimes another schema. */
  public Schema schema() {
    return random.nextInt(8) == 0 ? any(0) : record(0);
  }

  public Schema recordSchema() {
    return record(0);
  }

  /** A record of so many fields that a compiled reader reads them by a table. */
  public Schema wideRecordSchema() {
    return record(MAX_DEPTH - 2, () -> 150);
  }

  private Schema any(int depth) {
    int kinds = depth < MAX_DEPTH ? 16 : 10;
    return switch (random.nextInt(kinds)) {
      case 0 -> Schema.create(Schema.Type.NULL);
      case 1 -> Schema.create(Schema.Type.BOOLEAN);
      case 2 -> maybe(Schema.create(Schema.Type.INT), LogicalTypes.date());
      case 3 -> maybe(Schema.create(Schema.Type.LONG), LogicalTypes.timestampMillis());
      case 4 -> Schema.create(Schema.Type.FLOAT);
      case 5 -> Schema.create(Schema.Type.DOUBLE);
      case 6 -> maybe(Schema.create(Schema.Type.BYTES), LogicalTypes.decimal(9, 2));
      case 7 -> maybeString(maybe(Schema.create(Schema.Type.STRING), LogicalTypes.uuid()));
      case 8 -> enumeration();
      case 9 -> fixed();
      case 10, 11 -> record(depth + 1);
      case 12 -> Schema.createArray(mayRecur(depth + 1));
      case 13 -> maybeString(Schema.createMap(mayRecur(depth + 1)));
      default -> union(depth + 1);
    };
  }

  /**
   * A value whose type may be a former one. Its place allows its omission, so that recursion ends.
   */
  private Schema mayRecur(int depth) {
    return !named.isEmpty() && random.nextInt(3) == 0
        ? named.get(random.nextInt(named.size()))
        : any(depth);
  }

  private Schema record(int depth) {
    return record(depth, () -> random.nextInt(8));
  }

  private Schema record(int depth, IntSupplier fieldCount) {
    Schema record = Schema.createRecord("R" + names++, null, "test", false);
    named.add(record);
    if (random.nextInt(4) == 0) {
      record.addAlias("Former" + names);
    }
    var fields = new ArrayList<Schema.Field>();
    int count = fieldCount.getAsInt();
    for (int i = 0; i < count; i++) {
      var field = new Schema.Field("f" + i, any(depth + 1), null, (Object) null);
      if (random.nextInt(4) == 0) {
        field.addAlias("former" + i);
      }
      fields.add(field);
    }
    record.setFields(fields);
    return record;
  }

  private Schema union(int depth) {
    var branches = new ArrayList<Schema>();
    if (random.nextInt(3) > 0) {
      branches.add(Schema.create(Schema.Type.NULL));
    }
    int count = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      Schema branch = branches.isEmpty() ? any(depth) : mayRecur(depth);
      boolean fits =
          !branch.isUnion()
              && branches.stream().noneMatch(b -> b.getFullName().equals(branch.getFullName()));
      if (fits) {
        branches.add(random.nextInt(branches.size() + 1), branch);
      }
    }
    if (branches.stream().allMatch(branch -> branch.getType() == Schema.Type.RECORD)) {
      branches.add(Schema.create(Schema.Type.NULL)); // An end for any recursion.
    }
    return Schema.createUnion(branches);
  }

  private Schema enumeration() {
    var symbols = new ArrayList<String>();
    int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 4);
    for (int i = 0; i < count; i++) {
      symbols.add("S" + i);
    }
    Schema schema = Schema.createEnum("E" + names++, null, "test", symbols);
    named.add(schema);
    return schema;
  }

  private Schema fixed() {
    Schema schema = Schema.createFixed("F" + names++, null, "test", random.nextInt(20));
    named.add(schema);
    return schema;
  }

  private Schema maybeString(Schema schema) {
    // Avro rejects a logical type together with avro.java.string.
    if (strings && schema.getLogicalType() == null && random.nextBoolean()) {
      GenericData.setStringType(schema, GenericData.StringType.String);
    }
    return schema;
  }

  private Schema maybe(Schema schema, LogicalType type) {
    return random.nextInt(4) == 0 ? type.addToSchema(schema) : schema;
  }

  /** A value of a schema, as Avro's generic representation. */
  public @Nullable Object datum(Schema schema) {
    return datum(schema, 0);
  }

  private @Nullable Object datum(Schema schema, int depth) {
    return switch (schema.getType()) {
      case NULL -> null;
      case BOOLEAN -> random.nextBoolean();
      case INT -> random.nextInt() >> random.nextInt(32);
      case LONG -> random.nextLong() >> random.nextInt(64);
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case BYTES -> ByteBuffer.wrap(bytes(length()));
      case STRING -> text();
      case ENUM ->
          new GenericData.EnumSymbol(
              schema, schema.getEnumSymbols().get(random.nextInt(schema.getEnumSymbols().size())));
      case FIXED -> new GenericData.Fixed(schema, bytes(schema.getFixedSize()));
      case ARRAY -> {
        var items = new GenericData.Array<@Nullable Object>(schema, new ArrayList<>());
        for (int i = items(depth); i > 0; i--) {
          items.add(datum(schema.getElementType(), depth + 1));
        }
        yield items;
      }
      case MAP -> {
        var entries = new LinkedHashMap<Utf8, @Nullable Object>();
        for (int i = items(depth); i > 0; i--) {
          entries.put(text(), datum(schema.getValueType(), depth + 1));
        }
        yield entries;
      }
      case UNION -> datum(branch(schema.getTypes(), depth), depth + 1);
      case RECORD -> {
        var record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          record.put(field.pos(), datum(field.schema(), depth + 1));
        }
        yield record;
      }
    };
  }

  /** Any branch. At a great depth, one that ends the recursion. */
  private Schema branch(List<Schema> branches, int depth) {
    if (depth > 12) {
      for (Schema branch : branches) {
        if (branch.getType() != Schema.Type.RECORD) {
          return branch;
        }
      }
      return branches.get(0);
    }
    return branches.get(random.nextInt(branches.size()));
  }

  private int items(int depth) {
    return depth > 6 ? 0 : random.nextInt(4);
  }

  private int length() {
    return random.nextInt(20) == 0 ? random.nextInt(400) : random.nextInt(12);
  }

  private Utf8 text() {
    var text = new StringBuilder();
    for (int i = length(); i > 0; i--) {
      text.appendCodePoint(random.nextInt(30) == 0 ? 0x1F30A : 'a' + random.nextInt(26));
    }
    return new Utf8(text.toString());
  }

  private byte[] bytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
