package io.tidemark.benchmarks.contenders;

import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.benchmarks.records.ReferenceRecord;
import io.tidemark.benchmarks.registry.RegistryHost;
import io.tidemark.registry.kafka.AvroDeserializer;
import io.tidemark.registry.kafka.AvroSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Compares objects of a wide record with Avro's own reader and writer in one JVM. A slice of Avro's
 * work and a slice of the same work of ours alternate, and the ratio is the median over pairs of
 * slices. Other load of the machine then affects both alike.
 */
public final class WideRatios {
  private static final long INPUT_BYTES = 128L << 10;
  private static final int OBJECTS = 50;
  private static final int ID_BYTES = 5;
  private static final long SLICE_NANOS = 1_500_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The works, in the order in which the ratios are printed. */
  public static final List<String> WORKS = List.of("read", "write", "serialize", "deserialize");

  private final Schema schema;
  private final byte[][] datums;
  private final List<Object> objects = new ArrayList<>();
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(block, null);
  private @Nullable BinaryDecoder decoder;

  /** The last result, so that no work is dropped. */
  private @Nullable Object last;

  /** A pass over all datums or objects. */
  @FunctionalInterface
  private interface Pass {
    void run() throws IOException;
  }

  private WideRatios(ReferenceRecord record) throws IOException {
    schema = record.writerSchema();
    datums = record.datums(INPUT_BYTES);
    var reader = new GenericDatumReader<Object>(schema);
    for (byte[] datum : Arrays.copyOf(datums, Math.min(OBJECTS, datums.length))) {
      objects.add(reader.read(null, DecoderFactory.get().binaryDecoder(datum, null)));
    }
  }

  /**
   * Prints Avro's CPU time divided by ours, for each of {@link #WORKS}.
   *
   * @param arguments the name of a wide record, the CPU seconds to warm up each work, and to
   *     measure it
   */
  public static void main(String[] arguments) throws IOException {
    var ratios = new WideRatios(ReferenceRecord.named(arguments[0]));
    double[] values =
        ratios.measure(Double.parseDouble(arguments[1]), Double.parseDouble(arguments[2]));
    for (double value : values) {
      System.out.printf(Locale.ROOT, "%.3f ", value);
    }
    System.out.println();
  }

  private double[] measure(double warmUp, double seconds) throws IOException {
    var avros = new GenericDatumReader<Object>(schema);
    var ours = new FastDatumReader<Object>(schema);
    ours.compileNow();
    double read = ratio(() -> read(avros, 0, datums), () -> read(ours, 0, datums), warmUp, seconds);
    var avrosWriter = new GenericDatumWriter<Object>(schema, new GenericData());
    var oursWriter = new FastDatumWriter<Object>(schema);
    oursWriter.compileNow();
    double write = ratio(() -> write(avrosWriter), () -> write(oursWriter), warmUp, seconds);
    try (var host = new RegistryHost();
        var serializer = new AvroSerializer();
        var deserializer = new AvroDeserializer()) {
      Map<String, String> settings = Map.of("schema.registry.url", host.url());
      serializer.configure(settings, false);
      deserializer.configure(settings, false);
      byte[] id = Arrays.copyOf(serializer.serialize("wide", objects.get(0)), ID_BYTES);
      byte[][] framed = Arrays.stream(datums).map(datum -> join(id, datum)).toArray(byte[][]::new);
      double serialize =
          ratio(
              () -> framed(avrosWriter, id),
              () -> objects.forEach(object -> last = serializer.serialize("wide", object)),
              warmUp,
              seconds);
      double deserialize =
          ratio(
              () -> read(avros, ID_BYTES, framed),
              () -> {
                for (byte[] value : framed) {
                  last = deserializer.deserialize("wide", value);
                }
              },
              warmUp,
              seconds);
      return new double[] {read, write, serialize, deserialize};
    }
  }

  private static double ratio(Pass avros, Pass ours, double warmUp, double seconds)
      throws IOException {
    ratios(avros, ours, warmUp);
    double[] ratios = ratios(avros, ours, seconds);
    Arrays.sort(ratios);
    return ratios[ratios.length / 2];
  }

  private static double[] ratios(Pass avros, Pass ours, double seconds) throws IOException {
    var ratios = new ArrayList<Double>();
    long end = THREADS.getCurrentThreadCpuTime() + (long) (seconds * 1e9);
    do {
      double theirs = slice(avros);
      ratios.add(theirs / slice(ours));
    } while (THREADS.getCurrentThreadCpuTime() < end);
    return ratios.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the thread's CPU time of a pass, from passes for a slice of time. */
  private static double slice(Pass pass) throws IOException {
    long begin = THREADS.getCurrentThreadCpuTime();
    long used;
    int passes = 0;
    do {
      pass.run();
      passes++;
      used = THREADS.getCurrentThreadCpuTime() - begin;
    } while (used < SLICE_NANOS);
    return (double) used / passes;
  }

  private void read(DatumReader<Object> reader, int offset, byte[][] values) throws IOException {
    for (byte[] value : values) {
      decoder = DecoderFactory.get().binaryDecoder(value, offset, value.length - offset, decoder);
      last = reader.read(null, decoder);
    }
  }

  private void write(DatumWriter<Object> writer) throws IOException {
    for (Object object : objects) {
      writer.write(object, encoder);
    }
    encoder.flush();
    block.reset();
  }

  /** Writes each object after an id into an array of its own, as a serializer does. */
  private void framed(DatumWriter<Object> writer, byte[] id) throws IOException {
    for (Object object : objects) {
      var out = new ByteArrayOutputStream();
      out.write(id);
      BinaryEncoder own = EncoderFactory.get().binaryEncoder(out, null);
      writer.write(object, own);
      own.flush();
      last = out.toByteArray();
    }
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
