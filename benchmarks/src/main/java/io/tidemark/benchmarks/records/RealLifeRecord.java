package io.tidemark.benchmarks.records;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;

/**
 * A record modelled on the description of the "real-life schema" in RTB House's article on
 * avro-fastserde: 25 records, nested in each other, with 600 fields, each a union with null.
 *
 * <p>The records form a tree: each contains up to three others, and has 12 to 36 fields with those.
 * One value in four is null, and one nested record in ten.
 */
final class RealLifeRecord {
  private static final String NAMESPACE = "io.tidemark.benchmarks";
  private static final int RECORDS = 25;
  private static final int CHILDREN = 3;

  private RealLifeRecord() {}

  static ReferenceRecord realLife() {
    Schema schema = record(0);
    return ReferenceRecord.of("Real-life-25", schema, (random, out) -> write(random, schema, out));
  }

  private static Schema record(int number) {
    var fields = new ArrayList<Schema.Field>();
    for (int child = CHILDREN * number + 1; child <= CHILDREN * (number + 1); child++) {
      if (child < RECORDS) {
        fields.add(new Schema.Field("part" + child, nullable(record(child))));
      }
    }
    // Each number from 12 to 36 occurs once over all 25 records; the sum is 600.
    int count = 12 + number * 7 % RECORDS;
    while (fields.size() < count) {
      int field = fields.size();
      fields.add(new Schema.Field("value" + field, nullable(type(number, field))));
    }
    return Schema.createRecord("Part" + number, null, NAMESPACE, false, fields);
  }

  private static Schema type(int record, int field) {
    return switch (field % 12) {
      case 0, 3, 7 -> Schema.create(Schema.Type.STRING);
      case 1, 8 -> Schema.create(Schema.Type.LONG);
      case 2, 9 -> Schema.create(Schema.Type.INT);
      case 4 -> Schema.create(Schema.Type.DOUBLE);
      case 5 -> Schema.create(Schema.Type.BOOLEAN);
      case 6 ->
          Schema.createEnum(
              "Code" + record + "_" + field,
              null,
              NAMESPACE,
              List.of("BID", "VIEW", "CLICK", "SALE"));
      case 10 -> Schema.createArray(Schema.create(Schema.Type.STRING));
      default -> Schema.createMap(Schema.create(Schema.Type.LONG));
    };
  }

  private static Schema nullable(Schema type) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), type);
  }

  private static void write(SplittableRandom random, Schema record, Encoder out)
      throws IOException {
    for (Schema.Field field : record.getFields()) {
      Schema type = field.schema().getTypes().get(1);
      if (type.getType() != Schema.Type.RECORD) {
        NestedRecords.write(random, field.schema(), out);
      } else if (random.nextInt(10) == 0) {
        out.writeIndex(0);
      } else {
        out.writeIndex(1);
        write(random, type, out);
      }
    }
  }
}
