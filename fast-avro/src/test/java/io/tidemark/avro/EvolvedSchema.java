package io.tidemark.avro;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;

/**
 * A later version of a schema that can read all of its data: fields added with a default, dropped,
 * renamed with an alias, reordered, made nullable, promoted; symbols added.
 */
public final class EvolvedSchema {
  private final Random random;
  private final Map<String, Schema> named = new HashMap<>();

  private EvolvedSchema(Random random) {
    this.random = random;
  }

  public static Schema of(Schema schema, Random random) {
    return new EvolvedSchema(random).evolve(schema);
  }

  private Schema evolve(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> named.containsKey(schema.getFullName()) ? named(schema) : record(schema);
      case ENUM -> named.computeIfAbsent(schema.getFullName(), name -> enumeration(schema));
      case ARRAY -> Schema.createArray(evolve(schema.getElementType()));
      case MAP -> Schema.createMap(evolve(schema.getValueType()));
      case UNION -> Schema.createUnion(schema.getTypes().stream().map(this::evolve).toList());
      default -> schema;
    };
  }

  private Schema named(Schema schema) {
    return named.getOrDefault(schema.getFullName(), schema);
  }

  private Schema record(Schema schema) {
    Schema evolved = Schema.createRecord(schema.getName(), "evolved", schema.getNamespace(), false);
    named.put(schema.getFullName(), evolved);
    var fields = new ArrayList<Schema.Field>();
    for (Schema.Field field : schema.getFields()) {
      if (random.nextInt(6) > 0) {
        fields.add(field(field));
      }
    }
    while (random.nextInt(4) == 0) {
      fields.add(random.nextInt(fields.size() + 1), added("added" + fields.size()));
    }
    if (random.nextInt(4) == 0) {
      Collections.shuffle(fields, random);
    }
    evolved.setFields(fields);
    return evolved;
  }

  private Schema.Field field(Schema.Field field) {
    boolean renamed = random.nextInt(8) == 0;
    var evolved =
        new Schema.Field(
            renamed ? field.name() + "New" : field.name(),
            fieldType(evolve(field.schema())),
            null,
            (Object) null);
    if (renamed) {
      evolved.addAlias(field.name());
    }
    return evolved;
  }

  private Schema fieldType(Schema schema) {
    Schema promoted = random.nextInt(4) == 0 ? promoted(schema) : schema;
    boolean nullable =
        random.nextInt(5) == 0 && !promoted.isUnion() && promoted.getType() != Schema.Type.NULL;
    return nullable ? Schema.createUnion(Schema.create(Schema.Type.NULL), promoted) : promoted;
  }

  private Schema promoted(Schema schema) {
    List<Schema.Type> wider =
        switch (schema.getType()) {
          case INT -> List.of(Schema.Type.LONG, Schema.Type.FLOAT, Schema.Type.DOUBLE);
          case LONG -> List.of(Schema.Type.FLOAT, Schema.Type.DOUBLE);
          case FLOAT -> List.of(Schema.Type.DOUBLE);
          case STRING -> List.of(Schema.Type.BYTES);
          case BYTES -> List.of(Schema.Type.STRING);
          default -> List.of();
        };
    return wider.isEmpty() ? schema : Schema.create(wider.get(random.nextInt(wider.size())));
  }

  private Schema.Field added(String name) {
    return switch (random.nextInt(3)) {
      case 0 -> new Schema.Field(name, Schema.create(Schema.Type.LONG), null, 7L);
      case 1 -> new Schema.Field(name, Schema.create(Schema.Type.STRING), null, "none");
      default ->
          new Schema.Field(
              name,
              Schema.createUnion(
                  Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.DOUBLE)),
              null,
              JsonProperties.NULL_VALUE);
    };
  }

  private Schema enumeration(Schema schema) {
    var symbols = new ArrayList<>(schema.getEnumSymbols());
    while (random.nextInt(3) == 0) {
      symbols.add(random.nextInt(symbols.size() + 1), "ADDED" + symbols.size());
    }
    return Schema.createEnum(schema.getName(), null, schema.getNamespace(), symbols);
  }
}
