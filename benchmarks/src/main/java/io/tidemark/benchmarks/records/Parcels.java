package io.tidemark.benchmarks.records;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.Encoder;

/**
 * Parcels of about 650 bytes, most of them in bytes, fixed, arrays and a map: few fields with much
 * in each.
 */
final class Parcels {
  private static final String NAMESPACE = "io.tidemark.benchmarks";
  private static final int ID_BYTES = 16;
  private static final Schema ID = Schema.createFixed("ParcelId", null, NAMESPACE, ID_BYTES);
  private static final Schema TEXTS = Schema.createArray(Schema.create(Schema.Type.STRING));
  private static final Schema LONGS = Schema.createArray(Schema.create(Schema.Type.LONG));
  private static final Schema LABELS = Schema.createMap(Schema.create(Schema.Type.STRING));

  private Parcels() {}

  static ReferenceRecord parcel650() {
    return ReferenceRecord.of("Parcel-650", sent(), Parcels::write);
  }

  /** A field added with a default, one removed, int becomes long, and the map comes first. */
  static ReferenceRecord evolved() {
    return new ReferenceRecord("Parcel-v1-v2", sent(), received(), Parcels::write);
  }

  private static Schema sent() {
    return SchemaBuilder.record("Parcel")
        .namespace(NAMESPACE)
        .fields()
        .name("id")
        .type(ID)
        .noDefault()
        .requiredInt("weight")
        .name("stops")
        .type(TEXTS)
        .noDefault()
        .name("scans")
        .type(LONGS)
        .noDefault()
        .requiredString("note")
        .name("labels")
        .type(LABELS)
        .noDefault()
        .requiredBytes("image")
        .endRecord();
  }

  private static Schema received() {
    return SchemaBuilder.record("Parcel")
        .namespace(NAMESPACE)
        .fields()
        .name("labels")
        .type(LABELS)
        .noDefault()
        .name("id")
        .type(ID)
        .noDefault()
        .requiredLong("weight")
        .name("stops")
        .type(TEXTS)
        .noDefault()
        .name("depot")
        .type()
        .stringType()
        .stringDefault("main")
        .name("scans")
        .type(LONGS)
        .noDefault()
        .requiredBytes("image")
        .endRecord();
  }

  private static void write(SplittableRandom random, Encoder out) throws IOException {
    out.writeFixed(bytes(random, ID_BYTES));
    out.writeInt(random.nextInt(30_000));
    int stops = random.nextInt(4, 9);
    out.writeArrayStart();
    out.setItemCount(stops);
    for (int i = 0; i < stops; i++) {
      out.startItem();
      out.writeString(ReferenceRecord.letters(random, random.nextInt(8, 20)));
    }
    out.writeArrayEnd();
    int scans = random.nextInt(10, 21);
    out.writeArrayStart();
    out.setItemCount(scans);
    long time = 1_790_000_000_000L + random.nextLong(1L << 33);
    for (int i = 0; i < scans; i++) {
      out.startItem();
      out.writeLong(time + i * 3_600_000L);
    }
    out.writeArrayEnd();
    out.writeString(ReferenceRecord.letters(random, random.nextInt(20, 60)));
    int labels = random.nextInt(4, 9);
    out.writeMapStart();
    out.setItemCount(labels);
    for (int i = 0; i < labels; i++) {
      out.startItem();
      out.writeString("label" + i);
      out.writeString(ReferenceRecord.letters(random, random.nextInt(5, 25)));
    }
    out.writeMapEnd();
    out.writeBytes(bytes(random, random.nextInt(230, 312)));
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
