package io.tidemark.benchmarks.articles.avrobenchmark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Cases with 81 doubles in place of the article's 81 strings, read and written in the same way. */
final class TypeCases {
  static final String DECODE = "types, decode with all new";
  static final String ENCODE = "types, encode with all new";
  static final String DOUBLES = "81 doubles";
  static final String STRINGS = "81 strings";

  private static final long SEED = 20_261_121;

  private TypeCases() {}

  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    for (String contender : List.of(Codec.STOCK, Codec.OURS)) {
      for (boolean doubles : List.of(true, false)) {
        String name = doubles ? DOUBLES : STRINGS;
        all.add(
            TestCase.of(
                DECODE,
                name,
                contender,
                OptionalDouble.empty(),
                true,
                registry ->
                    DecoderCases.buffered(
                        Codec.reader(contender, schema(doubles)),
                        datums(doubles),
                        false,
                        false,
                        false)));
        all.add(
            TestCase.of(
                ENCODE,
                name,
                contender,
                OptionalDouble.empty(),
                contender.equals(Codec.STOCK),
                registry ->
                    EncoderCases.complete(
                        Codec.writer(contender, schema(doubles)), records(doubles), false, false)));
      }
    }
    return all;
  }

  private static Schema schema(boolean doubles) {
    return doubles ? Codec.doubles() : Codec.user().writerSchema();
  }

  private static GenericRecord[] records(boolean doubles) throws IOException {
    return doubles ? Codec.records(Codec.doubles(), datums(true)) : Codec.users();
  }

  static byte[][] datums(boolean doubles) throws IOException {
    if (!doubles) {
      return Codec.datums();
    }
    var random = new SplittableRandom(SEED);
    var datums = new byte[TestCase.OPERATIONS][];
    int fields = Codec.doubles().getFields().size();
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    for (int i = 0; i < datums.length; i++) {
      out.reset();
      for (int field = 0; field < fields; field++) {
        encoder.writeIndex(1);
        encoder.writeDouble(random.nextDouble());
      }
      encoder.flush();
      datums[i] = out.toByteArray();
    }
    return datums;
  }
}
