package io.tidemark.benchmarks.articles.fastavrowrite;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;

/**
 * Writes quotes as an Avro file with snappy, as the article does. The quotes are taken repeatedly
 * from a pool. Used by one thread.
 */
final class QuoteWriter {
  private static final ReferenceRecord QUOTE = ReferenceRecord.named("StockQuote-78");

  private final Schema schema = QUOTE.writerSchema();
  private final byte[][] datums;
  private final GenericRecord[] quotes;
  private final DatumWriter<GenericRecord> avros = new GenericDatumWriter<>(schema);
  private final FastDatumWriter<GenericRecord> compiled = new FastDatumWriter<>(schema);

  /**
   * Creates the pool.
   *
   * @param poolSize the number of different quotes
   */
  QuoteWriter(int poolSize) throws IOException {
    byte[][] made = QUOTE.datums(512L * poolSize);
    datums = Arrays.copyOf(made, Math.min(poolSize, made.length));
    quotes = new GenericRecord[datums.length];
    var reader = new GenericDatumReader<GenericRecord>(schema);
    for (int i = 0; i < quotes.length; i++) {
      quotes[i] =
          withJavasStrings(reader.read(null, DecoderFactory.get().binaryDecoder(datums[i], null)));
    }
    compiled.compileNow();
  }

  /** Replaces equal texts by one object, like the article's literals. */
  private static GenericRecord withJavasStrings(GenericRecord quote) {
    for (Schema.Field field : quote.getSchema().getFields()) {
      if (quote.get(field.pos()) instanceof CharSequence text) {
        quote.put(field.pos(), text.toString().intern());
      }
    }
    return quote;
  }

  /** Writes a file of quotes and closes the stream. */
  void write(WriteMode mode, int records, OutputStream stream) throws IOException {
    if (mode.library() == WriteMode.Library.STOCK) {
      stock(records, stream);
      return;
    }
    var builder =
        ParallelFileWriter.builder(schema)
            .codec(BlockCodec.of("snappy"))
            .parallelism(mode.parallelism());
    try (ParallelFileWriter writer = builder.writeTo(stream)) {
      append(writer, mode.library(), records);
    }
  }

  /** Writes a file of quotes, either in parallel or in the caller's thread. */
  void write(boolean parallel, int parallelism, int records, OutputStream stream)
      throws IOException {
    var builder =
        ParallelFileWriter.builder(schema)
            .codec(BlockCodec.of("snappy"))
            .parallelism(parallel ? parallelism : 1)
            .serialBelowBytes(parallel ? 0 : Long.MAX_VALUE);
    try (ParallelFileWriter writer = builder.writeTo(stream)) {
      append(writer, WriteMode.Library.OURS, records);
    }
  }

  private void append(ParallelFileWriter writer, WriteMode.Library library, int records)
      throws IOException {
    DatumWriter<GenericRecord> datumWriter =
        library == WriteMode.Library.OURS_WITH_AVROS_WRITER ? avros : compiled;
    for (int i = 0; i < records; i++) {
      if (library == WriteMode.Library.OURS_ENCODED) {
        byte[] datum = datums[i % datums.length];
        writer.append(datum, 0, datum.length);
      } else {
        writer.append(quotes[i % quotes.length], datumWriter);
      }
    }
    writer.finish();
  }

  private void stock(int records, OutputStream stream) throws IOException {
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(avros).setCodec(CodecFactory.snappyCodec()).create(schema, stream)) {
      writer.setFlushOnEveryBlock(false);
      for (int i = 0; i < records; i++) {
        writer.append(quotes[i % quotes.length]);
      }
    }
  }
}
