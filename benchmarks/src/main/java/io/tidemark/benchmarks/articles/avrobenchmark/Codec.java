package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;

/** Readers and writers of both contenders, and the records that they read and write. */
final class Codec {
  /** Avro's library with its defaults, so with its fast reader. */
  static final String STOCK = "stock";

  /** fast-avro, its classes compiled before the first pass. */
  static final String OURS = "ours";

  private static final int BYTES = 4 << 20;

  private Codec() {}

  /** A pass that may fail. */
  @FunctionalInterface
  interface Body {
    long run() throws IOException;
  }

  static LongSupplier pass(Body body) {
    return () -> {
      try {
        return body.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Returns the article's record: 81 optional strings. */
  static ReferenceRecord user() {
    return ReferenceRecord.named("User-81");
  }

  /** Returns the schema of the same record with doubles in place of strings. */
  static Schema doubles() {
    var fields = SchemaBuilder.record("User").namespace("io.tidemark.benchmarks").fields();
    for (Schema.Field field : user().writerSchema().getFields()) {
      fields = fields.optionalDouble(field.name());
    }
    return fields.endRecord();
  }

  static DatumReader<GenericRecord> reader(String contender, Schema schema) {
    DatumReader<GenericRecord> reader = uncompiledReader(contender, schema);
    if (reader instanceof FastDatumReader<?> ours) {
      ours.compileNow();
    }
    return reader;
  }

  /** Returns a reader that generates no code yet, for a schema that may be used only once. */
  static DatumReader<GenericRecord> uncompiledReader(String contender, Schema schema) {
    return contender.equals(STOCK)
        ? new GenericDatumReader<>(schema)
        : new FastDatumReader<>(schema);
  }

  static DatumWriter<GenericRecord> writer(String contender, Schema schema) {
    if (contender.equals(STOCK)) {
      return new GenericDatumWriter<>(schema);
    }
    var writer = new FastDatumWriter<GenericRecord>(schema);
    writer.compileNow();
    return writer;
  }

  /** Returns one datum of the article's record for each operation of a pass. */
  static byte[][] datums() {
    return Arrays.copyOf(user().datums(BYTES), TestCase.OPERATIONS);
  }

  /** Decodes datums to objects. */
  static GenericRecord[] records(Schema schema, byte[][] datums) throws IOException {
    var reader = new GenericDatumReader<GenericRecord>(schema);
    var records = new GenericRecord[datums.length];
    for (int i = 0; i < records.length; i++) {
      records[i] = reader.read(null, DecoderFactory.get().binaryDecoder(datums[i], null));
    }
    return records;
  }

  /** Returns the article's records with texts as Java strings. */
  static GenericRecord[] users() throws IOException {
    GenericRecord[] users = records(user().writerSchema(), datums());
    for (GenericRecord user : users) {
      for (int field = 0; field < user.getSchema().getFields().size(); field++) {
        user.put(field, user.get(field).toString());
      }
    }
    return users;
  }
}
