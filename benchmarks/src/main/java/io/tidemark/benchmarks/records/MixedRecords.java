package io.tidemark.benchmarks.records;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.Encoder;

/**
 * Records of nullable unions that cycle through string, double, long and boolean, with the values
 * of spavro's benchmark: each is null with a probability of one half, texts have 1 to 30 letters,
 * and longs any size.
 */
final class MixedRecords {
  private MixedRecords() {}

  static ReferenceRecord mix(int fieldCount) {
    var fields = SchemaBuilder.record("Mix").namespace("io.tidemark.benchmarks").fields();
    for (int i = 0; i < fieldCount; i++) {
      fields =
          switch (i % 4) {
            case 0 -> fields.optionalString("field" + i);
            case 1 -> fields.optionalDouble("field" + i);
            case 2 -> fields.optionalLong("field" + i);
            default -> fields.optionalBoolean("field" + i);
          };
    }
    return ReferenceRecord.of(
        "Mix-" + fieldCount, fields.endRecord(), (random, out) -> write(random, out, fieldCount));
  }

  private static void write(SplittableRandom random, Encoder out, int fieldCount)
      throws IOException {
    for (int i = 0; i < fieldCount; i++) {
      if (random.nextBoolean()) {
        out.writeIndex(0);
        continue;
      }
      out.writeIndex(1);
      switch (i % 4) {
        case 0 -> out.writeString(ReferenceRecord.letters(random, random.nextInt(1, 31)));
        case 1 -> out.writeDouble(random.nextDouble() + random.nextInt(-64_000, 64_001));
        case 2 -> out.writeLong(random.nextLong());
        default -> out.writeBoolean(random.nextBoolean());
      }
    }
  }
}
