package io.tidemark.benchmarks.records;

import org.apache.avro.SchemaBuilder;

/**
 * Users of 81 optional strings, each a random double as text, as in the article "Avro Benchmark".
 */
final class Users {
  private static final int FIELDS = 81;

  private Users() {}

  static ReferenceRecord user81() {
    var fields = SchemaBuilder.record("User").namespace("io.tidemark.benchmarks").fields();
    for (int i = 0; i < FIELDS; i++) {
      fields = fields.optionalString("value" + i);
    }
    return ReferenceRecord.of(
        "User-81",
        fields.endRecord(),
        (random, out) -> {
          for (int i = 0; i < FIELDS; i++) {
            out.writeIndex(1);
            out.writeString(Double.toString(random.nextDouble()));
          }
        });
  }
}
