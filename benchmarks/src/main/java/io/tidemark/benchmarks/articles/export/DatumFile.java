package io.tidemark.benchmarks.articles.export;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.apache.avro.Schema;

/**
 * A file of datums, one after the other, with their schema in a second file in the same directory.
 *
 * <p>A datum of three bytes is {@code 03 00 00 00 xx xx xx}: its length as 4 bytes, the lowest
 * first, then its bytes. The schema of {@code quotes.datums} is in {@code quotes.datums.avsc}.
 */
@SuppressWarnings("ArrayRecordComponent") // Input of a benchmark, never compared.
record DatumFile(Schema schema, byte[][] datums) {

  static void write(ReferenceRecord record, long bytes, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (byte[] datum : record.datums(bytes)) {
        out.write(length.putInt(0, datum.length).array());
        out.write(datum);
      }
    }
    Files.writeString(schemaFile(file), record.writerSchema().toString());
  }

  static DatumFile read(Path file) throws IOException {
    var datums = new ArrayList<byte[]>();
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    while (all.hasRemaining()) {
      byte[] datum = new byte[all.getInt()];
      all.get(datum);
      datums.add(datum);
    }
    Schema schema = new Schema.Parser().parse(schemaFile(file).toFile());
    return new DatumFile(schema, datums.toArray(byte[][]::new));
  }

  private static Path schemaFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".avsc");
  }
}
