package io.tidemark.benchmarks.fastserde;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rtbhouse.utils.avro.FastDeserializer;
import com.rtbhouse.utils.avro.FastSerdeCache;
import com.rtbhouse.utils.avro.FastSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * A pass over datums by the serializers and deserializers that avro-fastserde generates.
 *
 * <p>Only classes of the JDK cross between this class loader and the benchmark's. The generated
 * classes are called directly, without fastserde's look-up of the class for each record. They exist
 * before the first pass. Not safe for use by several threads.
 */
public final class FastSerdePass {
  private final byte[][] datums;
  private final OutputStream sink;
  private final int blockSizeBytes;
  private final FastDeserializer<Object> deserializer;
  private final FastSerializer<Object> serializer;
  private @Nullable BinaryDecoder decoder;

  @SuppressWarnings("unchecked") // Both sides handle generic records as objects.
  private FastSerdePass(
      String writerSchema,
      String tableSchema,
      String compileClassPath,
      int blockSizeBytes,
      byte[][] datums,
      OutputStream sink)
      throws IOException {
    this.datums = datums;
    this.sink = sink;
    this.blockSizeBytes = blockSizeBytes;
    Schema writer = new Schema.Parser().parse(writerSchema);
    Schema table = new Schema.Parser().parse(tableSchema);
    FastSerdeCache cache = new FastSerdeCache(Runnable::run, compileClassPath);
    generate(cache, writer, table);
    deserializer = (FastDeserializer<Object>) cache.getFastGenericDeserializer(writer, table);
    serializer = (FastSerializer<Object>) cache.getFastGenericSerializer(table);
    requireGenerated(deserializer);
    requireGenerated(serializer);
  }

  /**
   * Generates and compiles the classes in this thread. The generator prints the name of each file,
   * which would hide the lines of progress.
   */
  private static void generate(FastSerdeCache cache, Schema writer, Schema table) {
    PrintStream printed = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
    try {
      cache.getFastGenericDeserializer(writer, table);
      cache.getFastGenericSerializer(table);
    } finally {
      System.setOut(printed);
    }
  }

  /**
   * Creates the pass of a work, which returns the number of bytes that it has written, or for
   * {@code decode} the number of objects.
   *
   * @param work decode, encode or check-copy; for a container file, file or rewrite
   * @param compileClassPath javac's class path, with Avro and fastserde
   * @param blockSizeBytes the size of a block in bytes of uncompressed records
   */
  public static LongSupplier of(
      String work,
      String writerSchema,
      String tableSchema,
      String codec,
      String compileClassPath,
      int blockSizeBytes,
      byte[][] datums,
      OutputStream sink)
      throws IOException {
    var pass =
        new FastSerdePass(
            writerSchema, tableSchema, compileClassPath, blockSizeBytes, datums, sink);
    return switch (work) {
      case "decode" -> () -> io(pass::decode);
      case "encode" -> pass.encode();
      case "check-copy" -> pass.copy();
      default -> pass.file(new Schema.Parser().parse(tableSchema), codec);
    };
  }

  private interface Body {
    long run() throws IOException;
  }

  private static long io(Body body) {
    try {
      return body.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fails if no class was generated: fastserde then returns a lambda over Avro's reader or writer.
   */
  private static void requireGenerated(Object candidate) {
    if (!candidate.getClass().getName().contains(".generated.")) {
      throw new UnsupportedOperationException(
          "fastserde falls back on Avro: it could not generate " + candidate.getClass());
    }
  }

  private Object read(byte[] datum) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(datum, decoder);
    return deserializer.deserialize(decoder);
  }

  private long decode() throws IOException {
    long objects = 0;
    for (byte[] datum : datums) {
      objects += read(datum) == null ? 0 : 1;
    }
    return objects;
  }

  private LongSupplier encode() throws IOException {
    List<Object> objects = new ArrayList<>(datums.length);
    for (byte[] datum : datums) {
      objects.add(read(datum));
    }
    var block = new ByteArrayOutputStream(2 * blockSizeBytes);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(block, null);
    return () ->
        io(
            () -> {
              long bytes = 0;
              for (Object object : objects) {
                serializer.serialize(object, encoder);
                bytes += drain(block, encoder, blockSizeBytes);
              }
              return bytes + drain(block, encoder, 1);
            });
  }

  private LongSupplier copy() {
    var block = new ByteArrayOutputStream(2 * blockSizeBytes);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(block, null);
    return () ->
        io(
            () -> {
              long bytes = 0;
              for (byte[] datum : datums) {
                serializer.serialize(read(datum), encoder);
                bytes += drain(block, encoder, blockSizeBytes);
              }
              return bytes + drain(block, encoder, 1);
            });
  }

  private long drain(ByteArrayOutputStream block, BinaryEncoder encoder, int atLeast)
      throws IOException {
    if (block.size() + encoder.bytesBuffered() < atLeast) {
      return 0;
    }
    encoder.flush();
    int bytes = block.size();
    block.writeTo(sink);
    block.reset();
    return bytes;
  }

  private LongSupplier file(Schema table, String codec) throws IOException {
    var writer = new DataFileWriter<Object>(new GeneratedWriter(serializer));
    writer.setCodec(CodecFactory.fromString(codec)).setSyncInterval(blockSizeBytes);
    writer.create(table, sink);
    return () ->
        io(
            () -> {
              for (byte[] datum : datums) {
                writer.append(read(datum));
              }
              writer.flush();
              return datums.length;
            });
  }

  private record GeneratedWriter(FastSerializer<Object> serializer) implements DatumWriter<Object> {
    @Override
    public void setSchema(Schema schema) {
      // The serializer was generated for it.
    }

    @Override
    public void write(Object datum, Encoder out) throws IOException {
      serializer.serialize(datum, out);
    }
  }
}
