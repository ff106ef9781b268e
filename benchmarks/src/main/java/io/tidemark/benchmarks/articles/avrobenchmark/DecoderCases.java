package io.tidemark.benchmarks.articles.avrobenchmark;

import io.tidemark.avro.object.FastDatumReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;

/** The article's tests of decoders: record and decoder new or reused, same or different bytes. */
final class DecoderCases {
  static final String BUFFERED = "decode, binaryDecoder";
  static final String DIRECT = "decode, directBinaryDecoder";

  private DecoderCases() {}

  /** The reused objects, and the article's operations a second. */
  private record Reuse(boolean record, boolean decoder, boolean sameBytes, double article) {
    String name(boolean bytes) {
      return "record %s, decoder %s%s"
          .formatted(
              record ? "reused" : "new",
              decoder ? "reused" : "new",
              !bytes ? "" : sameBytes ? ", same bytes" : ", different bytes");
    }
  }

  private static final List<Reuse> ARTICLE_BUFFERED =
      List.of(
          new Reuse(true, true, false, 146_761.403),
          new Reuse(true, true, true, 151_928.116),
          new Reuse(true, false, false, 145_862.759),
          new Reuse(true, false, true, 155_424.672),
          new Reuse(false, true, false, 127_987.146),
          new Reuse(false, true, true, 133_838.137),
          new Reuse(false, false, false, 128_667.044),
          new Reuse(false, false, true, 130_546.352));

  private static final List<Reuse> ARTICLE_DIRECT =
      List.of(
          new Reuse(true, true, true, 108_643.480),
          new Reuse(true, false, true, 106_254.714),
          new Reuse(false, true, true, 100_771.416),
          new Reuse(false, false, true, 101_595.279));

  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    for (Reuse reuse : ARTICLE_BUFFERED) {
      add(all, BUFFERED, reuse, reuse.name(true));
    }
    all.add(
        TestCase.of(
            BUFFERED,
            "record new, from the array, different bytes",
            Codec.OURS,
            OptionalDouble.empty(),
            false,
            registry -> fromTheArray()));
    for (Reuse reuse : ARTICLE_DIRECT) {
      add(all, DIRECT, reuse, reuse.name(false));
    }
    return all;
  }

  private static void add(List<TestCase> all, String group, Reuse reuse, String name) {
    OptionalDouble article = OptionalDouble.of(reuse.article);
    boolean direct = group.equals(DIRECT);
    for (String contender : List.of(Codec.STOCK, Codec.OURS)) {
      boolean quick = contender.equals(Codec.STOCK) || !(reuse.record || reuse.decoder);
      all.add(
          TestCase.of(
              group,
              name,
              contender,
              article,
              quick,
              registry -> direct ? direct(contender, reuse) : buffered(contender, reuse)));
    }
  }

  private static LongSupplier buffered(String contender, Reuse reuse) {
    Schema schema = Codec.user().writerSchema();
    return buffered(
        Codec.reader(contender, schema),
        Codec.datums(),
        reuse.record,
        reuse.decoder,
        reuse.sameBytes);
  }

  /** Returns the pass over datums by {@code binaryDecoder}. */
  static LongSupplier buffered(
      DatumReader<GenericRecord> reader,
      byte[][] datums,
      boolean reusesRecord,
      boolean reusesDecoder,
      boolean sameBytes) {
    return Codec.pass(
        () -> {
          GenericRecord record = null;
          BinaryDecoder decoder = null;
          long fields = 0;
          for (int i = 0; i < datums.length; i++) {
            byte[] datum = datums[sameBytes ? 0 : i];
            decoder = DecoderFactory.get().binaryDecoder(datum, reusesDecoder ? decoder : null);
            record = reader.read(reusesRecord ? record : null, decoder);
            fields += record.get(i % 81) == null ? 0 : 1;
          }
          return fields;
        });
  }

  private static LongSupplier direct(String contender, Reuse reuse) {
    DatumReader<GenericRecord> reader = Codec.reader(contender, Codec.user().writerSchema());
    var in = new ByteArrayInputStream(Codec.datums()[0]);
    return Codec.pass(
        () -> {
          GenericRecord record = null;
          BinaryDecoder decoder = null;
          long fields = 0;
          for (int i = 0; i < TestCase.OPERATIONS; i++) {
            in.reset();
            decoder = DecoderFactory.get().directBinaryDecoder(in, reuse.decoder ? decoder : null);
            record = reader.read(reuse.record ? record : null, decoder);
            fields += record.get(i % 81) == null ? 0 : 1;
          }
          return fields;
        });
  }

  private static LongSupplier fromTheArray() throws IOException {
    var reader = new FastDatumReader<GenericRecord>(Codec.user().writerSchema());
    reader.compileNow();
    byte[][] datums = Codec.datums();
    return Codec.pass(
        () -> {
          long fields = 0;
          for (byte[] datum : datums) {
            fields += reader.read(null, datum, 0, datum.length).get(7) == null ? 0 : 1;
          }
          return fields;
        });
  }
}
