package io.tidemark.benchmarks.articles.export;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes reference records to a file. Replaces an existing file.
 *
 * <pre>
 * Export datums StockQuote-78 8388608 quotes.datums   datums of at least so many bytes
 * Export rows Airline-31 450017 1 flights.avro        so many records of a seed, as an Avro file
 * </pre>
 */
public final class Export {
  private Export() {}

  /**
   * Writes a file; the arguments are the kind, a record's name, the number of bytes or records, a
   * seed for rows, and the file.
   */
  public static void main(String[] args) throws IOException {
    ReferenceRecord record = ReferenceRecord.named(args[1]);
    switch (args[0]) {
      case "datums" -> DatumFile.write(record, Long.parseLong(args[2]), Path.of(args[3]));
      case "rows" ->
          writeRows(record, Long.parseLong(args[2]), Long.parseLong(args[3]), Path.of(args[4]));
      default ->
          throw new IllegalArgumentException("\"datums\" or \"rows\" are exported, not " + args[0]);
    }
  }

  private static void writeRows(ReferenceRecord record, long count, long seed, Path file)
      throws IOException {
    var random = new SplittableRandom(seed);
    var datum = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(datum, null);
    try (var rows = new DataFileWriter<Object>(new GenericDatumWriter<>())) {
      // Name the codec in the header: spavro cannot read a file without it.
      rows.setCodec(CodecFactory.nullCodec()).create(record.writerSchema(), file.toFile());
      for (long i = 0; i < count; i++) {
        datum.reset();
        record.generator().write(random, encoder);
        encoder.flush();
        rows.appendEncoded(ByteBuffer.wrap(datum.toByteArray()));
      }
    }
  }
}
