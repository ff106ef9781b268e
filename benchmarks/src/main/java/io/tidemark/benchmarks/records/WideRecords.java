package io.tidemark.benchmarks.records;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Records with as many fields as wide records of other projects have, generated with a mixture of
 * all types. The fields of nested records count.
 */
final class WideRecords {
  private static final String NAMESPACE = "io.tidemark.benchmarks";
  private static final int CHILDREN = 3;

  private final SplittableRandom random;
  private final int fieldsOfARecord;
  private final int nullablePercent;
  private int missing;
  private int names;

  private WideRecords(int fields, int fieldsOfARecord, int nullablePercent) {
    random = new SplittableRandom(fields);
    missing = fields;
    this.fieldsOfARecord = fieldsOfARecord;
    this.nullablePercent = nullablePercent;
  }

  /** Returns flat records, mostly of unions with null and mostly not, and nested ones. */
  static List<ReferenceRecord> all() {
    return List.of(wide(298, 298, 75), wide(171, 171, 10), wide(432, 24, 75), wide(3_462, 25, 50));
  }

  private static ReferenceRecord wide(int fields, int fieldsOfARecord, int nullablePercent) {
    Schema schema = new WideRecords(fields, fieldsOfARecord, nullablePercent).record();
    return ReferenceRecord.of(
        "Wide-" + fields, schema, (random, out) -> NestedRecords.write(random, schema, out));
  }

  /** The records form a tree: each begins with up to three others, while fields are missing. */
  private Schema record() {
    String name = "Part" + names++;
    int count = Math.min(missing, fieldsOfARecord);
    missing -= count;
    var fields = new ArrayList<Schema.Field>();
    for (int i = 0; i < count; i++) {
      Schema type = i < CHILDREN && missing > 0 ? record() : type(name + "_" + i);
      fields.add(
          new Schema.Field(
              "field" + i,
              random.nextInt(100) < nullablePercent
                  ? Schema.createUnion(Schema.create(Schema.Type.NULL), type)
                  : type));
    }
    return Schema.createRecord(name, null, NAMESPACE, false, fields);
  }

  private Schema type(String suffix) {
    int percent = random.nextInt(100);
    if (percent < 40) {
      return Schema.create(Schema.Type.STRING);
    } else if (percent < 53) {
      return Schema.create(Schema.Type.LONG);
    } else if (percent < 65) {
      return Schema.create(Schema.Type.INT);
    } else if (percent < 75) {
      return Schema.create(Schema.Type.DOUBLE);
    } else if (percent < 84) {
      return Schema.create(Schema.Type.BOOLEAN);
    } else if (percent < 89) {
      return Schema.createEnum(
          "Code" + suffix, null, NAMESPACE, List.of("BUY", "SELL", "HOLD", "NONE"));
    } else if (percent < 91) {
      return Schema.createArray(Schema.create(Schema.Type.STRING));
    } else if (percent < 92) {
      return Schema.createMap(Schema.create(Schema.Type.LONG));
    } else if (percent < 94) {
      return Schema.create(Schema.Type.FLOAT);
    } else if (percent < 96) {
      return Schema.create(Schema.Type.BYTES);
    } else if (percent < 97) {
      return Schema.createFixed("Hash" + suffix, null, NAMESPACE, 16);
    }
    return LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
  }
}
