package io.tidemark.avro;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * A later version of a schema, by random changes of every kind that Avro resolves. Fields are added
 * with a default, dropped, reordered or renamed. Records, enums and fixed are renamed, and numbers
 * promoted. Unions are created, widened or reordered, and symbols added and reordered.
 *
 * <p>A daring version also removes branches and symbols, so that some data cannot be read.
 */
public final class EvolvedSchema {
  private static final List<Schema.Type> NUMBERS =
      List.of(Schema.Type.INT, Schema.Type.LONG, Schema.Type.FLOAT, Schema.Type.DOUBLE);

  private final Random random;
  private final boolean daring;
  private final Map<String, Schema> named = new HashMap<>();

  /** So large that a later version of this one adds other names. */
  private int added;

  private EvolvedSchema(Random random, boolean daring) {
    this.random = random;
    this.daring = daring;
    added = random.nextInt(1 << 24) << 6;
  }

  /** A version that can read all data of the schema. */
  public static Schema of(Schema schema, Random random) {
    return new EvolvedSchema(random, false).evolve(schema);
  }

  /** A version that can read most data of the schema. */
  public static Schema daring(Schema schema, Random random) {
    return new EvolvedSchema(random, true).evolve(schema);
  }

  private Schema evolve(Schema schema) {
    Schema known = named.get(schema.getFullName());
    if (known != null) {
      return known;
    }
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case ENUM -> name(schema, enumeration(schema));
      case FIXED -> name(schema, fixed(schema));
      case ARRAY -> Schema.createArray(value(schema.getElementType()));
      case MAP -> withKeys(schema, Schema.createMap(value(schema.getValueType())));
      case UNION -> union(schema);
      default -> oneIn(5) ? promoted(schema) : schema;
    };
  }

  /** The evolved map, with keys of the class that the map has them in. */
  private static Schema withKeys(Schema map, Schema evolved) {
    String type = map.getProp(GenericData.STRING_PROP);
    if (type != null) {
      evolved.addProp(GenericData.STRING_PROP, type);
    }
    return evolved;
  }

  private Schema name(Schema schema, Schema evolved) {
    named.put(schema.getFullName(), evolved);
    return evolved;
  }

  /** The type of a field, an item or a map's value. Sometimes it becomes a union. */
  private Schema value(Schema schema) {
    Schema evolved = evolve(schema);
    if (evolved.isUnion()) {
      return daring && oneIn(6) && !evolved.getTypes().isEmpty() ? anyBranch(evolved) : evolved;
    }
    return oneIn(5) ? widened(List.of(evolved)) : evolved;
  }

  private Schema union(Schema schema) {
    var branches = new ArrayList<Schema>();
    for (Schema branch : schema.getTypes()) {
      branches.add(promoted(branch).equals(branch) ? evolve(branch) : branch);
    }
    if (branches.isEmpty()) {
      return schema;
    }
    int any = random.nextInt(branches.size());
    Schema promoted = promoted(branches.get(any));
    if (oneIn(3)
        && branches.stream().noneMatch(b -> b.getType() == promoted.getType())
        && (daring || branches.stream().noneMatch(EvolvedSchema::misreadsInts))) {
      branches.set(any, promoted);
    }
    if (daring && branches.size() > 1 && oneIn(5)) {
      branches.remove(random.nextInt(branches.size()));
    }
    if (oneIn(4)) {
      Collections.shuffle(branches, random);
    }
    return oneIn(4) ? widened(branches) : Schema.createUnion(branches);
  }

  /**
   * An int that was promoted takes the first branch that it can be promoted to. A float rounds it,
   * and a date is not a time.
   */
  private static boolean misreadsInts(Schema branch) {
    return branch.getType() == Schema.Type.FLOAT
        || (branch.getType() == Schema.Type.LONG && branch.getLogicalType() != null);
  }

  private Schema anyBranch(Schema union) {
    return union.getTypes().get(random.nextInt(union.getTypes().size()));
  }

  /** A union of some of the branches and some new ones. */
  private Schema widened(List<Schema> branches) {
    var wider = new ArrayList<>(branches);
    var names = new HashSet<String>();
    branches.forEach(branch -> names.add(branch.getFullName()));
    do {
      Schema branch = addedType(1);
      if (!branch.isUnion()
          && (daring || !misreadsInts(branch))
          && names.add(branch.getFullName())) {
        wider.add(random.nextInt(wider.size() + 1), branch);
      }
    } while (oneIn(3));
    return Schema.createUnion(wider);
  }

  private Schema record(Schema schema) {
    Schema evolved = renamed(schema, Schema.createRecord(newName(schema), "evolved", null, false));
    named.put(schema.getFullName(), evolved);
    var fields = new ArrayList<Schema.Field>();
    for (Schema.Field field : schema.getFields()) {
      if (!oneIn(6)) {
        fields.add(field(field));
      }
    }
    while (oneIn(4)) {
      fields.add(random.nextInt(fields.size() + 1), addedField());
    }
    if (oneIn(4)) {
      Collections.shuffle(fields, random);
    } else if (fields.size() > 1 && oneIn(4)) {
      Collections.swap(fields, random.nextInt(fields.size()), random.nextInt(fields.size()));
    }
    evolved.setFields(fields);
    return evolved;
  }

  private Schema.Field field(Schema.Field field) {
    boolean renamed = oneIn(8);
    var evolved =
        new Schema.Field(
            renamed ? field.name() + "New" : field.name(),
            value(field.schema()),
            null,
            (Object) null);
    if (renamed) {
      evolved.addAlias(field.name());
    }
    return evolved;
  }

  private Schema promoted(Schema schema) {
    List<Schema.Type> wider =
        switch (schema.getType()) {
          // An int may have no equal float, and a long no equal float or double.
          case INT ->
              daring
                  ? List.of(Schema.Type.LONG, Schema.Type.FLOAT, Schema.Type.DOUBLE)
                  : List.of(Schema.Type.LONG, Schema.Type.DOUBLE);
          case LONG ->
              daring ? List.of(Schema.Type.FLOAT, Schema.Type.DOUBLE) : List.<Schema.Type>of();
          case FLOAT -> List.of(Schema.Type.DOUBLE);
          case STRING -> List.of(Schema.Type.BYTES);
          case BYTES -> List.of(Schema.Type.STRING);
          default -> List.of();
        };
    return wider.isEmpty() ? schema : Schema.create(wider.get(random.nextInt(wider.size())));
  }

  private Schema enumeration(Schema schema) {
    var symbols = new ArrayList<>(schema.getEnumSymbols());
    while (oneIn(3)) {
      symbols.add(random.nextInt(symbols.size() + 1), "ADDED" + added++);
    }
    boolean fewer = symbols.size() > 1 && oneIn(4);
    boolean hasDefault = fewer && !(daring && random.nextBoolean());
    if (fewer) {
      symbols.remove(random.nextInt(symbols.size()));
    }
    if (oneIn(4)) {
      Collections.shuffle(symbols, random);
    }
    String symbol = hasDefault ? symbols.get(random.nextInt(symbols.size())) : null;
    return renamed(schema, Schema.createEnum(newName(schema), null, null, symbols, symbol));
  }

  private Schema fixed(Schema schema) {
    return renamed(schema, Schema.createFixed(newName(schema), null, null, schema.getFixedSize()));
  }

  /** The same name, sometimes another one, or the same in another namespace. */
  private String newName(Schema schema) {
    return switch (random.nextInt(12)) {
      case 0 -> schema.getFullName() + "New";
      case 1 -> "other." + schema.getName();
      default -> schema.getFullName();
    };
  }

  private static Schema renamed(Schema schema, Schema evolved) {
    if (!evolved.getFullName().equals(schema.getFullName())) {
      evolved.addAlias(schema.getFullName());
    }
    return evolved;
  }

  private Schema.Field addedField() {
    String name = "added" + added++;
    Schema type = addedType(0);
    return new Schema.Field(name, type, null, defaultOf(type));
  }

  private Schema addedType(int depth) {
    return switch (random.nextInt(depth < 3 ? 14 : 8)) {
      case 0 -> Schema.create(Schema.Type.NULL);
      case 1 -> Schema.create(Schema.Type.BOOLEAN);
      case 2 -> Schema.create(Schema.Type.INT);
      case 3 -> Schema.create(Schema.Type.LONG);
      case 4 -> Schema.create(Schema.Type.FLOAT);
      case 5 -> Schema.create(Schema.Type.DOUBLE);
      case 6 -> Schema.create(Schema.Type.STRING);
      case 7 -> Schema.create(Schema.Type.BYTES);
      case 8 -> Schema.createFixed("AddedFixed" + added++, null, "test", random.nextInt(4));
      case 9 -> Schema.createEnum("AddedEnum" + added++, null, "test", List.of("A", "B", "C"));
      case 10 -> Schema.createArray(addedType(depth + 1));
      case 11 -> Schema.createMap(addedType(depth + 1));
      case 12 -> addedRecord(depth);
      default ->
          Schema.createUnion(
              Schema.create(Schema.Type.NULL),
              Schema.create(NUMBERS.get(random.nextInt(NUMBERS.size()))));
    };
  }

  private Schema addedRecord(int depth) {
    Schema record = Schema.createRecord("AddedRecord" + added++, null, "test", false);
    var fields = new ArrayList<Schema.Field>();
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.add(new Schema.Field("a" + i, addedType(depth + 1), null, (Object) null));
    }
    record.setFields(fields);
    return record;
  }

  private Object defaultOf(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> JsonProperties.NULL_VALUE;
      case BOOLEAN -> random.nextBoolean();
      case INT -> random.nextInt();
      case LONG -> random.nextLong();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case STRING -> "text " + random.nextInt(1000);
      case BYTES -> bytes(random.nextInt(5));
      case FIXED -> bytes(schema.getFixedSize());
      case ENUM -> schema.getEnumSymbols().get(random.nextInt(schema.getEnumSymbols().size()));
      case ARRAY -> oneIn(2) ? List.of() : List.of(defaultOf(schema.getElementType()));
      case MAP -> oneIn(2) ? Map.of() : Map.of("key", defaultOf(schema.getValueType()));
      case UNION -> defaultOf(schema.getTypes().get(0));
      case RECORD -> {
        var fields = new HashMap<String, Object>();
        schema.getFields().forEach(field -> fields.put(field.name(), defaultOf(field.schema())));
        yield fields;
      }
    };
  }

  /** Bytes in the form of a schema's JSON: a character for each. */
  private String bytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }
}
