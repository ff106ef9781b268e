package io.tidemark.benchmarks.articles.avrofastserde;

import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.benchmarks.articles.PassTimer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.jspecify.annotations.Nullable;

/**
 * Measures one library with one shape of records, generic or specific, in a separate JVM. It runs
 * with several versions of Avro, and uses only their common API.
 */
final class ObjectFork {
  private static final String FAST_SERDE = "io.tidemark.benchmarks.fastserde.DropIns";

  /** The size of the records that are written repeatedly, in bytes of their datums. */
  private static final int WRITTEN_BYTES = 128 << 10;

  private final List<byte[]> datums;
  private final DatumReader<Object> reader;
  private final DatumWriter<Object> writer;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Reads byte arrays without a decoder, if the library is to. */
  private @Nullable FastDatumReader<Object> arrayReader;

  /** The datums without their encoding, if the library is to read them without a decoder. */
  private final List<DecodedDatum> decoded = new ArrayList<>();

  private @Nullable BinaryDecoder decoder;
  private @Nullable BinaryEncoder encoder;

  private ObjectFork(List<byte[]> datums, DatumReader<Object> reader, DatumWriter<Object> writer) {
    this.datums = datums;
    this.reader = reader;
    this.writer = writer;
  }

  /**
   * Prints the nanoseconds to read a record, and if the library writes, to write one.
   *
   * @param arguments the library, generic or specific, the folder of the shape, the timer
   */
  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    Library library = Library.valueOf(arguments[0]);
    ObjectFork fork = of(library, arguments[1].equals("specific"), Path.of(arguments[2]));
    PassTimer timer = PassTimer.parse(arguments, 3);
    String nanos =
        ""
            + timer.nanosPerPass(library == Library.DECODED ? fork::readDecoded : fork::read)
                / fork.datums.size();
    if (library.writes()) {
      nanos += " " + timer.nanosPerPass(fork.writing()) / fork.datums.size();
    }
    System.out.println(nanos);
    System.exit(0);
  }

  /**
   * Prepares the library: all code is generated when this returns, and written records were
   * verified.
   */
  static ObjectFork of(Library library, boolean specific, Path folder)
      throws IOException, ReflectiveOperationException {
    Schema schema = new Schema.Parser().parse(Files.readString(folder.resolve(Preparation.SCHEMA)));
    List<byte[]> datums = datums(folder.resolve(Preparation.DATUMS));
    ObjectFork fork =
        switch (library) {
          case OURS, DECODED -> ours(datums, schema, specific, false);
          case OURS_OF_BYTES -> ours(datums, schema, specific, true);
          case FAST_SERDE -> fastSerde(datums, schema, specific);
          default -> stock(datums, schema, specific);
        };
    fork.requireRoundTrip(schema, specific);
    if (library == Library.DECODED) {
      fork.decode();
    }
    return fork;
  }

  private static ObjectFork stock(List<byte[]> datums, Schema schema, boolean specific) {
    return new ObjectFork(
        datums,
        specific ? new SpecificDatumReader<>(schema) : new GenericDatumReader<>(schema),
        specific ? new SpecificDatumWriter<>(schema) : new GenericDatumWriter<>(schema));
  }

  @SuppressWarnings("unchecked") // Records of any class are objects.
  private static ObjectFork ours(
      List<byte[]> datums, Schema schema, boolean specific, boolean ofArrays)
      throws ClassNotFoundException {
    FastDatumReader<Object> reader;
    FastDatumWriter<Object> writer;
    if (specific) {
      Class<Object> type = (Class<Object>) Class.forName(schema.getFullName());
      reader = new FastDatumReader<>(type);
      writer = new FastDatumWriter<>(type);
    } else {
      reader = new FastDatumReader<>(schema);
      writer = new FastDatumWriter<>(schema);
    }
    reader.compileNow();
    writer.compileNow();
    var fork = new ObjectFork(datums, reader, writer);
    fork.arrayReader = ofArrays ? reader : null;
    return fork;
  }

  @SuppressWarnings("unchecked") // These are the types of the class that was built.
  private static ObjectFork fastSerde(List<byte[]> datums, Schema schema, boolean specific)
      throws ReflectiveOperationException {
    Class<?> dropIns = Class.forName(FAST_SERDE);
    return new ObjectFork(
        datums,
        (DatumReader<Object>)
            dropIns.getMethod("reader", Schema.class, boolean.class).invoke(null, schema, specific),
        (DatumWriter<Object>)
            dropIns
                .getMethod("writer", Schema.class, boolean.class)
                .invoke(null, schema, specific));
  }

  private void requireRoundTrip(Schema schema, boolean specific) throws IOException {
    Object object = object(datums.get(0));
    if (specific != object.getClass().getName().equals(schema.getFullName())) {
      throw new IllegalStateException("a record became a " + object.getClass());
    }
    out.reset();
    encoder = EncoderFactory.get().binaryEncoder(out, encoder);
    writer.write(object, encoder);
    encoder.flush();
    if (!object(out.toByteArray()).equals(object)) {
      throw new IllegalStateException("a record was written as another one");
    }
  }

  private Object object(byte[] datum) throws IOException {
    if (arrayReader != null) {
      return arrayReader.read(null, datum, 0, datum.length);
    }
    decoder = DecoderFactory.get().binaryDecoder(datum, decoder);
    return reader.read(null, decoder);
  }

  /** Decodes all datums, and verifies that they are then read as the same objects. */
  private void decode() throws IOException {
    for (byte[] datum : datums) {
      var values = new DecodedDatum(DecoderFactory.get().binaryDecoder(datum, null));
      Object object = reader.read(null, values);
      values.rewind();
      if (!reader.read(null, values).equals(object)) {
        throw new IllegalStateException("a decoded record was read as another one");
      }
      decoded.add(values);
    }
  }

  private long readDecoded() {
    try {
      long objects = 0;
      for (DecodedDatum values : decoded) {
        values.rewind();
        objects += reader.read(null, values) == null ? 0 : 1;
      }
      return objects;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long read() {
    try {
      long objects = 0;
      for (byte[] datum : datums) {
        objects += object(datum) == null ? 0 : 1;
      }
      return objects;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the first records again and again. Usually, a program writes a record right after its
   * creation, so the record is in the caches of the processor.
   */
  private LongSupplier writing() throws IOException {
    var objects = new ArrayList<Object>();
    long bytes = 0;
    for (byte[] datum : datums) {
      bytes += datum.length;
      if (bytes > WRITTEN_BYTES && !objects.isEmpty()) {
        break;
      }
      objects.add(object(datum));
    }
    return () -> write(objects);
  }

  private long write(List<Object> objects) {
    try {
      long bytes = 0;
      for (int i = 0; i < datums.size(); i++) {
        out.reset();
        encoder = EncoderFactory.get().binaryEncoder(out, encoder);
        writer.write(objects.get(i % objects.size()), encoder);
        encoder.flush();
        bytes += out.size();
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> datums(Path file) throws IOException {
    var datums = new ArrayList<byte[]>();
    try (var in = new DataInputStream(Files.newInputStream(file))) {
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        var datum = new byte[in.readInt()];
        in.readFully(datum);
        datums.add(datum);
      }
    }
    return datums;
  }
}
