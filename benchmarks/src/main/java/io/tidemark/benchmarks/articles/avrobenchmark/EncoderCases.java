package io.tidemark.benchmarks.articles.avrobenchmark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;

/**
 * The article's tests of encoders: new or reused, buffered or direct; once with its own code, which
 * neither flushes the encoder nor resets the stream, and once with the bytes of each record
 * written.
 */
final class EncoderCases {
  static final String AS_WRITTEN = "encode, the article's own lines";
  static final String BUFFERED = "encode, binaryEncoder";
  static final String DIRECT = "encode, directBinaryEncoder";

  static final String REUSED = "encoder reused";
  static final String NEW = "encoder new";

  private EncoderCases() {}

  static List<TestCase> all() {
    var all = new ArrayList<TestCase>();
    all.add(asWritten(true, 2_218.477));
    all.add(asWritten(false, 59_246.717));
    for (boolean direct : List.of(false, true)) {
      for (boolean reuse : List.of(true, false)) {
        for (String contender : List.of(Codec.STOCK, Codec.OURS)) {
          all.add(
              TestCase.of(
                  direct ? DIRECT : BUFFERED,
                  name(reuse),
                  contender,
                  OptionalDouble.empty(),
                  contender.equals(Codec.STOCK) || !reuse,
                  registry ->
                      complete(
                          Codec.writer(contender, Codec.user().writerSchema()),
                          Codec.users(),
                          direct,
                          reuse)));
        }
      }
    }
    return all;
  }

  private static String name(boolean reuse) {
    return reuse ? REUSED : NEW;
  }

  private static TestCase asWritten(boolean reuse, double article) {
    return TestCase.of(
        AS_WRITTEN,
        name(reuse),
        Codec.STOCK,
        OptionalDouble.of(article),
        true,
        registry ->
            asWritten(
                Codec.writer(Codec.STOCK, Codec.user().writerSchema()), Codec.users(), reuse));
  }

  /** Returns the pass by the article's code, whose value is the total number of bytes returned. */
  static LongSupplier asWritten(
      DatumWriter<GenericRecord> writer, GenericRecord[] records, boolean reuse) {
    return Codec.pass(
        () -> {
          var stream = new ByteArrayOutputStream();
          BinaryEncoder encoder = null;
          long bytes = 0;
          for (GenericRecord record : records) {
            encoder = EncoderFactory.get().binaryEncoder(stream, reuse ? encoder : null);
            writer.write(record, encoder);
            bytes += stream.toByteArray().length;
          }
          return bytes;
        });
  }

  /** Returns the pass that encodes each record completely, whose value is the number of bytes. */
  static LongSupplier complete(
      DatumWriter<GenericRecord> writer, GenericRecord[] records, boolean direct, boolean reuse)
      throws IOException {
    var stream = new ByteArrayOutputStream();
    return Codec.pass(
        () -> {
          BinaryEncoder encoder = null;
          long bytes = 0;
          for (GenericRecord record : records) {
            stream.reset();
            BinaryEncoder old = reuse ? encoder : null;
            encoder =
                direct
                    ? EncoderFactory.get().directBinaryEncoder(stream, old)
                    : EncoderFactory.get().binaryEncoder(stream, old);
            writer.write(record, encoder);
            encoder.flush();
            bytes += stream.toByteArray().length;
          }
          return bytes;
        });
  }
}
