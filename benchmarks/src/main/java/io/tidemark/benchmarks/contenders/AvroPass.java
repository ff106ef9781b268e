package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** A pass by readers and writers with Avro's interfaces: from datums to objects, and back. */
final class AvroPass {
  private final Job job;
  private final boolean reuses;
  private final DatumReader<Object> reader;
  private final DatumWriter<Object> writer;
  private final ByteArrayOutputStream block = new ByteArrayOutputStream(2 * Job.BLOCK_SIZE_BYTES);
  private final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(block, null);
  private @Nullable BinaryDecoder decoder;
  private @Nullable Object reused;

  private AvroPass(
      Job job, boolean reuses, DatumReader<Object> reader, DatumWriter<Object> writer) {
    this.job = job;
    this.reuses = reuses;
    this.reader = reader;
    this.writer = writer;
  }

  /**
   * Creates the pass of a job by compiled readers and writers, whose classes are generated before
   * it returns.
   */
  static LongSupplier compiled(Job job) throws IOException {
    var reader = new FastDatumReader<Object>(job.writerSchema(), job.tableSchema());
    var writer = new FastDatumWriter<Object>(job.tableSchema());
    reader.compileNow();
    writer.compileNow();
    return new AvroPass(job, false, reader, writer).pass();
  }

  /**
   * Creates the pass of a job.
   *
   * @param fastReader whether Avro's fast reader reads
   * @param reuses whether the same objects are reused for each datum
   */
  static LongSupplier of(Job job, boolean fastReader, boolean reuses) throws IOException {
    var data = new GenericData();
    data.setFastReaderEnabled(fastReader);
    return new AvroPass(
            job,
            reuses,
            new GenericDatumReader<>(
                job.writerSchema(),
                job.mapped().isEmpty() ? job.tableSchema() : job.writerSchema(),
                data),
            new GenericDatumWriter<>(job.tableSchema(), data))
        .pass();
  }

  private LongSupplier pass() throws IOException {
    return switch (job.work()) {
      case CHECK_COPY -> supplier(this::copy);
      case DECODE -> supplier(this::decode);
      case ENCODE -> encoding();
      case FILE, REWRITE -> file();
      case ONE_FILE ->
          throw new IllegalArgumentException("Avro's DataFileWriter has only one thread");
    };
  }

  /** Creates the pass that appends the datums unchanged. */
  static LongSupplier appendEncoded(Job job) throws IOException {
    DataFileWriter<Object> file = dataFile(job, new GenericDatumWriter<>(job.tableSchema()));
    return supplier(
        () -> {
          for (byte[] datum : job.datums()) {
            file.appendEncoded(ByteBuffer.wrap(datum));
          }
          file.flush();
          return job.datums().length;
        });
  }

  @FunctionalInterface
  private interface Body {
    long run() throws IOException;
  }

  private static LongSupplier supplier(Body body) {
    return () -> {
      try {
        return body.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private Object read(byte[] datum) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(datum, decoder);
    Object object = reader.read(reused, decoder);
    if (reuses) {
      reused = object;
    }
    return job.mapped().isEmpty()
        ? object
        : job.mapped().get().byHand().apply((IndexedRecord) object);
  }

  private long copy() throws IOException {
    long bytes = 0;
    for (byte[] datum : job.datums()) {
      writer.write(read(datum), encoder);
      bytes += drain(Job.BLOCK_SIZE_BYTES);
    }
    return bytes + drain(1);
  }

  private long decode() throws IOException {
    long objects = 0;
    for (byte[] datum : job.datums()) {
      objects += read(datum) == null ? 0 : 1;
    }
    return objects;
  }

  private LongSupplier encoding() throws IOException {
    List<Object> objects = new ArrayList<>(job.datums().length);
    for (byte[] datum : job.datums()) {
      objects.add(read(datum));
    }
    return supplier(() -> encode(objects));
  }

  private long encode(List<Object> objects) throws IOException {
    long bytes = 0;
    for (Object object : objects) {
      writer.write(object, encoder);
      bytes += drain(Job.BLOCK_SIZE_BYTES);
    }
    return bytes + drain(1);
  }

  private long drain(int atLeast) throws IOException {
    if (block.size() + encoder.bytesBuffered() < atLeast) {
      return 0;
    }
    encoder.flush();
    int bytes = block.size();
    block.writeTo(job.sink());
    block.reset();
    return bytes;
  }

  private LongSupplier file() throws IOException {
    DataFileWriter<Object> file = dataFile(job, writer);
    return supplier(
        () -> {
          for (byte[] datum : job.datums()) {
            file.append(read(datum));
          }
          file.flush();
          return job.datums().length;
        });
  }

  private static DataFileWriter<Object> dataFile(Job job, DatumWriter<Object> writer)
      throws IOException {
    Schema schema = job.tableSchema();
    return new DataFileWriter<>(writer)
        .setCodec(CodecFactory.fromString(job.codec()))
        .setSyncInterval(Job.BLOCK_SIZE_BYTES)
        .create(schema, job.sink());
  }
}
